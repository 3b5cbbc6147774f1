/** The objects of a template for those who leave templates. */
import { expect, test } from '@jest/globals';
import { type Conversion, convertTemplate } from '../../runtime/convert/convert-template.ts';
import { renderCdk8s } from '../../runtime/import/render-cdk8s.ts';
import { renderYaml } from '../../runtime/import/render-yaml.ts';
import { machine, schema } from '../compute/deployments/arm-templates.ts';

const network = {
  type: 'Microsoft.Network/virtualNetworks',
  apiVersion: '2020-11-01',
  name: 'net',
  location: 'westeurope',
  properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } },
};
const subnet = {
  type: 'Microsoft.Network/virtualNetworks/subnets',
  apiVersion: '2020-11-01',
  name: 'net/web',
  dependsOn: ['net'],
  properties: { addressPrefix: '10.0.1.0/24' },
};
const nic = {
  type: 'Microsoft.Network/networkInterfaces',
  apiVersion: '2020-11-01',
  name: 'nic',
  location: 'westeurope',
  dependsOn: ["[resourceId('Microsoft.Network/virtualNetworks/subnets', 'net', 'web')]"],
  properties: {
    ipConfigurations: [
      {
        name: 'ip',
        properties: { subnet: { id: "[resourceId('Microsoft.Network/virtualNetworks/subnets', 'net', 'web')]" } },
      },
    ],
  },
};
const groupId = '/subscriptions/22222222-2222-2222-2222-222222222222/resourceGroups/shop';

function convert(resources: readonly object[], more: Partial<Conversion> = {}, parameters: object = {}) {
  const json = JSON.stringify({ $schema: schema, contentVersion: '1.0.0.0', parameters, resources });
  const place = { json, file: 'shop.json', deployment: 'shop', namespace: 'team', now: 0 };
  return convertTemplate({ ...place, parameters: {}, ...more });
}
const specs = ({ manifests }: ReturnType<typeof convert>) => manifests.map(({ object }) => object['spec']);

test('resources get objects of their kinds, whose owners and references are objects of the template', () => {
  const made = convert([network, subnet, nic]);
  expect(made.problems).toEqual([]);
  expect(made.notes).toEqual([expect.stringContaining('the ResourceGroup shop of the namespace has to exist')]);
  const [net, web, card] = made.manifests.map(({ object }) => object);
  expect(net).toMatchObject({
    kind: 'VirtualNetwork',
    metadata: { name: 'net', namespace: 'team' },
    spec: { azureName: 'net', owner: { name: 'shop' } },
  });
  expect(web).toMatchObject({ kind: 'VirtualNetworksSubnet', spec: { azureName: 'web', owner: { name: 'net' } } });
  const reference = { group: 'network.azure.com', kind: 'VirtualNetworksSubnet', name: web?.metadata.name };
  expect(card?.['spec']).toMatchObject({ ipConfigurations: [{ subnet: { reference } }] });
});

