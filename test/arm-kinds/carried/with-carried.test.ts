import { expect, test } from '@jest/globals';
import { type ArmKindDefinition, kindOf } from '../../../runtime/api/kinds.ts';
import type { KindDefinition } from '../../../runtime/api/types.ts';
import { comparedBody } from '../../../runtime/arm-kinds/body/compared-body.ts';
import { carriedFields } from '../../../runtime/arm-kinds/carried/carried-fields.ts';
import { declaredPlaces, withCarried, withSharedEntries } from '../../../runtime/arm-kinds/carried/with-carried.ts';
import { catalogueModel } from '../../../runtime/arm-kinds/catalogue-kind.ts';
import { armDiff } from '../../../runtime/arm-kinds/comparison/arm-diff.ts';
import type { JsonObject } from '../../../runtime/base/json.ts';

const nic = kindOf('network.azure.com', 'NetworkInterface') as KindDefinition;
const subnet = kindOf('network.azure.com', 'VirtualNetworksSubnet') as KindDefinition;
const vault = kindOf('keyvault.azure.com', 'Vault') as KindDefinition;
const machine = kindOf('compute.azure.com', 'VirtualMachine') as KindDefinition;
const group = kindOf('resources.azure.com', 'ResourceGroup') as KindDefinition;

const configuration = (properties: object) => ({ properties: { ipConfigurations: [{ name: 'IP', properties }] } });
const [a, b] = [{ id: '/a' }, { id: '/b' }];

test('every place of the table names kinds of the catalogue', () => {
  for (const { kinds } of carriedFields) {
    for (const kind of kinds === 'all' ? [] : kinds) {
      const [of = '', name = ''] = kind.split('/');
      expect(kindOf(of, name)).toHaveProperty('arm');
    }
  }
});

test('an association that others made stays in a PUT, on the resource and on an item of its lists', () => {
  const body = configuration({ subnet: { id: '/s' } });
  const live = {
    properties: { networkSecurityGroup: a, ipConfigurations: [{ name: 'ip', properties: { publicIPAddress: b } }] },
  };
  expect(withCarried(nic, body, live, [])).toEqual({
    properties: {
      networkSecurityGroup: a,
      ipConfigurations: [{ name: 'IP', properties: { subnet: { id: '/s' }, publicIPAddress: b } }],
    },
  });
});

test('a declared value wins, and null or an empty list removes what is there', () => {
  const live = { properties: { natGateway: a, serviceEndpoints: [{ service: 'Microsoft.Storage' }], routeTable: a } };
  const body = { properties: { natGateway: b, serviceEndpoints: [], routeTable: null } };
  expect(withCarried(subnet, body, live, [])).toBe(body);
});

test('what the last PUT declared and this one does not is not carried', () => {
  const before = declaredPlaces(subnet, {
    tags: {},
    properties: { natGateway: a, serviceEndpoints: [{ service: 'Microsoft.Sql' }] },
  });
  const services = [{ service: 'microsoft.sql' }, { service: 'Microsoft.Storage' }];
  const live = { properties: { natGateway: a, routeTable: b, serviceEndpoints: services } };
  expect(withCarried(subnet, {}, live, before)).toEqual({
    properties: { routeTable: b, serviceEndpoints: [{ service: 'Microsoft.Storage' }] },
  });
});

test('entries of others join the declared ones, and are no difference', () => {
  const body = configuration({ loadBalancerBackendAddressPools: [a] });
  const live = configuration({ loadBalancerBackendAddressPools: [b, { id: '/a', etag: 'x' }] });
  expect(withCarried(nic, body, live, [])).toEqual(configuration({ loadBalancerBackendAddressPools: [a, b] }));
  expect(armDiff(withSharedEntries(nic, body), live)).toEqual([]);
  const none = configuration({ loadBalancerBackendAddressPools: [b] });
  expect(armDiff(withSharedEntries(nic, body), none)).toHaveLength(1);
  const empty = configuration({ loadBalancerBackendAddressPools: [] });
  expect(armDiff(withSharedEntries(nic, empty), none)).toHaveLength(1);
});

