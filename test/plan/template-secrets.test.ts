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
