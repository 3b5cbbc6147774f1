import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import type { RegisteredApp } from '../../../sandbox/azure/apps.ts';
import { defaultArmSettings } from '../../../sandbox/azure/arm/behaviour.ts';
import { defaultThrottle } from '../../../sandbox/azure/arm/throttle.ts';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import { TestClient } from './client.ts';

const clock = new ManualClock(Date.UTC(2026, 5, 1));
let azure: EmbeddedAzure;
let client: TestClient;
let group: string;

beforeAll(async () => {
  azure = await startEmbeddedAzure({ clock });
  client = new TestClient(azure);
  group = `/subscriptions/${azure.subscriptionId}/resourceGroups/rg`;
});

beforeEach(async () => {
  azure.reset();
  Object.assign(azure.settings, defaultArmSettings);
  await client.arm('PUT', group, '2021-04-01', { location: 'westus2' });
});

afterAll(async () => {
  await client.close();
  await azure.close();
});

const code = async (...call: Parameters<TestClient['arm']>) => {
  const { status, body } = await client.arm(...call);
  return [status, body?.error?.code];
};
const provider = (rest: string) => `${group}/providers/${rest}`;

test('every request needs a token that is signed here, not expired and for Resource Manager', async () => {
  const url = `${azure.endpoints.arm}${group}?api-version=2021-04-01`;
  const refused = async (token?: string) => {
    const answer = await client.send('GET', url, token === undefined ? {} : { token });
    expect(answer.headers['www-authenticate']).toContain(
      `Bearer authorization_uri="${azure.endpoints.aad}/${azure.tenantId}"`,
    );
    return [answer.status, answer.body.error.code];
  };
  expect(await refused()).toEqual([401, 'AuthenticationFailed']);
  expect(await refused('a.b.c')).toEqual([401, 'InvalidAuthenticationToken']);
  expect(await refused(await client.token('https://vault.azure.net/.default'))).toEqual([
    401,
    'InvalidAuthenticationTokenAudience',
  ]);
  const token = await client.token();
  expect(await refused(`${token.slice(0, -6)}AAAAAA`)).toEqual([401, 'InvalidAuthenticationToken']);
  expect((await client.send('GET', url, { token })).status).toBe(200);
  await clock.advance(3_600_000);
  expect(await refused(token)).toEqual([401, 'ExpiredAuthenticationToken']);
});

test('api-version, subscription and group are checked in that order', async () => {
  const token = await client.token();
  const bare = await client.send('GET', `${azure.endpoints.arm}${group}`, { token });
  expect([bare.status, bare.body.error.code]).toEqual([400, 'MissingApiVersionParameter']);
  expect(await code('GET', group, 'latest')).toEqual([400, 'InvalidApiVersionParameter']);
  expect(await code('GET', '/subscriptions/nonsense/resourceGroups/rg', '2021-04-01')).toEqual([
    400,
    'InvalidSubscriptionId',
  ]);
  expect(await code('GET', '/subscriptions/11111111-1111-4111-8111-111111111111', '2021-04-01')).toEqual([
    404,
    'SubscriptionNotFound',
  ]);
});

test('a type without a row is created, polled through a status document and deleted through a Location', async () => {
  const id = provider('Microsoft.Search/searchServices/search1');
  const body = { location: 'westus2', properties: { sku: { name: 'Basic' }, adminPassword: 'p4ss' } };
  const created = await client.arm('PUT', id, '2024-11-01', body);
  expect([created.status, created.body.properties]).toEqual([
    201,
    { sku: { name: 'Basic' }, provisioningState: 'Creating' },
  ]);
  const status = created.headers['azure-asyncoperation'] ?? '';
  expect((await client.get(status)).body).toMatchObject({ status: 'InProgress', startTime: expect.any(String) });
  expect(await code('PUT', id, '2024-11-01', body)).toEqual([409, 'AnotherOperationInProgress']);
  await clock.advance(1000);
  expect((await client.get(status)).body).toMatchObject({ status: 'Succeeded', endTime: expect.any(String) });
  expect((await client.arm('GET', id, '2024-11-01')).body.properties.provisioningState).toBe('Succeeded');
  const patched = await client.arm('PATCH', id, '2024-11-01', { tags: { a: 'b' } });
  expect(patched.body).toMatchObject({ tags: { a: 'b' }, properties: { sku: { name: 'Basic' } } });
  await clock.advance(1000);
  const removed = await client.arm('DELETE', id, '2024-11-01');
  expect([removed.status, removed.headers['retry-after']]).toEqual([202, '1']);
  await clock.advance(1000);
  expect((await client.get(removed.headers['location'] ?? '')).status).toBe(204);
  expect(await code('GET', id, '2024-11-01')).toEqual([404, 'ResourceNotFound']);
  expect((await client.arm('DELETE', id, '2024-11-01')).status).toBe(204);
});

