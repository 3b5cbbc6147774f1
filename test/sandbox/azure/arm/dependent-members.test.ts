import { expect, test } from '@jest/globals';
import { client, clock, provider } from './world.ts';

/** The properties of the resource after a PUT. */
async function made(path: string, version: string, body: object) {
  const answer = await client.arm('PUT', provider(path), version, { location: 'westus2', ...body });
  expect(answer.status).toBeLessThan(300);
  await clock.advance(2000);
  return read(path, version);
}
const read = async (path: string, version: string) =>
  (await client.arm('GET', provider(path), version)).body as { properties: Record<string, unknown>; kind: string };

test('members follow from the sku, the kind and the parts of a resource', async () => {
  await made('Microsoft.Sql/servers/sql', '2014-04-01', { properties: { administratorLogin: 'one' } });
  const pool = await made('Microsoft.Sql/servers/sql/elasticPools/pool', '2014-04-01', {
    properties: { edition: 'Premium' },
  });
  expect(pool.properties).toMatchObject({ dtu: 125, databaseDtuMax: 125, storageMB: 256_000 });
  const pooled = await made('Microsoft.Sql/servers/sql/databases/pooled', '2014-04-01', {
    properties: { elasticPoolName: 'pool' },
  });
  expect(pooled.properties).toMatchObject({ edition: 'Premium', serviceLevelObjective: 'ElasticPool' });
  const single = await made('Microsoft.Sql/servers/sql/databases/single', '2021-11-01', {
    sku: { name: 'S1', tier: 'Standard' },
  });
  expect(single.properties).toMatchObject({ currentServiceObjectiveName: 'S1', maxSizeBytes: 268_435_456_000 });

  const plan = 'Microsoft.Web/serverfarms/plan';
  await made(plan, '2019-08-01', { sku: { name: 'Y1' } });
  const functions = await made('Microsoft.Web/sites/functions', '2019-08-01', {
    kind: 'functionapp',
    properties: { serverFarmId: provider(plan) },
  });
  expect(functions.properties).toMatchObject({ sku: 'Dynamic', containerSize: 1536, clientAffinityEnabled: false });
  const shown = await read(plan, '2019-08-01');
  expect(shown).toMatchObject({ kind: 'functionapp', properties: { computeMode: 'Dynamic', numberOfSites: 1 } });

  const account = await made('Microsoft.DocumentDB/databaseAccounts/graphs', '2021-05-15', {
    properties: {
      capabilities: [{ name: 'EnableGremlin' }],
      locations: [
        { locationName: 'East US', failoverPriority: 1 },
        { locationName: 'West US', failoverPriority: 0 },
      ],
    },
  });
  expect(account.properties).toMatchObject({
    EnabledApiTypes: 'Gremlin, Sql',
    writeLocations: [{ id: 'graphs-westus', documentEndpoint: 'https://graphs-westus.documents.azure.com:443/' }],
    failoverPolicies: [{ id: 'graphs-westus' }, { id: 'graphs-eastus', failoverPriority: 1 }],
  });
});

test('a disk shows its size in bytes, and that of its source', async () => {
  const empty = { creationData: { createOption: 'Empty' }, diskSizeGB: 64 };
  const disk = await made('Microsoft.Compute/disks/first', '2020-06-30', { properties: empty });
  expect(disk.properties['diskSizeBytes']).toBe(64 * 1024 ** 3);
  const creationData = { createOption: 'Copy', sourceResourceId: provider('Microsoft.Compute/disks/first') };
  const copy = await made('Microsoft.Compute/snapshots/copy', '2020-06-30', { properties: { creationData } });
  expect(copy.properties).toMatchObject({ diskSizeGB: 64, diskSizeBytes: 64 * 1024 ** 3 });
});

test('a private zone counts its records and links', async () => {
  const zone = 'Microsoft.Network/privateDnsZones/example.org';
  await made(zone, '2018-09-01', { location: 'global' });
  await made(`${zone}/A/www`, '2018-09-01', { properties: { ttl: 60, aRecords: [{ ipv4Address: '10.0.0.1' }] } });
  const network = provider('Microsoft.Network/virtualNetworks/counted');
  await made('Microsoft.Network/virtualNetworks/counted', '2024-03-01', {
    properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } },
  });
  await made(`${zone}/virtualNetworkLinks/link`, '2018-09-01', {
    location: 'global',
    properties: { registrationEnabled: true, virtualNetwork: { id: network } },
  });
  const { properties } = await read(zone, '2018-09-01');
  expect(properties).toMatchObject({
    numberOfRecordSets: 2,
    numberOfVirtualNetworkLinks: 1,
    numberOfVirtualNetworkLinksWithRegistration: 1,
  });
});

test('host names have the region and the label of the resource', async () => {
  const cluster = await made('Microsoft.Kusto/clusters/hosted', '2023-08-15', {
    location: 'northeurope',
    sku: { name: 'Standard_D11_v2', tier: 'Standard' },
  });
  expect(cluster.properties['uri']).toBe('https://hosted.northeurope.kusto.windows.net');
  const address = await made('Microsoft.Network/publicIPAddresses/hosted', '2024-03-01', {
    properties: { dnsSettings: { domainNameLabel: 'label' } },
  });
  expect(address.properties['dnsSettings']).toMatchObject({ fqdn: 'label.westus2.cloudapp.azure.com' });
  const profile = await made('Microsoft.Network/trafficmanagerprofiles/hosted', '2018-04-01', {
    location: 'global',
    properties: { dnsConfig: { relativeName: 'label', ttl: 30 } },
  });
  expect(profile.properties['dnsConfig']).toMatchObject({ fqdn: 'label.trafficmanager.net' });
});