test('the writers of the import print them', () => {
  const { manifests } = convert([network, subnet]);
  expect(renderYaml(manifests)).toMatch(/^---\n# .*virtualNetworks\/net\n.*kind: VirtualNetwork\n/s);
  expect(renderCdk8s(manifests, 'azimuth')).toMatch(/owner: virtualNetworkNet,/);
});

test('a type without a kind becomes an ArmResource below the group', () => {
  const other = { type: 'Microsoft.Made/things', apiVersion: '2024-01-01', name: 'x', properties: { size: 1 } };
  expect(specs(convert([other], { resourceGroup: groupId }))).toEqual([
    {
      type: 'Microsoft.Made/things@2024-01-01',
      azureName: 'x',
      scope: groupId,
      body: { properties: { size: 1 } },
    },
  ]);
});

test.each([
  ['--location', { location: '[resourceGroup().location]' }],
  ['--tenant-id', { tags: { tenant: '[subscription().tenantId]' } }],
  ['--deployer-id', { tags: { by: '[deployer().objectId]' } }],
  ['--resource-group', { tags: { group: '[uniqueString(resourceGroup().id)]' } }],
])('without %s an object that depends on it is refused', (flag, more) => {
  expect(() => convert([{ ...network, ...more }])).toThrow(new RegExp(`${flag}.*VirtualNetwork/net depends`));
  const ids = { tenantId: '22222222-2222-2222-2222-222222222222', deployerId: '33333333-3333-3333-3333-333333333333' };
  const all = { resourceGroup: groupId, location: 'westeurope', ...ids };
  expect(convert([{ ...network, ...more }], all)).toMatchObject({ problems: [], notes: [] });
});

test('the name of a group that somebody gives is its name in Azure, and its subscription is not known', () => {
  const named = (value: string) => [{ ...network, tags: { group: value } }];
  const given = { resourceGroup: 'shop' };
  expect(convert(named('[resourceGroup().name]'), given).problems).toEqual([]);
  expect(() => convert(named('[resourceGroup().id]'), given)).toThrow(/--resource-group.*got `shop`/);
});

test('a value that only Azure knows is named with its expression, and so is a reference to its object', () => {
  const identity = {
    type: 'Microsoft.ManagedIdentity/userAssignedIdentities',
    apiVersion: '2023-01-31',
    name: 'id',
    location: 'westeurope',
  };
  const open = { ...network, dependsOn: ['id'], tags: { owner: "[reference('id').clientId]" } };
  const { manifests, problems } = convert([identity, open, subnet]);
  expect(manifests.map(({ object }) => object.kind)).toEqual(['UserAssignedIdentity', 'VirtualNetworksSubnet']);
  expect(problems).toEqual([
    {
      place: expect.stringMatching(/^shop\.json:1:\d+ resources\[1\]$/),
      message: expect.stringMatching(
        /^not converted: spec\.tags\.owner \(.*reference\('id'\)\.clientId.*\) is known after/,
      ),
    },
    {
      place: expect.stringMatching(/^shop\.json:1:\d+ resources\[2\]$/),
      message: 'refers to VirtualNetwork.network.azure.com/net, which is not converted',
    },
  ]);
});

test('a resource that no object can declare is named; the others are converted', () => {
  const bad = { type: 'Some.Vendor/things', name: 'bad' };
  const made = convert([bad, { ...network }]);
  expect(made.manifests.map(({ object }) => object.metadata.name)).toEqual(['net']);
  expect(made.problems).toEqual([
    {
      place: expect.stringContaining('resources[0]'),
      message: expect.stringContaining('The resource has no apiVersion'),
    },
  ]);
});

test('a secret goes by the Secret that a parameter names; no value of one is printed', () => {
  const parameters = { password: { type: 'securestring' } };
  const at = { location: 'westeurope' };
  const named = convert(
    [machine],
    { ...at, parameters: { password: { secret: { name: 'admin', key: 'pw' } } } },
    parameters,
  );
  expect(named.problems).toEqual([]);
  expect(specs(named)[0]).toMatchObject({ osProfile: { adminPassword: { name: 'admin', key: 'pw' } } });
  const given = convert([machine], { ...at, parameters: { password: { value: 'top secret' } } }, parameters);
  expect(given.problems).toEqual([
    {
      place: expect.stringContaining('resources[0]'),
      message: expect.stringMatching(/^converted without the Secret web-/),
    },
  ]);
  expect(renderYaml(given.manifests) + JSON.stringify(given)).not.toContain('top secret');
});

test('dependsOn that no reference says is a note; a template that does not expand has its problems', () => {
  const second = { ...network, name: 'second', dependsOn: ['net'] };
  expect(convert([network, second], { resourceGroup: groupId }).notes).toEqual([
    'VirtualNetwork.network.azure.com/second does not wait for VirtualNetwork.network.azure.com/net: dependsOn has no place in an object',
  ]);
  const { manifests, problems } = convert([{ ...network, name: '[nope()]' }]);
  expect(manifests).toEqual([]);
  expect(problems).toEqual([{ place: expect.stringMatching(/^shop\.json:1:\d+ /), message: expect.any(String) }]);
});