test('an operation that a fault dooms ends as failed, with the code in the status document', async () => {
  const id = provider('Microsoft.Search/searchServices/search1');
  azure.faults.add({
    service: 'arm',
    method: 'PUT',
    operation: { state: 'failed', code: 'ServerIsBusy', message: 'try again' },
  });
  const created = await client.arm('PUT', id, '2024-11-01', { location: 'westus2' });
  expect(created.status).toBe(201);
  await clock.advance(1000);
  expect((await client.get(created.headers['azure-asyncoperation'] ?? '')).body).toMatchObject({
    status: 'Failed',
    error: { code: 'ServerIsBusy', message: 'try again' },
  });
  expect((await client.arm('GET', id, '2024-11-01')).body.properties.provisioningState).toBe('Failed');
  expect((await client.arm('PUT', id, '2024-11-01', { location: 'westus2' })).status).toBe(200);
});

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

test('identities get ids of their own; credentials under one identity cannot be written at the same time', async () => {
  const id = provider('Microsoft.ManagedIdentity/userAssignedIdentities/identity');
  const created = await client.arm('PUT', id, '2023-01-31', { location: 'westus2', name: 'identity' });
  expect(created.status).toBe(201);
  expect(created.headers['location']).toBe(id.replace('resourceGroups', 'resourcegroups'));
  const again = await client.arm('PUT', id, '2023-01-31', { location: 'westus2', name: 'identity' });
  expect([again.status, again.body.properties]).toEqual([200, created.body.properties]);
  azure.settings.federatedWriteWindowMs = 1000;
  const credential = (name: string, subject = name) =>
    code('PUT', `${id}/federatedIdentityCredentials/${name}`, '2023-01-31', {
      properties: { issuer: 'https://issuer.example', subject, audiences: ['api://AzureADTokenExchange'] },
    });
  expect(await credential('first')).toEqual([201, undefined]);
  expect(await credential('second')).toEqual([
    409,
    'ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity',
  ]);
  await clock.advance(1000);
  expect(await credential('second')).toEqual([201, undefined]);
  expect(await credential('third', 'first')).toEqual([409, 'Conflict']);
  expect((await client.arm('GET', `${id}/federatedIdentityCredentials`, '2023-01-31')).body.value).toHaveLength(2);
  expect(await code('GET', `${id}/federatedIdentityCredentials/none`, '2023-01-31')).toEqual([404, 'NotFound']);
});

test('a role assignment waits for its principal, is unique and cannot be changed', async () => {
  azure.settings.principalReplicationMs = 5000;
  const identity = await client.arm(
    'PUT',
    provider('Microsoft.ManagedIdentity/userAssignedIdentities/who'),
    '2023-01-31',
    { location: 'westus2' },
  );
  const { principalId } = identity.body.properties;
  const contributor = 'b24988ac-6180-42a0-ab88-20f7382dd24c';
  const id = provider('Microsoft.Authorization/roleAssignments/ed3c9f84-ae20-4aea-8602-58ed2eeffef1');
  const body = (role = contributor) => ({
    properties: {
      principalId,
      roleDefinitionId: `/subscriptions/${azure.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${role}`,
    },
  });
  const early = await client.arm('PUT', id, '2022-04-01', body());
  expect([early.status, early.body.error.code]).toEqual([400, 'PrincipalNotFound']);
  expect(early.body.error.message).toContain(
    `Principal ${principalId.replaceAll('-', '')} does not exist in the directory ${azure.tenantId}`,
  );
  await clock.advance(5000);
  const created = await client.arm('PUT', id, '2022-04-01', body());
  expect(created.body).toMatchObject({
    properties: { principalType: 'ServicePrincipal', scope: group, createdBy: azure.defaultApp.objectId },
  });
  expect(created.status).toBe(201);
  const twin = id.replace(/.$/, '2');
  expect(await code('PUT', twin, '2022-04-01', body())).toEqual([409, 'RoleAssignmentExists']);
  expect(await code('PUT', id, '2022-04-01', body('acdd72a7-3385-48ef-bd42-f606fba81ae7'))).toEqual([
    400,
    'RoleAssignmentUpdateNotPermitted',
  ]);
  expect(await code('PUT', twin, '2022-04-01', body('00000000-0000-4000-8000-000000000000'))).toEqual([
    400,
    'RoleDefinitionDoesNotExist',
  ]);
  const listed = await client.arm(
    'GET',
    `${provider('Microsoft.Authorization/roleAssignments')}?$filter=principalId eq '${principalId}'`,
    '2022-04-01',
  );
  expect(listed.body.value).toHaveLength(1);
  expect((await client.arm('DELETE', id, '2022-04-01')).body.name).toBe(created.body.name);
  expect(await code('GET', id, '2022-04-01')).toEqual([404, 'RoleAssignmentNotFound']);
});

