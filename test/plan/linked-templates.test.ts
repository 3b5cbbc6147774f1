import { afterAll, expect, test } from '@jest/globals';
import { linkedTemplate } from '../../runtime/compute/deployments/linked-templates.ts';
import { offlinePlan } from '../../runtime/plan/offline-plan.ts';
import { documentsOf } from '../../runtime/plan/read-documents.ts';
import { readTemplateRoot } from '../../runtime/plan/read-template-root.ts';
import { scratch } from '../fakes/scratch.ts';

const files = scratch();
afterAll(() => files.remove());
const place = { resourceGroup: 'shop', location: 'westeurope' };

function templateOf(scope: '' | 'managementGroup', resource: object): string {
  const name = scope === '' ? 'deploymentTemplate' : `${scope}DeploymentTemplate`;
  const $schema = `https://schema.management.azure.com/schemas/2019-08-01/${name}.json#`;
  return JSON.stringify({ $schema, contentVersion: '1.0.0.0', resources: [resource] });
}

const link = (templateLink: object) =>
  templateOf('', {
    type: 'Microsoft.Resources/deployments',
    apiVersion: '2022-09-01',
    name: 'linked',
    properties: { mode: 'Incremental', templateLink },
  });
const network = templateOf('', {
  type: 'Microsoft.Network/virtualNetworks',
  apiVersion: '2020-11-01',
  name: 'net',
  location: 'westeurope',
  properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } },
});

function planned(text: string, more: Parameters<typeof documentsOf>[1] = {}) {
  const documents = documentsOf([{ name: 'shop.json', text }], { ...place, ...more });
  const { changes, problems } = offlinePlan(documents, { namespace: 'team', now: 0, fieldManager: 'kubectl' });
  return { keys: changes.map(({ key }) => key), problems: problems.map(({ message }) => message) };
}

test.each([
  ['a path', { relativePath: 'nested/net.json' }],
  ['a URI', { uri: 'https://example.com/quickstart/nested/net.json?sig=1' }],
])('the folder of --template-root has the template of %s', async (_, templateLink) => {
  const root = files.write('root/nested/net.json', network).replace('/nested/net.json', '');
  files.write('root/values.json', '{"parameters": {}}');
  const linkedTemplates = await readTemplateRoot(root);
  expect(Object.keys(linkedTemplates)).toEqual(['nested/net.json']);
  expect(planned(link(templateLink), { linkedTemplates })).toEqual({
    keys: ['ComputeDeployment.azimuth.dev/shop', 'VirtualNetwork.network.azure.com/westeurope-net'],
    problems: [],
  });
});

const withParameters = (parametersLink: object) =>
  templateOf('', {
    type: 'Microsoft.Resources/deployments',
    apiVersion: '2022-09-01',
    name: 'linked',
    properties: { mode: 'Incremental', templateLink: { relativePath: 'net.json' }, parametersLink },
  });
const namedNetwork = JSON.stringify({
  ...JSON.parse(network),
  parameters: { name: { type: 'string' } },
  resources: JSON.parse(network).resources.map((each: object) => ({ ...each, name: "[parameters('name')]" })),
});
const $schema = 'https://schema.management.azure.com/schemas/2019-04-01/deploymentParameters.json#';

test('parametersLink names a parameters file of the folder, whose values are no expressions', async () => {
  files.write('both/net.json', namedNetwork);
  const values = { $schema, contentVersion: '1.0.0.0', parameters: { name: { value: 'net' } } };
  const root = files.write('both/net.parameters.json', values).replace('/net.parameters.json', '');
  const linkedTemplates = await readTemplateRoot(root);
  expect(planned(withParameters({ relativePath: 'net.parameters.json' }), { linkedTemplates })).toEqual({
    keys: ['ComputeDeployment.azimuth.dev/shop', 'VirtualNetwork.network.azure.com/westeurope-net'],
    problems: [],
  });
  const { problems } = planned(withParameters({ uri: 'https://a.example/other.json' }), { linkedTemplates });
  expect(problems).toEqual([expect.stringMatching(/linked parameters file 'https:.*other\.json' is not there/)]);
  const text = JSON.stringify({ ...values, parameters: { name: { value: "[concat('n', 'et')]" } } });
  const raw = planned(withParameters({ relativePath: 'p.json' }), {
    linkedTemplates: { 'net.json': namedNetwork, 'p.json': text },
  });
  expect(raw.keys).not.toContain('VirtualNetwork.network.azure.com/westeurope-net');
});

test('a template that the folder lacks is named, and a file is no folder', async () => {
  const { problems } = planned(link({ relativePath: 'other.json' }), { linkedTemplates: { 'net.json': network } });
  expect(problems.join()).toMatch(/'other\.json' is not there.*--template-root/);
  await expect(readTemplateRoot(files.write('a.json', network))).rejects.toThrow(/--template-root.*a folder/);
});

test('the longest end of a link counts, also of the id of a template spec', () => {
  const spec = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Resources/templateSpecs/net/versions/1.0';
  const texts = { 'net.json': 'short', 'a/net.json': 'long', 'net/versions/1.0.json': 'spec' };
  expect(linkedTemplate('https://example.com/x/a//net.json', texts)).toBe('long');
  expect(linkedTemplate('b/net.json', texts)).toBe('short');
  expect(linkedTemplate(spec, texts)).toBe('spec');
  expect(linkedTemplate('toString', texts)).toBeUndefined();
});

test('a template for a management group needs the name of one', () => {
  const policy = templateOf('managementGroup', {
    type: 'Microsoft.Authorization/policyDefinitions',
    apiVersion: '2021-06-01',
    name: 'audit',
    properties: { policyType: 'Custom', mode: 'All' },
  });
  expect(planned(policy).problems.join()).toMatch(/management group/);
  const { keys, problems } = planned(policy, { managementGroup: 'mg1' });
  expect(problems).toEqual([]);
  expect(keys).toHaveLength(2);
});
