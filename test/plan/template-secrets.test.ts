import { expect, test } from '@jest/globals';
import { planForms } from '../../runtime/plan/config.ts';
import { offlinePlan } from '../../runtime/plan/offline-plan.ts';
import { documentsOf } from '../../runtime/plan/read-documents.ts';
import { renderPlan } from '../../runtime/plan/render.ts';

const marked = 'MARKED-5tU';
const template = {
  $schema: 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#',
  contentVersion: '1.0.0.0',
  languageVersion: '2.0',
  definitions: { key: { type: 'securestring' } },
  parameters: {
    password: { type: 'secureString' },
    settings: { type: 'secureObject' },
    key: { $ref: '#/definitions/key' },
    name: { type: 'string' },
  },
  resources: {
    site: {
      condition: "[not(empty(parameters('password')))]",
      type: 'Microsoft.Web/sites',
      apiVersion: '2022-03-01',
      name: "[parameters('name')]",
      location: 'westeurope',
      properties: {
        siteConfig: {
          appSettings: [
            { name: 'a', value: "[base64(parameters('password'))]" },
            { name: 'b', value: "[concat(parameters('settings').user, ':', parameters('key'))]" },
          ],
        },
      },
    },
  },
};

test('a plan takes values of secure parameters, and shows none', () => {
  const values = {
    parameters: {
      Password: { value: marked },
      settings: { value: { user: marked } },
      key: { value: marked },
      name: { value: 'shop' },
    },
  };
  const documents = documentsOf([{ name: 'shop.json', text: JSON.stringify(template) }], {
    resourceGroup: 'rg',
    location: 'westeurope',
    parameters: { name: 'values.json', text: JSON.stringify(values) },
  });
  const plan = offlinePlan(documents, { namespace: 'team', now: 0, fieldManager: 'kubectl' });
  expect(plan.problems).toEqual([]);
  expect(plan.changes.map(({ key }) => key)).toContainEqual(expect.stringMatching(/^ArmResource\.azimuth\.dev/));
  expect(JSON.stringify(documents)).toContain('shop-parameters');
  for (const output of planForms)
    expect(renderPlan(plan, output, { colours: false })).not.toMatch(
      new RegExp(`${marked}|${Buffer.from(marked).toString('base64')}`),
    );
});

test("a template of Azure's length is planned, with a note that an object takes less", () => {
  const resources = [{ type: 'X.Y/sites', apiVersion: '2024-01-01', name: 'a', properties: {} }];
  const { $schema } = template;
  const plan = (length: number) => {
    const text = JSON.stringify({ $schema, contentVersion: '1.0.0.0', resources });
    const documents = documentsOf([{ name: 'shop.json', text: text.padEnd(length) }], {
      resourceGroup: 'rg',
      location: 'westeurope',
    });
    return offlinePlan(documents, { namespace: 'team', now: 0, fieldManager: 'kubectl' });
  };
  const long = plan(4_000_000);
  expect(long.problems).toEqual([]);
  expect(long.changes).toHaveLength(2);
  expect(long.notes).toEqual([
    expect.stringMatching(/has 4000000 characters, and an object takes 850000: .*minify .*split .*azimuth convert/),
  ]);
  expect(plan(5_000_000).problems).toMatchObject([{ message: expect.stringContaining('4194304') }]);
});

test('the default of a secure parameter stands for a Secret too', () => {
  const resources = [
    {
      type: 'X.Y/sites',
      apiVersion: '2024-01-01',
      name: 'a',
      properties: { p: "[parameters('p')]", e: "[parameters('e')]" },
    },
  ];
  const parameters = {
    p: { type: 'securestring', defaultValue: marked },
    e: { type: 'securestring', defaultValue: '' },
  };
  const text = JSON.stringify({ $schema: template.$schema, contentVersion: '1.0.0.0', parameters, resources });
  const documents = documentsOf([{ name: 'shop.json', text }], { resourceGroup: 'rg', location: 'westeurope' });
  expect(documents[0]?.manifest).toMatchObject({
    spec: { parameters: { p: { secret: { name: 'shop-parameters', key: 'p' } } } },
  });
  expect(offlinePlan(documents, { namespace: 'team', now: 0, fieldManager: 'kubectl' }).problems).toEqual([]);
});