test('with RBAC on, a principal may do what its roles say', async () => {
  azure.settings.enforceRbac = true;
  const app = azure.registerApp({ roles: [{ role: 'Reader', scope: group }] });
  expect(await code('GET', group, '2021-04-01', undefined, { app })).toEqual([200, undefined]);
  const id = provider('Microsoft.Storage/storageAccounts/account1');
  const refused = await client.arm('PUT', id, '2023-01-01', { location: 'westus2' }, { app });
  expect([refused.status, refused.body.error.code]).toEqual([403, 'AuthorizationFailed']);
  expect(refused.body.error.message).toContain(
    `The client '${app.clientId}' with object id '${app.objectId}' does not have authorization to perform action 'Microsoft.Storage/storageAccounts/write' over scope '${id}'`,
  );
  azure.assignRole(app.objectId, 'Contributor', group);
  expect(
    (
      await client.arm(
        'PUT',
        id,
        '2023-01-01',
        { location: 'westus2', kind: 'StorageV2', sku: { name: 'Standard_LRS' } },
        { app },
      )
    ).status,
  ).toBe(202);
});

test('with RBAC on, whoever may read a subscription, or a group, lists the role definitions there; all may at the tenant', async () => {
  azure.settings.enforceRbac = true;
  const list = async (scope: string, app: RegisteredApp) =>
    (
      await client.arm('GET', `${scope}/providers/Microsoft.Authorization/roleDefinitions`, '2022-04-01', undefined, {
        app,
      })
    ).status;
  const subscription = `/subscriptions/${azure.subscriptionId}`;
  const reader = azure.registerApp({ roles: [{ role: 'Reader', scope: subscription }] });
  const nobody = azure.registerApp({ roles: [] });
  expect([await list(subscription, reader), await list(group, reader), await list('', reader)]).toEqual([
    200, 200, 200,
  ]);
  expect([await list(subscription, nobody), await list('', nobody)]).toEqual([403, 200]);
});

test('a namespace that is not registered is refused until it is', async () => {
  azure.settings.enforceRegistration = true;
  const id = provider('Microsoft.Storage/storageAccounts/account1');
  const body = { location: 'westus2', kind: 'StorageV2', sku: { name: 'Standard_LRS' } };
  const refused = await client.arm('PUT', id, '2023-01-01', body);
  expect([refused.status, refused.body.error.details[0].target]).toEqual([409, 'Microsoft.Storage']);
  const register = `/subscriptions/${azure.subscriptionId}/providers/Microsoft.Storage/register`;
  expect((await client.arm('POST', register, '2021-04-01')).body.registrationState).toBe('Registered');
  expect((await client.arm('PUT', id, '2023-01-01', body)).status).toBe(202);
});

test('lists come in pages whose links lead to the next one', async () => {
  azure.settings.pageSize = 2;
  for (const name of ['a', 'b', 'c']) {
    await client.arm('PUT', `/subscriptions/${azure.subscriptionId}/resourceGroups/${name}`, '2021-04-01', {
      location: 'eastus',
    });
  }
  const first = await client.arm('GET', `/subscriptions/${azure.subscriptionId}/resourcegroups`, '2021-04-01');
  const second = await client.get(first.body.nextLink);
  const names = [...first.body.value, ...second.body.value].map(({ name }: { name: string }) => name);
  expect([names, second.body.nextLink]).toEqual([['rg', 'a', 'b', 'c'], undefined]);
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

test('too many requests are refused with Retry-After until the bucket fills again', async () => {
  azure.throttle.limits.writes = { size: 2, refillPerSecond: 0.5 };
  azure.throttle.reset();
  const put = () => client.arm('PUT', group, '2021-04-01', { location: 'westus2' });
  expect((await put()).headers['x-ms-ratelimit-remaining-subscription-writes']).toBe('1');
  expect((await put()).status).toBe(200);
  const refused = await put();
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '2']);
  expect((await client.arm('GET', group, '2021-04-01')).status).toBe(200);
  await clock.advance(2000);
  expect((await put()).status).toBe(200);
  azure.throttle.limits.writes = defaultThrottle.writes;
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

test('tags, names in bodies and broken JSON are refused', async () => {
  const tags = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`t${index}`, 'x']));
  expect(await code('PUT', group, '2021-04-01', { location: 'westus2', tags })).toEqual([400, 'TooManyTags']);
  expect(await code('PUT', group, '2021-04-01', { location: 'westus2', name: 'other' })).toEqual([
    400,
    'InvalidRequestContent',
  ]);
  expect(await code('PUT', group, '2021-04-01', [1])).toEqual([400, 'InvalidRequestContent']);
  expect(await code('PUT', group, '2021-04-01', { location: 'eastus' })).toEqual([409, 'InvalidResourceGroupLocation']);
});

