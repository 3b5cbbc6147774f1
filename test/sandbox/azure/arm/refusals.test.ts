import { expect, test } from '@jest/globals';
import { client, clock, group, provider } from './world.ts';

const version = '2024-03-01';
/** Status and error code. */
const said = ({ status, body }: { status: number; body: { error?: { code?: string } } | undefined }) => [
  status,
  body?.error?.code,
];
const put = async (path: string, body: object, apiVersion = version) => {
  const answer = await client.arm('PUT', provider(path), apiVersion, { location: 'westus2', ...body });
  await clock.advance(2000);
  return answer;
};
const made = async (path: string, body: object, apiVersion?: string) =>
  expect((await put(path, body, apiVersion)).status).toBeLessThan(300);
const removal = async (path: string, apiVersion = version) => {
  const answer = await client.arm('DELETE', provider(path), apiVersion);
  await clock.advance(2000);
  return answer.status < 300 ? answer.status : said(answer);
};

const network = 'Microsoft.Network/virtualNetworks/used';
const subnet = (name: string, more: object = {}) => ({ name, properties: { addressPrefix: '10.1.0.0/24', ...more } });
const networkBody = (...subnets: object[]) => ({
  properties: { addressSpace: { addressPrefixes: ['10.1.0.0/16'] }, subnets },
});

test('what others use is not deleted, until nobody uses it', async () => {
  const [rules, address, nic, machine] = [
    'Microsoft.Network/networkSecurityGroups/used',
    'Microsoft.Network/publicIPAddresses/used',
    'Microsoft.Network/networkInterfaces/used',
    'Microsoft.Compute/virtualMachines/user',
  ] as const;
  await made(rules, { properties: {} });
  await made(address, { properties: {} });
  await made(network, networkBody(subnet('a', { networkSecurityGroup: { id: provider(rules) } })));
  const configuration = {
    subnet: { id: provider(`${network}/subnets/a`) },
    publicIPAddress: { id: provider(address) },
  };
  await made(nic, { properties: { ipConfigurations: [{ name: 'first', properties: configuration }] } });
  await made(machine, { properties: { networkProfile: { networkInterfaces: [{ id: provider(nic) }] } } });

  expect(await removal(rules)).toEqual([400, 'InUseNetworkSecurityGroupCannotBeDeleted']);
  expect(await removal(address)).toEqual([400, 'PublicIPAddressCannotBeDeleted']);
  expect(await removal(nic)).toEqual([400, 'NicInUse']);
  expect(await removal(`${network}/subnets/a`)).toEqual([400, 'InUseSubnetCannotBeDeleted']);
  expect(await removal(network)).toEqual([400, 'InUseSubnetCannotBeDeleted']);
  const without = await put(network, networkBody(subnet('b')));
  expect(said(without)).toEqual([400, 'InUseSubnetCannotBeDeleted']);
  for (const each of [machine, nic, network, rules, address]) expect([200, 202]).toContain(await removal(each));
});

test('a zone stays with its links, a plan with its apps, and a disk on its machine', async () => {
  const zone = 'Microsoft.Network/privateDnsZones/used.example';
  await made(zone, { location: 'global' }, '2018-09-01');
  await made(`${zone}/virtualNetworkLinks/one`, { location: 'global', properties: {} }, '2018-09-01');
  expect(await removal(zone, '2018-09-01')).toEqual([409, 'CannotDeleteResource']);
  const plan = 'Microsoft.Web/serverfarms/used';
  await made(plan, { sku: { name: 'B1' } }, '2019-08-01');
  await made('Microsoft.Web/sites/user', { properties: { serverFarmId: provider(plan) } }, '2019-08-01');
  expect(await removal(plan, '2019-08-01')).toEqual([409, 'Conflict']);
  const disk = 'Microsoft.Compute/disks/used';
  await made(disk, { properties: { creationData: { createOption: 'Empty' }, diskSizeGB: 4 } });
  const dataDisks = [{ lun: 0, createOption: 'Attach', managedDisk: { id: provider(disk) } }];
  await made('Microsoft.Compute/virtualMachines/other', { properties: { storageProfile: { dataDisks } } });
  expect(await removal(disk)).toEqual([409, 'OperationNotAllowed']);
});

