import { expect, test } from '@jest/globals';
import { azure, client, clock, code, group, provider } from './world.ts';

test('a network shows its subnets, keeps etags and honours conditions', async () => {
  const id = provider('Microsoft.Network/virtualNetworks/net');
  const body = { location: 'westus2', properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } } };
  const created = await client.arm('PUT', id, '2024-03-01', body);
  expect((await client.get(created.headers['azure-asyncoperation'] ?? '')).body).toEqual({ status: 'InProgress' });
  await clock.advance(1000);
  await client.arm('PUT', `${id}/subnets/one`, '2024-03-01', { properties: { addressPrefix: '10.0.0.0/24' } });
  await clock.advance(1000);
  const shown = (await client.arm('GET', id, '2024-03-01')).body;
  expect(shown.properties.subnets).toMatchObject([
    { name: 'one', properties: { addressPrefix: '10.0.0.0/24', provisioningState: 'Succeeded' } },
  ]);
  expect(shown.etag).toMatch(/^W\/"/);
  const conditional = (headers: Record<string, string>) => client.arm('PUT', id, '2024-03-01', body, { headers });
  expect((await conditional({ 'if-none-match': '*' })).status).toBe(412);
  expect((await conditional({ 'if-match': 'W/"other"' })).status).toBe(412);
  expect((await conditional({ 'if-match': shown.etag })).status).toBe(200);
});

test('the etag of a network changes with its subnets, so that a PUT that does not know them is refused', async () => {
  const id = provider('Microsoft.Network/virtualNetworks/shared');
  const body = { location: 'westus2', properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } } };
  await client.arm('PUT', id, '2024-03-01', body);
  await clock.advance(1000);
  const etag = async () => (await client.arm('GET', id, '2024-03-01')).body.etag as string;
  const seen = [await etag()];
  const subnet = { properties: { addressPrefix: '10.0.0.0/24' } };
  await client.arm('PUT', `${id}/subnets/one`, '2024-03-01', subnet);
  await clock.advance(1000);
  seen.push(await etag());
  const late = await client.arm('PUT', id, '2024-03-01', body, { headers: { 'if-match': seen[0] ?? '' } });
  expect(late.status).toBe(412);
  expect((await client.arm('GET', `${id}/subnets/one`, '2024-03-01')).status).toBe(200);
  await client.arm('DELETE', `${id}/subnets/one`, '2024-03-01');
  await clock.advance(1000);
  seen.push(await etag());
  expect(new Set(seen).size).toBe(3);
});

test('a managed cluster has the members that the az command line takes for granted', async () => {
  const path = provider('Microsoft.ContainerService/managedClusters/aks');
  const body = { location: 'westus2', identity: { type: 'SystemAssigned' }, properties: { dnsPrefix: 'aks' } };
  await client.arm('PUT', path, '2024-09-01', body);
  const list = await client.arm('GET', provider('Microsoft.ContainerService/managedClusters'), '2024-09-01');
  expect(list.body.value[0].properties).toMatchObject({
    servicePrincipalProfile: { clientId: 'msi' },
    agentPoolProfiles: [],
  });
  const servicePrincipalProfile = { clientId: 'c' };
  const other = provider('Microsoft.ContainerService/managedClusters/other');
  await client.arm('PUT', other, '2024-09-01', { location: 'westus2', properties: { servicePrincipalProfile } });
  expect((await client.arm('GET', other, '2024-09-01')).body.properties).toMatchObject({ servicePrincipalProfile });
});

test('a deleted vault can be recovered or purged, and its name is taken meanwhile', async () => {
  const id = provider('Microsoft.KeyVault/vaults/the-vault');
  const properties = { tenantId: azure.tenantId, sku: { family: 'A', name: 'standard' }, accessPolicies: [] };
  const put = (more: object = {}) =>
    client.arm('PUT', id, '2023-07-01', { location: 'westus2', properties: { ...properties, ...more } });
  azure.settings.vaultDnsMs = 1000;
  const created = await put();
  expect([created.status, created.body.properties.provisioningState]).toEqual([200, 'RegisteringDns']);
  expect(created.headers['azure-asyncoperation']).toBeUndefined();
  await clock.advance(1000);
  expect((await client.arm('GET', id, '2023-07-01')).body.properties).toMatchObject({
    provisioningState: 'Succeeded',
    enableSoftDelete: true,
  });
  expect((await client.arm('DELETE', id, '2023-07-01')).status).toBe(200);
  const deleted = `/subscriptions/${azure.subscriptionId}/providers/Microsoft.KeyVault/locations/westus2/deletedVaults/the-vault`;
  expect((await client.arm('GET', deleted, '2024-11-01')).body.properties.vaultId).toBe(id);
  expect((await put()).body.error.code).toBe('ConflictError');
  expect((await put({ createMode: 'recover' })).status).toBe(200);
  expect(await code('GET', deleted, '2024-11-01')).toEqual([404, 'DeletedVaultNotFound']);
  await client.arm('DELETE', id, '2023-07-01');
  const purge = await client.arm('POST', `${deleted}/purge`, '2024-11-01');
  expect(purge.status).toBe(202);
  await clock.advance(1000);
  expect((await client.get(purge.headers['location'] ?? '')).status).toBe(200);
  expect((await put()).status).toBe(200);
});

test('an extension needs the resource it hangs on, and a group takes its vaults into the deleted ones', async () => {
  const vault = provider('Microsoft.KeyVault/vaults/group-vault');
  const assignment = `${vault}/providers/Microsoft.Authorization/roleAssignments/ed3c9f84-ae20-4aea-8602-58ed2eeffef1`;
  const body = {
    properties: {
      principalId: azure.defaultApp.objectId,
      roleDefinitionId: '/providers/Microsoft.Authorization/roleDefinitions/4633458b-17de-408a-b874-0445c86b69e6',
    },
  };
  expect(await code('PUT', assignment, '2022-04-01', body)).toEqual([404, 'ResourceNotFound']);
  const properties = { tenantId: azure.tenantId, sku: { name: 'standard' }, enableRbacAuthorization: true };
  await client.arm('PUT', vault, '2023-07-01', { location: 'westus2', properties });
  expect(await code('PUT', assignment, '2022-04-01', body)).toEqual([201, undefined]);
  await client.arm('DELETE', group, '2021-04-01');
  await clock.advance(1000);
  const deleted = await client.arm(
    'GET',
    `/subscriptions/${azure.subscriptionId}/providers/Microsoft.KeyVault/deletedVaults`,
    '2023-07-01',
  );
  expect(deleted.body.value.map(({ name }: { name: string }) => name)).toEqual(['group-vault']);
});

test('a quota extends a region of a provider, which nobody made', async () => {
  const quotaOf = (region: string) =>
    `/subscriptions/${azure.subscriptionId}/providers/Microsoft.Compute/locations/${region}/providers/Microsoft.Quota/quotas/cores`;
  const body = { properties: { limit: { limitObjectType: 'LimitValue', value: 10 }, name: { value: 'cores' } } };
  const [status] = await code('PUT', quotaOf('westeurope'), '2025-09-01', body);
  expect(status).toBeLessThan(300);
  expect(await code('PUT', quotaOf('atlantis'), '2025-09-01', body)).toEqual([404, 'ResourceNotFound']);
});