test('identities are assigned to a machine and taken from it, and the metadata endpoint follows', async () => {
  const identity = (
    await client.arm('PUT', provider('Microsoft.ManagedIdentity/userAssignedIdentities/pod'), '2023-01-31', {
      location: 'westus2',
    })
  ).body;
  const machine = provider('Microsoft.Compute/virtualMachineScaleSets/nodes');
  await client.arm('PUT', machine, '2024-03-01', { location: 'westus2', identity: { type: 'SystemAssigned' } });
  await clock.advance(1000);
  azure.imds.identities = { machine };
  const token = async () => {
    const url = `${azure.endpoints.imds}/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https://vault.azure.net`;
    const { status, body } = await client.send('GET', `${url}&client_id=${identity.properties.clientId}`, {
      headers: { metadata: 'true' },
    });
    return [status, body.error_description];
  };
  const assign = (id: string, value: object | null) =>
    client.arm('PATCH', machine, '2024-03-01', {
      identity: { type: 'SystemAssigned, UserAssigned', userAssignedIdentities: { [id]: value } },
    });
  expect(await token()).toEqual([400, 'Identity not found']);
  const assigned = await assign(identity.id, {});
  expect(assigned.body.identity).toEqual({
    type: 'SystemAssigned, UserAssigned',
    principalId: expect.any(String),
    tenantId: azure.tenantId,
    userAssignedIdentities: {
      [identity.id]: { principalId: identity.properties.principalId, clientId: identity.properties.clientId },
    },
  });
  await clock.advance(1000);
  expect(await token()).toEqual([200, undefined]);
  expect((await assign(`${identity.id}-none`, {})).body.error.code).toBe('FailedIdentityOperation');
  // The type has to say what remains.
  expect((await assign(identity.id, null)).status).toBe(400);
  const become = (type: string, ids?: object) =>
    client.arm('PATCH', machine, '2024-03-01', { identity: { type, ...(ids && { userAssignedIdentities: ids }) } });
  expect((await become('UserAssigned', { [identity.id]: null })).status).toBe(400);
  expect((await become('SystemAssigned', { [identity.id]: {} })).body.error.message).toContain('identityIds');
  expect((await become('SystemAssigned')).body.identity).toMatchObject({ type: 'SystemAssigned' });
  await clock.advance(1000);
  expect(await token()).toEqual([400, 'Identity not found']);
  azure.imds.identities = 'all';
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

test('the metadata of the cloud is told without a token, in the shape of the version asked for', async () => {
  const metadata = async (version: string) =>
    (await client.send('GET', `${azure.endpoints.arm}/metadata/endpoints?api-version=${version}`)).body;
  const audiences = expect.arrayContaining(['https://management.azure.com']);
  expect(await metadata('2015-01-01')).toMatchObject({
    authentication: { loginEndpoint: azure.endpoints.aad, audiences },
  });
  expect(await metadata('2022-09-01')).toMatchObject([
    { resourceManager: azure.endpoints.arm, authentication: { loginEndpoint: azure.endpoints.aad } },
  ]);
});

test('the list of resources is filtered by type, group, name and tag together, and refuses other filters', async () => {
  const identity = (name: string, tags: object) =>
    client.arm('PUT', provider(`Microsoft.ManagedIdentity/userAssignedIdentities/${name}`), '2023-01-31', {
      location: 'westus2',
      tags,
    });
  await identity('one', { team: 'blue' });
  await identity('two', { team: 'red' });
  const list = async (filter: string) => {
    const path = `/subscriptions/${azure.subscriptionId}/resources?$filter=${encodeURIComponent(filter)}`;
    const { status, body } = await client.arm('GET', path, '2021-04-01');
    return status === 200 ? body.value.map(({ name }: { name: string }) => name) : body.error.code;
  };
  expect(await list("tagName eq 'team' and tagValue eq 'red'")).toEqual(['two']);
  expect(await list("resourceGroup eq 'RG' and name eq 'one'")).toEqual(['one']);
  expect(await list("resourceGroup eq 'other'")).toEqual([]);
  expect(await list("resourceType eq 'Microsoft.Storage/storageAccounts' and name eq 'one'")).toEqual([]);
  expect(await list("substringof('one', name)")).toBe('InvalidFilterInQueryString');
});
