import { expect, test } from '@jest/globals';
import { azure, client, clock, code, group, provider } from './world.ts';

const version = '2024-03-01';
const network = provider('Microsoft.Network/virtualNetworks/net');
const put = async (id: string, properties: object) => {
  const answer = await code('PUT', id, version, { location: 'westus2', properties });
  await clock.advance(2000);
  return answer;
};
const created = [201, undefined];
const absent = [400, 'InvalidResourceReference'];
const interfaceIn = (subnet: string) =>
  put(provider('Microsoft.Network/networkInterfaces/nic'), {
    ipConfigurations: [{ name: 'first', properties: { subnet: { id: subnet } } }],
  });

test('an interface needs its subnet, until the subnet is there and after it is gone', async () => {
  expect(await interfaceIn(`${network}/subnets/a`)).toEqual(absent);
  expect(await put(network, { subnets: [{ name: 'a', properties: {} }] })).toEqual(created);
  expect(await interfaceIn(`${network}/subnets/b`)).toEqual(absent);
  expect(await code('DELETE', `${network}/subnets/a`, version)).toEqual([202, undefined]);
  await clock.advance(2000);
  expect(await interfaceIn(`${network}/subnets/a`)).toEqual(absent);
  expect(await put(`${network}/subnets/a`, {})).toEqual(created);
  expect(await interfaceIn(`${network}/subnets/a`.toUpperCase().replace('/SUBSCRIPTIONS/', '/subscriptions/'))).toEqual(
    created,
  );
});

test('a resource of a group that nobody made here may be there', async () => {
  const other = `/subscriptions/${azure.subscriptionId}/resourceGroups/elsewhere/providers`;
  expect(await interfaceIn(`${other}/Microsoft.Network/virtualNetworks/net/subnets/a`)).toEqual(created);
});

test('a text that is no resource id is refused', async () => {
  const { status, body } = await client.arm('PUT', provider('Microsoft.Network/networkInterfaces/nic'), version, {
    location: 'westus2',
    properties: { ipConfigurations: [{ name: 'first', properties: { subnet: { id: 'a' } } }] },
  });
  expect([status, body.error.code]).toEqual([400, 'LinkedInvalidPropertyId']);
  expect(body.error.message).toContain("'properties.ipConfigurations[0].properties.subnet.id'");
});

test('a rule of a load balancer needs the parts of the load balancer', async () => {
  const id = provider('Microsoft.Network/loadBalancers/lb');
  const rule = (probe: string) => ({ name: 'one', properties: { probe: { id: `${id}/probes/${probe}` } } });
  const balancer = (probe: string) => ({
    probes: [{ name: 'here', properties: {} }],
    backendAddressPools: [{ name: 'pool' }],
    loadBalancingRules: [rule(probe)],
  });
  const { body } = await client.arm('PUT', id, version, { location: 'westus2', properties: balancer('gone') });
  expect(body.error.code).toBe('InvalidResourceReference');
  expect(body.error.message).toContain(`referenced by resource ${id}/loadBalancingRules/one was not found`);
  expect(await put(id, balancer('here'))).toEqual(created);
  const inPool = (pool: string) =>
    put(provider('Microsoft.Network/networkInterfaces/nic'), {
      ipConfigurations: [
        { name: 'a', properties: { loadBalancerBackendAddressPools: [{ id: `${id}/backendAddressPools/${pool}` }] } },
      ],
    });
  expect(await inPool('gone')).toEqual(absent);
  expect(await inPool('pool')).toEqual(created);
});