test.each([
  [
    'the image of a machine',
    'Microsoft.Compute/virtualMachines/fixed',
    { storageProfile: { imageReference: { offer: 'a' } } },
    { storageProfile: { imageReference: { offer: 'b' } } },
    [409, 'PropertyChangeNotAllowed'],
  ],
  [
    'the DNS prefix of a cluster',
    'Microsoft.ContainerService/managedClusters/fixed',
    { dnsPrefix: 'a' },
    { dnsPrefix: 'b' },
    [400, 'PropertyChangeNotAllowed'],
  ],
])('%s does not change', async (_title, path, first, second, refusal) => {
  await made(path, { properties: first });
  const answer = await put(path, { properties: second });
  expect(said(answer)).toEqual(refusal);
  await made(path, { properties: first, tags: { a: 'b' } });
});

test('an address gets a higher sku, and no lower one', async () => {
  const path = 'Microsoft.Network/publicIPAddresses/fixed';
  const sku = (name: string) => put(path, { sku: { name }, properties: { publicIPAllocationMethod: 'Static' } });
  expect((await sku('Basic')).status).toBe(201);
  expect((await sku('Standard')).status).toBe(200);
  const lower = await sku('Basic');
  expect(said(lower)).toEqual([400, 'SkuCannotBeChangedOnUpdate']);
});

test('a name that is part of a DNS name is there once', async () => {
  const other = { location: 'westus2' };
  expect((await client.arm('PUT', `${group}2`, '2021-04-01', other)).status).toBe(201);
  await made('Microsoft.Sql/servers/once', { properties: {} }, '2021-11-01');
  const path = provider('Microsoft.Sql/servers/once').replace('/providers/', '2/providers/');
  const answer = await client.arm('PUT', path, '2021-11-01', { ...other, properties: {} });
  expect(said(answer)).toEqual([409, 'NameAlreadyExists']);
});

test.each([
  ['without a name', {}],
  ['that Azure does not have', { locationName: 'Middle Earth' }],
])('a Cosmos DB account has no region %s', async (_title, region) => {
  const path = 'Microsoft.DocumentDB/databaseAccounts/regions';
  const locations = [{ locationName: 'West US', failoverPriority: 0 }, region];
  const answer = await put(path, { properties: { databaseAccountOfferType: 'Standard', locations } }, '2021-05-15');
  expect(said(answer)).toEqual([400, 'BadRequest']);
  await made(path, { properties: { locations: locations.slice(0, 1) } }, '2021-05-15');
});

test.each([
  [
    'a size',
    'Microsoft.Compute/virtualMachines/a',
    { properties: { hardwareProfile: { vmSize: 'Large' } } },
    'InvalidParameter',
  ],
  [
    'a size',
    'Microsoft.Compute/virtualMachineScaleSets/a',
    { sku: { name: 'Large', capacity: 0 } },
    'InvalidParameter',
  ],
  [
    'a version',
    'Microsoft.ContainerService/managedClusters/a',
    { properties: { kubernetesVersion: 'latest' } },
    'K8sVersionNotSupported',
  ],
  ['a sku', 'Microsoft.Network/publicIPAddresses/a', { sku: { name: 'Gold' } }, 'InvalidRequestFormat'],
  [
    'a sku',
    'Microsoft.Storage/storageAccounts/a12',
    { kind: 'StorageV2', sku: { name: 'Gold_LRS' } },
    'InvalidValuesForRequestParameters',
  ],
])('%s that does not exist is refused: %s', async (_title, path, body, refusal) => {
  const answer = await put(path, body, '2023-01-01');
  expect(said(answer)).toEqual([400, refusal]);
});

test.each([
  ['Microsoft.Compute/virtualMachines/a', { properties: { hardwareProfile: { vmSize: 'Standard_ZZ96asr_A900_v9' } } }],
  ['Microsoft.ContainerService/managedClusters/a', { properties: { kubernetesVersion: '1.99' } }],
])('a size or version that Azure may have is taken: %s', async (path, body) => {
  await made(path, body, '2023-01-01');
});

test('a cluster with an empty version gets one, as az sends it', async () => {
  const cluster = provider('Microsoft.ContainerService/managedClusters/aks');
  const { status } = await client.arm('PUT', cluster, '2024-09-01', {
    location: 'westus2',
    properties: { dnsPrefix: 'aks', kubernetesVersion: '' },
  });
  expect(status).toBe(201);
});
