import { expect, test } from '@jest/globals';
import { defaultThrottle } from '../../../../sandbox/azure/arm/throttle.ts';
import { azure, client, clock, code, group, provider } from './world.ts';

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

test('a version that Azure gained later is taken, and an unknown older one is not', async () => {
  const body = { location: 'westus2', kind: 'StorageV2', sku: { name: 'Standard_LRS' } };
  const put = (version: string) =>
    client.arm('PUT', provider('Microsoft.Storage/storageAccounts/versions1'), version, body);
  expect((await put('2099-01-01')).status).toBe(202);
  expect((await put('2001-01-01')).body.error.code).toBe('NoRegisteredProviderFound');
});

test.each([
  ['Microsoft.Storage/storageAccounts/versions2', '2015-06-15'],
  ['Microsoft.Storage/storageAccounts/versions2', '2017-10-01'],
  ['Microsoft.KeyVault/vaults/versions', '2016-10-01'],
  ['Microsoft.KeyVault/vaults/versions', '2018-02-14'],
  ['Microsoft.ManagedIdentity/userAssignedIdentities/versions', '2015-08-31-preview'],
  ['Microsoft.Authorization/roleAssignments/00000000-0000-0000-0000-000000000001', '2018-09-01-preview'],
])('%s answers to api-version %s, and not to one ten days later', async (type, version) => {
  const after = version.replace(/-(\d\d)(?=$|-p)/, (_, day: string) => `-${Number(day) + 10}`);
  expect((await client.arm('GET', provider(type), version)).status).toBe(404);
  expect(await code('GET', provider(type), after)).toEqual([400, 'NoRegisteredProviderFound']);
});

test('the metadata of the cloud needs no token, and has the shape of the requested version', async () => {
  const metadata = async (version: string) =>
    (await client.send('GET', `${azure.endpoints.arm}/metadata/endpoints?api-version=${version}`)).body;
  const audiences = expect.arrayContaining(['https://management.azure.com']);
  expect(await metadata('2015-01-01')).toMatchObject({
    authentication: { loginEndpoint: azure.endpoints.aad, audiences },
  });
  const cloud = { resourceManager: azure.endpoints.arm, authentication: { loginEndpoint: azure.endpoints.aad } };
  expect(await metadata('2019-05-01')).toMatchObject([cloud]);
  const suffixes = { keyVaultDns: azure.endpoints.vaultSuffix, sqlServerHostname: 'database.windows.net' };
  expect(await metadata('2022-09-01')).toMatchObject({ ...cloud, suffixes });
});