test.each([
  ['a machine', 'Microsoft.Compute/virtualMachines/vm', [404, 'NotFound'], 'Microsoft.Network/networkInterfaces/gone'],
  ['an app', 'Microsoft.Web/sites/app', [404, 'NotFound'], 'Microsoft.Web/serverfarms/gone'],
  [
    'a container app',
    'Microsoft.App/containerApps/app',
    [404, 'ManagedEnvironmentNotFound'],
    'Microsoft.App/managedEnvironments/gone',
  ],
  [
    'a machine in a set',
    'Microsoft.Compute/virtualMachines/vm',
    [404, 'NotFound'],
    'Microsoft.Compute/availabilitySets/gone',
  ],
  ['a copied disk', 'Microsoft.Compute/disks/copy', [404, 'NotFound'], 'Microsoft.Compute/snapshots/gone'],
  ['a snapshot', 'Microsoft.Compute/snapshots/copy', [404, 'NotFound'], 'Microsoft.Compute/disks/gone'],
  [
    'an availability set',
    'Microsoft.Compute/availabilitySets/set',
    [404, 'NotFound'],
    'Microsoft.Compute/proximityPlacementGroups/gone',
  ],
  [
    'a scale set',
    'Microsoft.Compute/virtualMachineScaleSets/set',
    [404, 'NotFound'],
    'Microsoft.Compute/proximityPlacementGroups/gone',
  ],
  [
    'a cluster',
    'Microsoft.ContainerService/managedClusters/aks',
    [400, 'SubnetNotFound'],
    'Microsoft.Network/virtualNetworks/net/subnets/gone',
  ],
  [
    'a link of a zone',
    'Microsoft.Network/privateDnsZones/a.example/virtualNetworkLinks/one',
    [400, 'BadRequest'],
    'Microsoft.Network/virtualNetworks/gone',
  ],
  [
    'a peering',
    'Microsoft.Network/virtualNetworks/net/virtualNetworkPeerings/one',
    [400, 'InvalidGlobalResourceReference'],
    'Microsoft.Network/virtualNetworks/gone',
  ],
])('%s needs the resource that it names', async (_title, path, refusal, target) => {
  await put(network, {});
  await code('PUT', provider('Microsoft.Network/privateDnsZones/a.example'), version, { location: 'global' });
  const id = `${group}/providers/${target}`;
  const is = (type: string) => (target.includes(`/${type}/`) ? id : undefined);
  const properties = {
    networkProfile: is('networkInterfaces') ? { networkInterfaces: [{ id }] } : undefined,
    availabilitySet: is('availabilitySets') ? { id } : undefined,
    proximityPlacementGroup: is('proximityPlacementGroups') ? { id } : undefined,
    creationData: { createOption: 'Copy', sourceResourceId: id },
    agentPoolProfiles: [{ name: 'system', mode: 'System', vnetSubnetID: id }],
    virtualNetwork: { id },
    serverFarmId: id,
    environmentId: id,
    remoteVirtualNetwork: { id },
  };
  expect(await put(provider(path), properties)).toEqual(refusal);
});

test('a machine needs the disk that it attaches, not the one that Azure makes', async () => {
  const id = provider('Microsoft.Compute/disks/gone');
  const machine = (createOption: string) =>
    put(provider('Microsoft.Compute/virtualMachines/vm'), {
      storageProfile: { dataDisks: [{ lun: 0, createOption, managedDisk: { id } }] },
    });
  expect(await machine('Attach')).toEqual([404, 'NotFound']);
  expect(await machine('Empty')).toEqual(created);
});

test('a peering needs networks that overlap neither each other nor another peer', async () => {
  const id = (name: string) => provider(`Microsoft.Network/virtualNetworks/${name}`);
  const ranges = { hub: '10.0.0.0/16', one: '10.1.0.0/16', inHub: '10.0.1.0/24', inOne: '10.1.1.0/24' };
  for (const [name, range] of Object.entries(ranges))
    await put(id(name), { addressSpace: { addressPrefixes: [range] } });
  const peer = (from: string, to: string) =>
    put(`${id(from)}/virtualNetworkPeerings/${to}`, { remoteVirtualNetwork: { id: id(to) } });
  expect(await peer('inHub', 'hub')).toEqual([400, 'VnetAddressSpacesOverlap']);
  expect(await peer('hub', 'one')).toEqual(created);
  expect(await peer('one', 'hub')).toEqual(created);
  expect(await peer('inOne', 'hub')).toEqual([400, 'VnetAddressSpaceOverlapsWithAlreadyPeeredVnet']);
  expect(await peer('hub', 'inOne')).toEqual([400, 'VnetAddressSpaceOverlapsWithAlreadyPeeredVnet']);
});