test('tags of others stay on each kind, and a tag that left the declaration goes', () => {
  const live = { tags: { Owner: 'x', cost: '1', old: 'y' } };
  const before = declaredPlaces(group, { tags: { old: 'y', owner: 'x' } });
  expect(withCarried(group, { tags: { owner: 'z' } }, live, before)).toEqual({ tags: { owner: 'z', cost: '1' } });
  expect(withCarried(group, { tags: {} }, live, before)).toEqual({ tags: {} });
});

test('access policies stay where none are declared; a declared list is complete', () => {
  const live = { properties: { accessPolicies: [{ objectId: 'a' }] } };
  expect(withCarried(vault, { properties: {} }, live, [])).toEqual(live);
  const body = { properties: { accessPolicies: [{ objectId: 'b' }] } };
  expect(withCarried(vault, body, live, [])).toBe(body);
});

test.each<[string, JsonObject | undefined, JsonObject, string | undefined]>([
  ['none declared', undefined, { type: 'UserAssigned' }, 'UserAssigned'],
  [
    'none declared beside the own one of the machine',
    undefined,
    { type: 'SystemAssigned, UserAssigned' },
    'SystemAssigned, UserAssigned',
  ],
  [
    'system-assigned',
    { type: 'SystemAssigned' },
    { type: 'SystemAssigned, UserAssigned' },
    'SystemAssigned, UserAssigned',
  ],
  [
    'user-assigned',
    { type: 'UserAssigned', userAssignedIdentities: { '/B': {} } },
    { type: 'UserAssigned' },
    'UserAssigned',
  ],
])('identities that the controller attached stay on a machine: %s', (_, identity, live, type) => {
  const shown = { '/a': { principalId: 'p', clientId: 'c' } };
  const body = identity === undefined ? {} : { identity };
  const sent = withCarried(machine, body, { identity: { ...live, userAssignedIdentities: shown } }, []);
  const own = identity?.['userAssignedIdentities'] as JsonObject | undefined;
  expect(sent).toEqual({ identity: { ...identity, type, userAssignedIdentities: { ...own, '/a': {} } } });
});

test('user-assigned identities of others are no difference of the type, another system-assigned one is', () => {
  const typeIs = (declared: string, live: string, kind = machine) =>
    armDiff(withSharedEntries(kind, { identity: { type: declared } }), { identity: { type: live } }).length === 0;
  expect(typeIs('SystemAssigned', 'SystemAssigned, UserAssigned')).toBe(true);
  expect(typeIs('SystemAssigned', 'UserAssigned')).toBe(false);
  expect(typeIs('UserAssigned', 'SystemAssigned, UserAssigned')).toBe(false);
  expect(typeIs('None', 'UserAssigned')).toBe(false);
  expect(typeIs('SystemAssigned', 'SystemAssigned, UserAssigned', nic)).toBe(false);
});

test('entries of others are no difference where the list has words of enumerations, or is within another list', () => {
  const disk = (lun: number, more: object = {}) => ({
    lun,
    createOption: 'Attach',
    managedDisk: { id: '/a' },
    ...more,
  });
  const disks = (dataDisks: readonly object[]) => ({ properties: { storageProfile: { dataDisks } } });
  const compared = comparedBody(catalogueModel(machine as ArmKindDefinition), disks([disk(0)]), []);
  const shown = disk(0, { createOption: 'attach', name: 'one', toBeDetached: false });
  expect(armDiff(compared, disks([shown, disk(1)]))).toEqual([]);
  expect(armDiff(compared, disks([disk(1)])).map(({ path }) => path)).toEqual(['properties.storageProfile.dataDisks']);

  const pools = comparedBody(
    catalogueModel(nic as ArmKindDefinition),
    configuration({ loadBalancerBackendAddressPools: [a] }),
    [],
  );
  expect(armDiff(pools, configuration({ loadBalancerBackendAddressPools: [a, b] }))).toEqual([]);
  expect(armDiff(pools, configuration({ loadBalancerBackendAddressPools: [b] }))).not.toEqual([]);
});
