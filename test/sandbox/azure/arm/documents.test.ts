/** Documents that the az command line reads before it writes something, and lists of several types. */
import { expect, test } from '@jest/globals';
import { azure, client, clock, group } from './world.ts';

const get = async (path: string, version: string) => {
  const { status, body } = await client.arm('GET', path, version);
  expect([path, status]).toEqual([path, 200]);
  return body;
};

test('the sizes of machines and disks of a location have cores, memory and zones', async () => {
  const compute = `/subscriptions/${azure.subscriptionId}/providers/Microsoft.Compute`;
  const skus = await get(`${compute}/skus?$filter=location eq 'westeurope'`, '2021-07-01');
  const size = skus.value.find(({ name }: { name: string }) => name === 'Standard_D4s_v5');
  expect(size).toMatchObject({
    resourceType: 'virtualMachines',
    family: 'standardDSv5Family',
    locations: ['westeurope'],
    locationInfo: [{ location: 'westeurope', zones: ['1', '2', '3'] }],
    capabilities: expect.arrayContaining([
      { name: 'vCPUs', value: '4' },
      { name: 'MemoryGB', value: '16' },
    ]),
  });
  expect(skus.value.map(({ resourceType }: { resourceType: string }) => resourceType)).toContain('disks');
  const all = await get(`${compute}/skus`, '2021-07-01');
  expect(all.nextLink).toBeUndefined();
  expect(all.value.length).toBeGreaterThan(20 * skus.value.length);
  const other = await client.arm('GET', `${compute}/skus?$filter=name eq 'x'`, '2021-07-01');
  expect([other.status, other.body.error.code]).toEqual([400, 'InvalidFilterInQueryString']);
  const sizes = await get(`${compute}/locations/westeurope/vmSizes`, '2023-03-01');
  expect(sizes.value).toContainEqual(expect.objectContaining({ name: 'Standard_B2s', numberOfCores: 2 }));
});

test('the languages of apps are those of a system where the query names one', async () => {
  const of = async (query: string) =>
    (await get(`/providers/Microsoft.Web/webAppStacks${query}`, '2023-12-01')).value.map(
      ({ name }: { name: string }) => name,
    );
  expect(await of('')).toEqual(['dotnet', 'aspnet', 'node', 'python', 'php']);
  expect(await of('?stackOsType=Windows')).toEqual(['dotnet', 'aspnet', 'node']);
  expect(await of('?stackOsType=Linux')).not.toContain('aspnet');
});

test('an app and its slot show how they take files, as XML with a password that stays', async () => {
  const app = `${group}/providers/Microsoft.Web/sites/azimuthapp`;
  const slot = `${app}/slots/green`;
  for (const id of [app, slot]) await client.arm('PUT', id, '2023-12-01', { location: 'westeurope', properties: {} });
  const xml = async (id: string) => (await client.arm('POST', `${id}/publishxml`, '2023-12-01', {})).text;
  const ofApp = await xml(app);
  expect(ofApp.match(/<publishProfile /g)).toHaveLength(3);
  expect(ofApp).toContain('publishUrl="azimuthapp.scm.azurewebsites.net:443" userName="$azimuthapp"');
  expect(await xml(app)).toBe(ofApp);
  expect(await xml(slot)).toContain('userName="$azimuthapp-green"');
});

test.each([
  ['B1', { size: 'B1', family: 'B', tier: 'Basic' }],
  ['P1mv3', { size: 'P1mv3', family: 'Pmv3', tier: 'PremiumMV3' }],
  ['EP2', { size: 'EP2', family: 'EP', tier: 'ElasticPremium' }],
])('a plan of size %s shows its family and tier', async (name, sku) => {
  const plan = `${group}/providers/Microsoft.Web/serverfarms/plan`;
  await client.arm('PUT', plan, '2023-12-01', { location: 'westeurope', sku: { name, tier: 'ANY' }, properties: {} });
  expect((await get(plan, '2023-12-01')).sku).toEqual({ name, capacity: 1, ...sku });
});

test('a private zone has an SOA record from the start, and a list of its records of all types', async () => {
  const zone = `${group}/providers/Microsoft.Network/privateDnsZones/corp.example`;
  await client.arm('PUT', zone, '2020-06-01', { location: 'global' });
  await clock.advance(2000);
  const records = { ttl: 60, aRecords: [{ ipv4Address: '10.0.0.4' }] };
  await client.arm('PUT', `${zone}/A/web`, '2020-06-01', { properties: records });
  const all = (await get(`${zone}/ALL`, '2020-06-01')).value;
  expect(all.map(({ name, type }: { name: string; type: string }) => [name, type])).toEqual([
    ['@', 'Microsoft.Network/privateDnsZones/SOA'],
    ['web', 'Microsoft.Network/privateDnsZones/A'],
  ]);
  expect((await get(`${zone}/SOA/@`, '2020-06-01')).properties).toMatchObject({
    fqdn: 'corp.example.',
    soaRecord: { host: 'azureprivatedns.net' },
  });
});
