/** What exists with a resource from its beginning, because its provider makes it: clients read it without a write. */
import { expect, test } from '@jest/globals';
import { azure, client, clock, provider } from './world.ts';

const versions: Readonly<Record<string, string>> = {
  'Microsoft.Compute': '2024-07-01',
  'Microsoft.ContainerRegistry': '2023-07-01',
  'Microsoft.ContainerService': '2025-02-01',
  'Microsoft.DocumentDB': '2024-08-15',
  'Microsoft.EventHub': '2024-01-01',
  'Microsoft.Insights': '2020-02-02',
  'Microsoft.Network': '2018-05-01',
  'Microsoft.ServiceBus': '2024-01-01',
  'Microsoft.Sql': '2023-08-01',
};

/** A request to a resource by its path below the group. */
const send = (method: string, path: string, body?: object) =>
  client.arm(method, provider(path), versions[path.split('/')[0] ?? ''] ?? '', body);

/** Makes a resource and lets its operation end. */
async function make(path: string, body: object): Promise<void> {
  expect((await send('PUT', path, { location: 'westus2', ...body })).status).toBeLessThan(300);
  clock.advance(60_000);
}

test.each([
  ['Microsoft.ServiceBus/namespaces/bus', { sku: { name: 'Standard' } }, 'networkRuleSets/default', 'defaultAction'],
  ['Microsoft.EventHub/namespaces/hub', { sku: { name: 'Standard' } }, 'networkRuleSets/default', 'defaultAction'],
  ['Microsoft.Sql/servers/sql', { properties: { version: '12.0' } }, 'connectionPolicies/default', 'connectionType'],
  ['Microsoft.Sql/servers/sql', { properties: { version: '12.0' } }, 'sqlVulnerabilityAssessments/Default', 'state'],
  ['Microsoft.Network/dnsZones/lab.example', { location: 'global' }, 'SOA/@', 'SOARecord'],
  ['Microsoft.Network/dnsZones/lab.example', { location: 'global' }, 'NS/@', 'NSRecords'],
])('%s has its child %#, which nobody wrote', async (path, body, child, member) => {
  expect((await send('GET', `${path}/${child}`)).status).toBe(404);
  await make(path, body);
  const { status, body: shown } = await send('GET', `${path}/${child}`);
  expect([status, shown.name]).toEqual([200, child.split('/')[1]]);
  expect(shown.properties).toHaveProperty(member);
});

test('settings without a name are shown and replaced', async () => {
  const path = 'Microsoft.Insights/components/app';
  await make(path, { kind: 'web', properties: { Application_Type: 'web' } });
  expect((await send('GET', `${path}/CurrentBillingFeatures`)).body).toMatchObject({ DataVolumeCap: { Cap: 100 } });
  const written = await send('PUT', `${path}/currentbillingfeatures`, { DataVolumeCap: { Cap: 5 } });
  expect(written.status).toBe(200);
  const shown = (await send('GET', `${path}/currentbillingfeatures`)).body;
  expect(shown).toMatchObject({ CurrentBillingFeatures: ['Basic'], DataVolumeCap: { Cap: 5, WarningThreshold: 90 } });
});

test("pools in a cluster's body and its agentPools show the same", async () => {
  const path = 'Microsoft.ContainerService/managedClusters/aks';
  const profile = { name: 'system', count: 1, vmSize: 'Standard_D2s_v3', mode: 'System' };
  await make(path, { properties: { dnsPrefix: 'aks', agentPoolProfiles: [profile] } });
  expect((await send('GET', `${path}/agentPools/system`)).body.properties).toMatchObject({ count: 1, mode: 'System' });
  await make(`${path}/agentPools/users`, { properties: { count: 2, vmSize: 'Standard_D2s_v3', mode: 'User' } });
  await make(`${path}/agentPools/system`, { properties: { count: 3, vmSize: 'Standard_D2s_v3', mode: 'System' } });
  const pools = async () =>
    ((await send('GET', path)).body.properties.agentPoolProfiles as { name: string; count: number }[]).map(
      ({ name, count }) => [name, count],
    );
  expect(await pools()).toEqual([
    ['system', 3],
    ['users', 2],
  ]);
  await make(path, { properties: { dnsPrefix: 'aks', agentPoolProfiles: [{ ...profile, count: 4 }] } });
  expect((await send('GET', `${path}/agentPools/system`)).body.properties.count).toBe(4);
});

test('the kubeconfig of a cluster names it, and the read-only keys of an account are among its keys', async () => {
  const cluster = 'Microsoft.ContainerService/managedClusters/aks';
  await make(cluster, { properties: { dnsPrefix: 'aks' } });
  const { kubeconfigs } = (await send('POST', `${cluster}/listClusterUserCredential`)).body;
  expect(Buffer.from(kubeconfigs[0].value, 'base64').toString()).toMatch(
    /clusters:\n- name: aks\n[\s\S]*current-context: aks/,
  );
  const account = 'Microsoft.DocumentDB/databaseAccounts/account';
  await make(account, {
    properties: { databaseAccountOfferType: 'Standard', locations: [{ locationName: 'westus2' }] },
  });
  const keys = (await send('POST', `${account}/listKeys`)).body;
  expect(keys).toMatchObject((await send('POST', `${account}/readonlykeys`)).body);
  expect(azure.operationsRunning()).toBe(0);
});

test('nothing of recorded clients is in what Azure adds: an extension of a set, the next hop of a route', async () => {
  const osProfile = { computerNamePrefix: 'set', adminUsername: 'lab' };
  const virtualMachineProfile = { osProfile, extensionProfile: { extensionsTimeBudget: 'PT1H30M' } };
  const properties = { additionalCapabilities: {}, upgradePolicy: { mode: 'Manual' }, virtualMachineProfile };
  const set = 'Microsoft.Compute/virtualMachineScaleSets/set';
  await make(set, { sku: { name: 'Standard_D2s_v3', capacity: 0 }, properties });
  expect((await send('GET', `${set}/extensions`)).body.value).toEqual([]);
  expect((await send('GET', set)).body.properties).not.toHaveProperty('additionalCapabilities');
  const route = { name: 'out', properties: { addressPrefix: '10.1.0.0/16', nextHopType: 'VnetLocal' } };
  await make('Microsoft.Network/routeTables/table', { properties: { routes: [route] } });
  const [shown] = (await send('GET', 'Microsoft.Network/routeTables/table')).body.properties.routes;
  expect(shown.properties.nextHopIpAddress).toBe('');
});

test('members that clients take for granted are there, and an empty version of Kubernetes is none', async () => {
  const registry = 'Microsoft.ContainerRegistry/registries/azimuthlab';
  await make(registry, { sku: { name: 'Basic' } });
  const shown = (await send('GET', registry)).body.properties;
  expect(shown).toMatchObject({ publicNetworkAccess: 'Enabled', zoneRedundancy: 'Disabled' });
  await make('Microsoft.ContainerService/managedClusters/aks', {
    properties: { dnsPrefix: 'aks', kubernetesVersion: '' },
  });
});

test('an If-Match without a value is none: the zone is deleted', async () => {
  const zone = 'Microsoft.Network/privateDnsZones/lab.internal';
  await make(zone, { location: 'global' });
  const url = `${azure.endpoints.arm}${provider(zone)}?api-version=2024-06-01`;
  const headers = { 'if-match': '' };
  expect((await client.send('DELETE', url, { token: await client.token(), headers })).status).toBe(202);
  clock.advance(60_000);
  expect((await send('GET', zone)).status).toBe(404);
});
