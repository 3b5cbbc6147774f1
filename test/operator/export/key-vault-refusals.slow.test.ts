/** Key Vaults and outputs that are refused, for a while or for good. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import {
  armRequests,
  condition,
  events,
  gone,
  type RunningOperator,
  startWorld,
  types,
  until,
  untilReady,
  type World,
} from '../support.ts';
import { TestVault } from './test-vault.ts';

let world: World;
let vault: TestVault;
let operator: RunningOperator;
const account = { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner: { name: 'rg' } };
const intoVault = (more: object = {}) => ({ ...account, operatorSpec: { keyVault: { vault: vault.name, ...more } } });

beforeAll(async () => {
  world = await startWorld({ kinds: 'sql.azure.com/Server' });
  operator = await world.startOperator();
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  vault = await TestVault.create(world, 'azmrefusing');
});
afterEach(() => world?.azure.faults.clear());
afterAll(() => world?.close());

test('what a vault refuses becomes a condition that says what to repair, and the repair needs no restart', async () => {
  const closed = await TestVault.create(world, 'azmclosed', { role: undefined });
  const spec = { ...account, operatorSpec: { keyVault: { vault: 'azmclosed' } } };
  await world.apply(types.account, 'refused', spec);
  const denied = await untilReady(world, types.account, 'refused', 'KeyVaultAccessDenied');
  expect(condition(denied)).toMatchObject({
    severity: 'Warning',
    message: expect.stringMatching(
      /azmclosed.* 403 .*ForbiddenByRbac.* needs the permission 'get' on secrets.*tried again/s,
    ),
  });
  // The resource itself is not held up by it, nor what lives in it.
  expect(denied['status']).toMatchObject({ provisioningState: 'Succeeded', id: expect.stringMatching(/refused$/) });
  await world.apply(types.blobService, 'blobsofrefused', { owner: { name: 'refused' } });
  await untilReady(world, types.blobService, 'blobsofrefused');
  expect(armRequests(world, 'PUT', /storageAccounts\/refused$/)).toHaveLength(1);
  closed.allow();
  await untilReady(world, types.account, 'refused');
});

test.each([
  ['throttling', { status: 429, headers: { 'retry-after': '1' } }, 'KeyVaultUnavailable'],
  ['a page of HTML', { status: 503, body: '<html><title>Our services are away</title></html>' }, 'KeyVaultUnavailable'],
  ['a page where JSON should be', { status: 200, body: '<html>sign in</html>' }, 'KeyVaultUnavailable'],
  ['a dropped connection', { connection: 'drop' }, 'KeyVaultUnavailable'],
  [
    'a value that is too long',
    { method: 'PUT', status: 400, body: { error: { code: 'BadParameter', message: 'too long' } } },
    'FailedWritingKeyVault',
  ],
] as const)('the condition reports %s of a vault', async (what, fault, reason) => {
  const name = `trouble${what.length}`;
  world.azure.faults.add({ service: 'vault', path: `/secrets/storageaccount-default-${name}`, times: 0, ...fault });
  await world.apply(types.account, name, intoVault());
  await untilReady(world, types.account, name, reason);
  world.azure.faults.clear();
  if (reason === 'KeyVaultUnavailable') await untilReady(world, types.account, name);
});

test('a vault that wants a token of a foreign tenant gets none, unless the credential is meant for that tenant too', async () => {
  const { azure } = world;
  const tenantId = '0badc0de-0000-4000-8000-000000000000';
  const challenge = `Bearer authorization="https://login.microsoftonline.com/${tenantId}", resource="https://${azure.endpoints.vaultSuffix}"`;
  azure.faults.add({
    service: 'vault',
    path: '/secrets/storageaccount-default-abroad',
    status: 401,
    headers: { 'www-authenticate': challenge },
    times: 0,
  });
  const asked = () => azure.journal.entries({ service: 'aad', path: new RegExp(tenantId) }).length;
  await world.apply(types.account, 'abroad', intoVault());
  const denied = await untilReady(world, types.account, 'abroad', 'AuthenticationFailed');
  expect(condition(denied)?.message).toMatch(new RegExp(`from the tenant ${tenantId}.*AZURE_ADDITIONAL_TENANTS`));
  expect(asked()).toBe(0);
  await operator.stop();
  const meant = await world.startOperator({ AZURE_ADDITIONAL_TENANTS: `other,${tenantId}` });
  await until('AAD is asked for that tenant', async () => asked() > 0);
  await meant.stop();
  azure.faults.clear();
  operator = await world.startOperator();
  await untilReady(world, types.account, 'abroad');
});

test.each([
  ['a vault outside of the cloud’s domain', { vault: 'https://azmrefusing.example.com' }, 'is no vault of'],
  ['no vault at all', { flatten: true }, 'AZURE_OPERATOR_KEYVAULT'],
])('%s is a failure for good that names the field', async (what, keyVault, message) => {
  const name = `wrong${what.length}`;
  await world.apply(types.account, name, { ...account, operatorSpec: { keyVault } });
  const failed = await untilReady(world, types.account, name, 'ReconciliationFailedPermanently');
  expect(condition(failed)?.message).toContain(message);
  expect(vault.requests('GET', name)).toEqual([]);
});

test('a vault that refuses to delete does not hold the object, and an event names what is left', async () => {
  await world.apply(types.account, 'sticky', intoVault());
  await untilReady(world, types.account, 'sticky');
  world.azure.faults.add({
    service: 'vault',
    method: 'DELETE',
    path: 'sticky',
    times: 0,
    status: 403,
    body: { error: { code: 'Forbidden', message: 'no', innererror: { code: 'ForbiddenByRbac' } } },
  });
  await world.client.delete(types.account, { namespace: 'default', name: 'sticky' });
  await gone(world, types.account, 'sticky');
  const event = await until('an event', async () =>
    (await world.client.list(events)).items.find(({ reason }) => reason === 'KeyVaultSecretsLeft'),
  );
  expect(event['note']).toMatch(/secrets\/storageaccount-default-sticky .*permission 'delete' on secrets/);
});
