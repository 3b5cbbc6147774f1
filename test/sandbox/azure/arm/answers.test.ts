import { expect, test } from '@jest/globals';
import { client, clock, provider } from './world.ts';

const steering = ({ status, headers }: Awaited<ReturnType<typeof client.arm>>) => [
  status,
  ...['azure-asyncoperation', 'location', 'retry-after'].filter((name) => headers[name] !== undefined),
];

test('a provider that does everything at once answers 200 without an operation, also for a new resource', async () => {
  const farm = provider('Microsoft.Web/serverfarms/farm');
  const body = { location: 'westus2', sku: { name: 'B1' } };
  expect(steering(await client.arm('PUT', farm, '2022-03-01', body))).toEqual([200]);
  expect(steering(await client.arm('PUT', farm, '2022-03-01', body))).toEqual([200]);
  expect(steering(await client.arm('DELETE', farm, '2022-03-01'))).toEqual([200]);
  expect((await client.arm('GET', farm, '2022-03-01')).status).toBe(404);
});

test('SQL accepts a write with 202 and a document of the operation, not with the resource', async () => {
  const server = provider('Microsoft.Sql/servers/sql');
  const answer = await client.arm('PUT', server, '2021-11-01', { location: 'westus2', properties: {} });
  expect(steering(answer)).toEqual([202, 'azure-asyncoperation', 'location', 'retry-after']);
  expect(Object.keys(answer.body)).toEqual(['operation', 'startTime']);
  await clock.advance(2000);
  const { body } = await client.arm('GET', server, '2021-11-01');
  expect(body).toMatchObject({ kind: 'v12.0', properties: { version: '12.0', state: 'Ready' } });
});

test('Azure adds members to what was sent, changes none of it, and keeps the ids that it made', async () => {
  const nic = provider('Microsoft.Network/networkInterfaces/nic');
  const configuration = {
    name: 'first',
    properties: { privateIPAllocationMethod: 'Static', privateIPAddress: '10.9.0.9' },
  };
  const body = { location: 'westus2', properties: { ipConfigurations: [configuration] } };
  const created = await client.arm('PUT', nic, '2019-09-01', body);
  expect(created.body.properties.ipConfigurations).toEqual([
    expect.objectContaining({
      id: `${nic}/ipConfigurations/first`,
      properties: expect.objectContaining({ ...configuration.properties, privateIPAddressVersion: 'IPv4' }),
    }),
  ]);
  const { resourceGuid } = created.body.properties;
  await clock.advance(2000);
  const changed = await client.arm('PUT', nic, '2019-09-01', { ...body, tags: { a: 'b' } });
  expect(changed.body.properties.resourceGuid).toBe(resourceGuid);
});

test('an older api-version is taken and gets the defaults of its time', async () => {
  const account = (name: string) => provider(`Microsoft.Storage/storageAccounts/${name}`);
  const body = { location: 'westus2', sku: { name: 'Standard_LRS' }, kind: 'StorageV2' };
  expect((await client.arm('PUT', account('old'), '2018-11-01', body)).status).toBe(202);
  expect((await client.arm('PUT', account('older'), '2001-01-01', body)).body.error.code).toBe(
    'NoRegisteredProviderFound',
  );
});

test('two subnets can come with their network, while no other write to one of them may', async () => {
  const network = provider('Microsoft.Network/virtualNetworks/net');
  const subnet = (name: string, prefix: string) => ({ name, properties: { addressPrefix: prefix } });
  const properties = {
    addressSpace: { addressPrefixes: ['10.0.0.0/16'] },
    subnets: [subnet('a', '10.0.0.0/24'), subnet('b', '10.0.1.0/24')],
  };
  expect((await client.arm('PUT', network, '2024-03-01', { location: 'westus2', properties })).status).toBe(201);
  const busy = await client.arm('PUT', `${network}/subnets/a`, '2024-03-01', subnet('a', '10.0.0.0/24'));
  expect(busy.status).toBe(429);
  await clock.advance(2000);
  const { body } = await client.arm('GET', network, '2024-03-01');
  expect(body.properties.subnets.map(({ name }: { name: string }) => name)).toEqual(['a', 'b']);
});
