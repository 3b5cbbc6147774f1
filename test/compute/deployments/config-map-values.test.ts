import { expect, test } from '@jest/globals';
import type { ComputeDeploymentSpec } from '../../../runtime/api/deployments/compute-deployment.ts';
import { withMapTexts } from '../../../runtime/compute/deployments/inputs/config-map-values.ts';
import { planUnits } from '../../../runtime/compute/plan/plan-units.ts';
import { expand, schema } from './arm-templates.ts';

const account = (location: string, tags: unknown) => ({
  type: 'Microsoft.Storage/storageAccounts',
  apiVersion: '2025-06-01',
  name: 'shop',
  location,
  kind: 'StorageV2',
  sku: { name: 'Standard_LRS' },
  tags,
});
const read = (key: string, text?: string) => ({ configMap: { name: 'out', key, ...(text !== undefined && { text }) } });

test.each([
  ['string', 'a', 'a'],
  ['string', '3', '3'],
  ['int', '3', '3'],
  ['bool', 'true', 'True'],
  ['array', '["a","b"]', 'a,b'],
  ['object', '{"a":"b"}', 'b'],
])('a parameter of type %s takes the text %s of a ConfigMap', (type, text, expected) => {
  const value =
    { array: "[join(parameters('P'), ',')]", object: "[parameters('P').a]" }[type] ?? "[string(parameters('P'))]";
  const { nodes, problems } = expand([account('westeurope', { value })], { P: { type } }, { p: read('k', text) });
  expect(problems).toEqual([]);
  expect(nodes[0]?.manifest).toMatchObject({ spec: { tags: { value: expected } } });
});

test.each([
  ['no JSON', { type: 'int' }, read('k', 'hunter'), /key k of the ConfigMap out is no JSON of the type int/],
  ['JSON of another type', { type: 'array' }, read('k', '3'), /has type int, and must have type array/],
  [
    'a secure parameter',
    { type: 'securestring' },
    read('k', 'hunter'),
    /everybody who may read ConfigMaps reads the key k/,
  ],
  ['a ConfigMap that is not read', { type: 'string' }, read('k'), /key k of the ConfigMap out is not read here/],
  ['a ConfigMap without a key', { type: 'string' }, { configMap: { name: 'out' } }, /or \{configMap: \{name, key\}\}/],
])('%s is refused, without the text', (_, parameter, given, message) => {
  const { problems } = expand([account('westeurope', {})], { p: parameter }, { p: given });
  expect(problems[0]).toEqual({ path: expect.stringContaining('p'), message: expect.stringMatching(message) });
  expect(JSON.stringify(problems)).not.toContain('hunter');
});

test('texts of ConfigMaps come into the parameters of the deployment and of its locations', () => {
  const spec = {
    template: { arm: { json: '{}', owner: {} } },
    parameters: { a: read('a', 'written by hand'), b: { value: 1 } },
    locations: [{ name: 'east', parameters: { c: read('c') } }, { name: 'west' }],
  } as ComputeDeploymentSpec;
  const made = withMapTexts(spec, () => ({ a: 'one', c: 'two' }));
  expect(made.problems).toEqual([]);
  expect(made.spec).toEqual({
    ...spec,
    parameters: { a: read('a', 'one'), b: { value: 1 } },
    locations: [{ name: 'east', parameters: { c: read('c', 'two') } }, { name: 'west' }],
  });
  expect(withMapTexts(spec, () => ({ a: 'one' })).problems).toEqual([
    { path: 'locations[0].parameters.c', message: expect.stringContaining('The ConfigMap out has no key c') },
  ]);
  expect(withMapTexts(spec, () => undefined).problems).toHaveLength(2);
});

test('a plan reads the ConfigMaps of its files', () => {
  const json = JSON.stringify({
    $schema: schema,
    contentVersion: '1.0.0.0',
    parameters: { place: { type: 'string' } },
    resources: [account("[parameters('place')]", {})],
  });
  const deployment = {
    apiVersion: 'azimuth.dev/v1alpha1',
    kind: 'ComputeDeployment',
    metadata: { name: 'shop' },
    spec: {
      locations: [{ name: 'westeurope' }],
      parameters: { place: read('place') },
      outputs: { configMap: { name: 'mine' }, secret: { name: 'mine' } },
      template: { arm: { json, owner: { name: 'rg' } } },
    },
  };
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'out' }, data: { place: 'northeurope' } };
  const context = { namespace: 'team', now: 0 };
  const { units, problems } = planUnits([deployment, map], context);
  expect(problems).toEqual([]);
  expect(
    units.flatMap(({ nodes }) => nodes.map(({ manifest }) => (manifest['spec'] as { location: string }).location)),
  ).toEqual(['northeurope']);
  expect(planUnits([deployment], context).problems[0]?.message).toContain('is not read here');
});
