import { expect, test } from '@jest/globals';
import { client, clock, code, provider } from './world.ts';

const put = async (path: string, version: string, body: object) => {
  const answer = await client.arm('PUT', path, version, { location: 'westus2', ...body });
  expect(answer.status).toBeLessThan(300);
  await clock.advance(2000);
};
const get = async (path: string, version: string) => (await client.arm('GET', path, version)).body;

const version = '2024-03-01';
const balancer = provider('Microsoft.Network/loadBalancers/lb');
const frontend = { id: `${balancer}/frontendIPConfigurations/front` };

test('addresses, subnets, groups and disks show who refers to them', async () => {
  const network = provider('Microsoft.Network/virtualNetworks/net');
  const [address, nic] = ['publicIPAddresses/ip', 'networkInterfaces/nic'].map((path) =>
    provider(`Microsoft.Network/${path}`),
  );
  const rules = provider('Microsoft.Network/networkSecurityGroups/nsg');
  await put(rules, version, { properties: {} });
  const subnet = { name: 'a', properties: { addressPrefix: '10.0.0.0/24', networkSecurityGroup: { id: rules } } };
  await put(network, version, {
    properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] }, subnets: [subnet] },
  });
  await put(address as string, version, { properties: {} });
  const properties = { publicIPAddress: { id: address }, subnet: { id: `${network}/subnets/a` } };
  await put(nic as string, version, { properties: { ipConfigurations: [{ name: 'first', properties }] } });
  const machine = provider('Microsoft.Compute/virtualMachines/vm');
  await put(machine, version, { properties: { networkProfile: { networkInterfaces: [{ id: nic }] } } });

  const configuration = { id: `${nic}/ipConfigurations/first` };
  expect((await get(address as string, version)).properties.ipConfiguration).toEqual(configuration);
  expect((await get(network, version)).properties.subnets[0].properties.ipConfigurations).toEqual([configuration]);
  expect((await get(rules, version)).properties.subnets).toEqual([{ id: `${network}/subnets/a` }]);
  expect((await get(nic as string, version)).properties).toMatchObject({
    primary: true,
    virtualMachine: { id: machine },
  });
  for (const id of [machine, nic as string]) {
    await client.arm('DELETE', id, version);
    await clock.advance(2000);
  }
  expect((await get(address as string, version)).properties.ipConfiguration).toBeUndefined();
});

test('the parts of a load balancer show each other, and a pool has a NAT rule for each instance of its set', async () => {
  const range = { frontendPortRangeStart: 5000, frontendPortRangeEnd: 5099, backendPort: 22, protocol: 'Tcp' };
  await put(balancer, version, {
    properties: {
      frontendIPConfigurations: [{ name: 'front', properties: {} }],
      loadBalancingRules: [
        { name: 'web', properties: { frontendIPConfiguration: frontend, frontendPort: 80, backendPort: 80 } },
      ],
      inboundNatPools: [{ name: 'pool', properties: { ...range, frontendIPConfiguration: frontend } }],
    },
  });
  const configuration = {
    name: 'ip',
    properties: { loadBalancerInboundNatPools: [{ id: `${balancer}/inboundNatPools/pool` }] },
  };
  const nic = { name: 'nic', properties: { primary: true, ipConfigurations: [configuration] } };
  await put(provider('Microsoft.Compute/virtualMachineScaleSets/set'), version, {
    sku: { name: 'Standard_D2s_v3', capacity: 2 },
    properties: {
      upgradePolicy: { mode: 'Manual' },
      virtualMachineProfile: { networkProfile: { networkInterfaceConfigurations: [nic] } },
    },
  });
  const { properties } = await get(balancer, version);
  expect(properties.frontendIPConfigurations[0].properties.loadBalancingRules).toEqual([
    { id: `${balancer}/loadBalancingRules/web` },
  ]);
  expect(properties.inboundNatRules).toHaveLength(2);
  expect(properties.inboundNatRules[1].properties).toMatchObject({
    frontendPort: 5001,
    backendPort: 22,
    idleTimeoutInMinutes: 4,
  });
});

test('databases make what belongs to them: throughput, encryption, the partner of a failover group', async () => {
  const account = provider('Microsoft.DocumentDB/databaseAccounts/cosmos');
  await put(account, '2023-04-15', { properties: {} });
  const database = `${account}/sqlDatabases/db`;
  await put(database, '2023-04-15', { properties: { resource: { id: 'db' }, options: { throughput: 800 } } });
  const settings = await get(`${database}/throughputSettings/default`, '2023-04-15');
  expect(settings.properties.resource.throughput).toBe(800);

  const [one, two] = ['one', 'two'].map((name) => provider(`Microsoft.Sql/servers/${name}`)) as [string, string];
  for (const server of [one, two]) await put(server, '2021-11-01', { properties: {} });
  await put(`${one}/databases/db`, '2021-11-01', { properties: {} });
  const encryption = await get(`${one}/databases/db/transparentDataEncryption/current`, '2021-11-01');
  expect(encryption.properties.state).toBe('Enabled');
  const properties = { partnerServers: [{ id: two }], databases: [`${one}/databases/db`] };
  await put(`${one}/failoverGroups/both`, '2021-11-01', { properties });
  expect((await get(`${two}/failoverGroups/both`, '2021-11-01')).properties.replicationRole).toBe('Secondary');
  expect((await get(`${two}/databases/db`, '2021-11-01')).name).toBe('db');
});

test('a list of patch schedules without any is refused, as Azure does', async () => {
  const cache = provider('Microsoft.Cache/redis/cache');
  await put(cache, '2023-08-01', { properties: { sku: { name: 'Basic', family: 'C', capacity: 0 } } });
  expect(await code('GET', `${cache}/patchSchedules`, '2023-08-01')).toEqual([404, 'ResourceNotFound']);
});

test('the configurations of an app are there with it, and its settings are shown by the action list', async () => {
  const site = provider('Microsoft.Web/sites/app');
  await put(site, '2022-03-01', { properties: {} });
  expect((await get(`${site}/config/web`, '2022-03-01')).properties.numberOfWorkers).toBe(1);
  const settings = `${site}/config/appsettings`;
  expect((await client.arm('POST', `${settings}/list`, '2022-03-01')).body.properties).toEqual({});
  await put(settings, '2022-03-01', { properties: { KEY: 'value' } });
  expect((await client.arm('POST', `${settings}/list`, '2022-03-01')).body.properties).toEqual({ KEY: 'value' });
});

test('a POST action that was recorded is answered with its shape; another one is refused', async () => {
  const site = provider('Microsoft.Web/sites/app');
  await put(site, '2022-03-01', { properties: {} });
  expect((await client.arm('POST', `${site}/restart`, '2022-03-01')).status).toBe(200);
  expect((await client.arm('POST', `${site}/nonsense`, '2022-03-01')).status).toBe(404);
});

test('private DNS accepts a write with an old etag and fails its operation; other records refuse it at once', async () => {
  const zone = provider('Microsoft.Network/privateDnsZones/a.example');
  await put(zone, '2018-09-01', { location: 'global' });
  const headers = { 'if-match': 'old' };
  const answer = await client.arm('DELETE', zone, '2018-09-01', undefined, { headers });
  expect(answer.status).toBe(202);
  await clock.advance(2000);
  const operation = await client.get(answer.headers['azure-asyncoperation'] as string);
  expect(operation.body).toMatchObject({ status: 'Failed', error: { code: 'PreconditionFailed' } });
  expect((await get(zone, '2018-09-01')).properties.provisioningState).toBe('Succeeded');
  const record = { properties: { ttl: 60, aRecords: [] } };
  await put(`${zone}/A/www`, '2018-09-01', record);
  expect((await client.arm('PUT', `${zone}/A/www`, '2018-09-01', record, { headers })).status).toBe(412);
});

test('a cache gets no lower sku, and a machine that runs no other placement group', async () => {
  const cache = provider('Microsoft.Cache/redis/cache');
  const of = (name: string) => ({ location: 'westus2', properties: { sku: { name, family: 'C', capacity: 1 } } });
  await put(cache, '2023-08-01', of('Standard'));
  expect(await code('PUT', cache, '2023-08-01', of('Basic'))).toEqual([400, 'BadRequest']);
  const machine = provider('Microsoft.Compute/virtualMachines/vm');
  await put(machine, version, { properties: {} });
  const proximityPlacementGroup = { id: provider('Microsoft.Compute/proximityPlacementGroups/near') };
  await put(proximityPlacementGroup.id, version, { location: 'westus2' });
  const moved = { location: 'westus2', properties: { proximityPlacementGroup } };
  expect(await code('PUT', machine, version, moved)).toEqual([409, 'OperationNotAllowed']);
  await client.arm('POST', `${machine}/deallocate`, version);
  await clock.advance(2000);
  expect((await client.arm('PUT', machine, version, moved)).status).toBe(200);
});

test('a partner that is not there gets no copy, and the write comes to its end', async () => {
  const server = provider('Microsoft.Sql/servers/one');
  await put(server, '2021-11-01', { properties: {} });
  const partnerServers = [{ id: 'nonsense' }, { id: provider('Microsoft.Sql/servers/none') }];
  await put(`${server}/failoverGroups/both`, '2021-11-01', { properties: { partnerServers } });
  const group = await get(`${server}/failoverGroups/both`, '2021-11-01');
  expect(group.properties.partnerServers).toHaveLength(2);
  expect((await client.arm('GET', provider('Microsoft.Sql/servers/none'), '2021-11-01')).status).toBe(404);
});

test('a PATCH of tags keeps the subnets that have requests of their own', async () => {
  const network = provider('Microsoft.Network/virtualNetworks/patched');
  await put(network, version, { properties: { addressSpace: { addressPrefixes: ['10.1.0.0/16'] } } });
  await put(`${network}/subnets/own`, version, { properties: { addressPrefix: '10.1.0.0/24' } });
  expect((await client.arm('PATCH', network, version, { tags: { team: 'shop' } })).status).toBeLessThan(300);
  await clock.advance(2000);
  expect((await get(network, version)).properties.subnets).toMatchObject([{ name: 'own' }]);
});
