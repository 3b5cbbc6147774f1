/** What Azure keeps secret, written into a Key Vault, beside the Secrets of the cluster. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { operatorKeySecret } from '../../../runtime/api/permissions/index.ts';
import { programEnv } from '../../fakes/program-env.ts';
import {
  armRequests,
  condition,
  events,
  gone,
  type RunningOperator,
  secrets,
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
  vault = await TestVault.create(world, 'azmoutputs');
});
afterEach(() => world?.azure.faults.clear());
afterAll(() => world?.close());

/** A second operator reads everything once; resolves when it has read the secret. */
async function readByAnotherOperator(secret: string): Promise<void> {
  const since = vault.requests('GET', secret).length;
  const second = await world.startOperator();
  await until(`${secret} is read`, async () => vault.requests('GET', secret).length > since);
  await second.stop();
}

test('an account’s keys go into one secret, under ASO v1’s name and keys, and no Secret is made', async () => {
  await world.apply(types.account, 'first', intoVault());
  const ready = await untilReady(world, types.account, 'first');
  const secret = await vault.secret('storageaccount-default-first');
  const values = vault.decoded(secret);
  expect(Object.keys(values)).toEqual(['StorageAccountName', 'connectionString0', 'connectionString1', 'key0', 'key1']);
  expect(values['StorageAccountName']).toBe('first');
  expect(values['connectionString0']).toBe(
    `DefaultEndpointsProtocol=https;AccountName=first;AccountKey=${values['key0']};EndpointSuffix=core.windows.net`,
  );
  expect(secret?.contentType).toBe('application/json');
  expect(secret?.tags).toEqual({ 'azimuth-resource': String(ready['status'].id).toLowerCase() });
  expect(ready.metadata.annotations?.['azimuth.dev/key-vault-secrets']).toMatch(
    /^https:\/\/azmoutputs\.vault\.localhost:\d+\/secrets\/storageaccount-default-first$/,
  );
  const made = (await world.client.list(secrets, { namespace: 'default' })).items.map(({ metadata }) => metadata.name);
  expect(made).toEqual([operatorKeySecret]);
});

test('Azure’s own client reads what was written', async () => {
  const uri = (await world.get(types.vault, vault.name))['status'].properties.vaultUri as string;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, 'read-vault-secret.ts'), uri, 'storageaccount-default-first'],
    { env: { ...programEnv(), ...world.azure.env() } },
  );
  const { value, contentType } = JSON.parse(stdout);
  expect(contentType).toBe('application/json');
  expect(value).toBe((await vault.secret('storageaccount-default-first'))?.value);
});

test('a second reconcile with the same value writes nothing', async () => {
  const writes = () => vault.requests('(PUT|PATCH|POST|DELETE)', 'first').length;
  const before = writes();
  expect(before).toBe(1);
  await readByAnotherOperator('storageaccount-default-first');
  expect(writes()).toBe(before);
  expect(await vault.versions('storageaccount-default-first')).toHaveLength(1);
});

test('a key rolled in Azure becomes a new version; the old one stays', async () => {
  const name = 'storageaccount-default-first';
  const id = (await world.get(types.account, 'first'))['status'].id as string;
  const old = vault.decoded(await vault.secret(name));
  await world.portal.arm('POST', `${id}/regenerateKey`, '2023-01-01', { keyName: 'key1' });
  await readByAnotherOperator(name);
  await until('a second version', async () => (await vault.versions(name)).length === 2);
  const now = vault.decoded(await vault.secret(name));
  expect(now['key0']).not.toBe(old['key0']);
  expect(now['key1']).toBe(old['key1']);
});

test('flattened, each key is a secret of its own with the plain value', async () => {
  await world.apply(types.account, 'flat', intoVault({ flatten: true, name: 'shop-storage', keys: ['key0', 'key1'] }));
  await untilReady(world, types.account, 'flat');
  const [key0, key1, other] = await Promise.all(
    ['key0', 'key1', 'StorageAccountName'].map((key) => vault.secret(`shop-storage-${key}`)),
  );
  expect(Buffer.from(key0?.value ?? '', 'base64')).toHaveLength(64);
  expect(key1?.value).not.toBe(key0?.value);
  expect(other).toBeUndefined();
});

test('an expiry is renewed on the same version once half of its time is over, and taken away with a new one', async () => {
  const name = 'storageaccount-default-lasting';
  await world.apply(types.account, 'lasting', intoVault({ expires: '720h' }));
  await untilReady(world, types.account, 'lasting');
  const days = async () => (((await vault.secret(name))?.attributes.exp ?? 0) * 1000 - Date.now()) / 86_400_000;
  expect(Math.round(await days())).toBe(30);
  // Somebody shortens it, as if fifteen days had gone by.
  const [version] = await vault.versions(name);
  const exp = Math.floor(Date.now() / 1000) + 14 * 86_400;
  await vault.send('PATCH', `/secrets/${name}/${version?.id.split('/').at(-1)}`, { attributes: { exp } });
  await readByAnotherOperator(name);
  await until('it is renewed', async () => Math.round(await days()) === 30);
  expect(await vault.versions(name)).toHaveLength(1);
  await world.apply(types.account, 'lasting', intoVault());
  await until('it never expires', async () => (await vault.secret(name))?.attributes.exp === undefined);
  expect(await vault.versions(name)).toHaveLength(2);
});

test('a soft-deleted secret is recovered, and gets a new version only if its value differs', async () => {
  const name = 'storageaccount-default-recovered';
  await world.apply(types.account, 'recovered', intoVault());
  await untilReady(world, types.account, 'recovered');
  await vault.send('DELETE', `/secrets/${name}`);
  await readByAnotherOperator(name);
  await until('it is back', async () => (await vault.secret(name)) !== undefined);
  expect(await vault.versions(name)).toHaveLength(1);

  const id = (await world.get(types.account, 'recovered'))['status'].id as string;
  await vault.send('DELETE', `/secrets/${name}`);
  await world.portal.arm('POST', `${id}/regenerateKey`, '2023-01-01', { keyName: 'key1' });
  await readByAnotherOperator(name);
  await until('it is back with a new version', async () => (await vault.versions(name)).length === 2);
});

test('an object whose vault does not exist yet waits for it, and goes on the moment it is there', async () => {
  const spec = (vaultReference: object) => ({ ...account, operatorSpec: { keyVault: { vaultReference } } });
  const reference = { group: 'keyvault.azure.com', kind: 'Vault', name: 'azmlater' };
  await world.apply(types.account, 'waits', spec(reference));
  const waiting = await untilReady(world, types.account, 'waits', 'ReferenceNotFound');
  expect(condition(waiting)?.message).toContain('named by operatorSpec.keyVault.vaultReference');
  expect(armRequests(world, 'PUT', /storageAccounts\/waits$/)).toEqual([]);
  const later = await TestVault.create(world, 'azmlater');
  await untilReady(world, types.account, 'waits');
  expect(await later.secret('storageaccount-default-waits')).toBeDefined();

  const id = (await world.get(types.vault, 'azmlater'))['status'].id as string;
  await world.apply(types.account, 'byid', spec({ armId: id }));
  await untilReady(world, types.account, 'byid');
  expect(await later.secret('storageaccount-default-byid')).toBeDefined();
});

test('the vault is asked with the credential of the object', async () => {
  const { azure } = world;
  const scope = `/subscriptions/${azure.subscriptionId}`;
  const roles = ['Contributor', 'Key Vault Secrets Officer'].map((role) => ({ role, scope }));
  const app = azure.registerApp({ displayName: 'another', roles });
  const wanted = Object.entries(azure.env(app)).filter(([name]) =>
    /^AZURE_(SUBSCRIPTION_ID|TENANT_ID|CLIENT_ID|CLIENT_SECRET)$/.test(name),
  );
  const data = Object.fromEntries(wanted.map(([name, value]) => [name, Buffer.from(value).toString('base64')]));
  const metadata = { namespace: 'default', name: 'another' };
  await world.client.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata, data });
  const annotations = { 'serviceoperator.azure.com/credential-from': 'another' };
  await world.apply(types.account, 'ofanother', intoVault(), { annotations });
  await untilReady(world, types.account, 'ofanother');
  const asked = vault.requests('(GET|PUT)', 'storageaccount-default-ofanother');
  expect(asked.length).toBeGreaterThan(1);
  expect(new Set(asked.map(({ clientId }) => clientId))).toEqual(new Set([app.clientId]));
});

test('a generated administrator is in the vault as in its Secret, also after a new password', async () => {
  const server = resourceOf(kindOf('sql.azure.com', 'Server'));
  const operatorSpec = { generatedCredentials: { name: 'sql-admin' }, keyVault: { vault: vault.name } };
  const spec = { location: 'westeurope', owner: { name: 'rg' }, operatorSpec };
  const inVault = async () => vault.decoded(await vault.secret('azuresqlserver-default-made'));
  const inSecret = async () => {
    const { data } = (await world.get(secrets, 'sql-admin')) as unknown as { data: Record<string, string> };
    const text = (value: string) => Buffer.from(value, 'base64').toString('utf8');
    return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, text(value)]));
  };
  await world.apply(server, 'made', spec);
  await untilReady(world, server, 'made');
  const first = await inVault();
  expect(Object.keys(first)).toHaveLength(5);
  expect(await inSecret()).toMatchObject(first);
  const annotations = { 'azimuth.dev/rotate-credentials': 'now' };
  await world.apply(server, 'made', spec, { annotations });
  await until('another password', async () => (await inVault())['password'] !== first['password']);
  expect(await inSecret()).toMatchObject(await inVault());
  expect(await vault.versions('azuresqlserver-default-made')).toHaveLength(2);
});

test('a disabled secret stays disabled, and the condition says so', async () => {
  const name = 'storageaccount-default-first';
  const changed = { ...intoVault(), tags: { now: 'disabled' } };
  await vault.send('PATCH', `/secrets/${name}`, { attributes: { enabled: false } });
  await world.apply(types.account, 'first', changed);
  const denied = await untilReady(world, types.account, 'first', 'KeyVaultAccessDenied');
  expect(condition(denied)?.message).toContain('disabled: enable it');
  await vault.send('PATCH', `/secrets/${name}`, { attributes: { enabled: true } });
  await untilReady(world, types.account, 'first');
});

test('what ASO v1 wrote is compared and left as it is, and taken over with its next value', async () => {
  const name = 'storageaccount-default-oldtimer';
  const skip = { annotations: { 'serviceoperator.azure.com/reconcile-policy': 'skip' } };
  const id = String((await world.get(types.account, 'first'))['status'].id).replace(/first$/, 'oldtimer');
  const { owner: _, ...body } = account;
  await world.portal.arm('PUT', id, '2023-01-01', body);
  const keys = await until('the account is there', async () => {
    const { status, body: answer } = await world.portal.arm('POST', `${id}/listKeys`, '2023-01-01');
    return status === 200 && (answer.keys as { value: string }[]).map(({ value }) => value);
  });
  // As Go marshals a map of bytes.
  const base64 = (text: string) => `"${Buffer.from(text).toString('base64')}"`;
  const connection = (key = '') =>
    `DefaultEndpointsProtocol=https;AccountName=oldtimer;AccountKey=${key};EndpointSuffix=core.windows.net`;
  const value =
    `{"StorageAccountName":${base64('oldtimer')},"connectionString0":${base64(connection(keys[0]))},` +
    `"connectionString1":${base64(connection(keys[1]))},"key0":${base64(keys[0] ?? '')},"key1":${base64(keys[1] ?? '')}}`;
  await vault.send('PUT', `/secrets/${name}`, { value });

  await world.apply(types.account, 'oldtimer', intoVault(), skip);
  await untilReady(world, types.account, 'oldtimer');
  expect(await vault.versions(name)).toHaveLength(1);
  expect((await vault.secret(name))?.tags).toEqual({});
  expect(armRequests(world, 'PUT', /oldtimer$/)).toHaveLength(1);

  await world.portal.arm('POST', `${id}/regenerateKey`, '2023-01-01', { keyName: 'key1' });
  await readByAnotherOperator(name);
  await until('a second version', async () => (await vault.versions(name)).length === 2);
  expect((await vault.secret(name))?.tags).toEqual({ 'azimuth-resource': id.toLowerCase() });
});

test('a secret that holds values of another resource is left as it is', async () => {
  await world.apply(types.account, 'intruder', intoVault({ name: 'storageaccount-default-first' }));
  const refused = await untilReady(world, types.account, 'intruder', 'FailedWritingAdditionalKubernetesObjects');
  expect(condition(refused)?.message).toMatch(/holds values of \/subscriptions\/.*storageaccounts\/first: it is left/);
  expect(vault.decoded(await vault.secret('storageaccount-default-first'))['StorageAccountName']).toBe('first');
});

test('what an ArmResource reads goes into a vault too', async () => {
  await world.apply(types.armResource, 'plain', {
    type: 'Microsoft.Storage/storageAccounts@2023-01-01',
    azureName: 'plainvaulted',
    owner: { name: 'rg' },
    body: { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' } },
    operatorSpec: {
      keyVault: {
        vault: vault.name,
        secrets: [
          { key: 'one', action: 'listKeys', path: 'keys[0].value' },
          { key: 'blob', path: 'properties.primaryEndpoints.blob' },
        ],
      },
    },
  });
  await untilReady(world, types.armResource, 'plain');
  const values = vault.decoded(await vault.secret('azimuth-armresource-default-plain'));
  expect(values).toEqual({ one: expect.any(String), blob: expect.stringMatching(/^https:\/\/plainvaulted/) });
});

test('under another name the values are written again, and the old secret is deleted with the object', async () => {
  await world.apply(types.account, 'renamed', intoVault({ name: 'name-one' }));
  await untilReady(world, types.account, 'renamed');
  await world.apply(types.account, 'renamed', intoVault({ name: 'name-two' }));
  await untilReady(world, types.account, 'renamed');
  expect((await vault.secret('name-two'))?.value).toBe((await vault.secret('name-one'))?.value);
  await world.client.delete(types.account, { namespace: 'default', name: 'renamed' });
  await gone(world, types.account, 'renamed');
  expect([await vault.secret('name-one'), await vault.secret('name-two')]).toEqual([undefined, undefined]);
});

test('deleted, an object takes its secrets along, softly; one that leaves its resource leaves them', async () => {
  const policy = { annotations: { 'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete' } };
  await world.apply(types.account, 'goes', intoVault({ flatten: true, keys: ['key0', 'key1'] }));
  await world.apply(types.account, 'stays', intoVault(), policy);
  await untilReady(world, types.account, 'goes');
  await untilReady(world, types.account, 'stays');
  for (const name of ['goes', 'stays']) await world.client.delete(types.account, { namespace: 'default', name });
  await gone(world, types.account, 'goes');
  await gone(world, types.account, 'stays');
  expect(await vault.secret('storageaccount-default-goes-key0')).toBeUndefined();
  expect(await vault.secret('storageaccount-default-goes-key1')).toBeUndefined();
  expect((await vault.send('GET', '/deletedsecrets/storageaccount-default-goes-key0')).status).toBe(200);
  expect(await vault.secret('storageaccount-default-stays')).toBeDefined();

  // Made again, it finds its secrets again.
  await world.apply(types.account, 'goes', intoVault({ flatten: true, keys: ['key0', 'key1'] }));
  await untilReady(world, types.account, 'goes');
  expect(await vault.versions('storageaccount-default-goes-key0')).toHaveLength(2);
});

test('requests to vaults are counted, and those of one pass are found in the vault’s log by its correlation id', async () => {
  expect(await operator.metrics.metrics()).toMatch(
    /azimuth_operator_vault_requests_total\{group="storage\.azure\.com",kind="StorageAccount",request="PUT",code="200"\} \d+/,
  );
  const line = world.log.find((each) => each.includes('"did":"written"'));
  const { correlationId, vaultSecret: name } = JSON.parse(line ?? '{}');
  expect(correlationId).toMatch(/^[0-9a-f-]{36}$/);
  const [put] = vault.requests('PUT', `/${name}$`);
  expect(put?.correlationId).toBe(correlationId);
});

test('every write had a token of its own, and no value is where it does not belong', async () => {
  const writes = vault.requests('(PUT|PATCH|POST|DELETE)', '/secrets/|/deletedsecrets/');
  const tokens = writes.map(({ tokenId }) => tokenId);
  expect(tokens.length).toBeGreaterThan(10);
  expect(new Set(tokens).size).toBe(tokens.length);

  const secret = await vault.secret('storageaccount-default-first');
  const values = Object.entries(vault.decoded(secret)).filter(([key]) => key !== 'StorageAccountName');
  const hidden = [
    secret?.value ?? '',
    ...values.flatMap(([, value]) => [value, Buffer.from(value).toString('base64')]),
  ];
  const places: Record<string, string> = {
    log: world.log.join('\n'),
    events: JSON.stringify((await world.client.list(events)).items),
  };
  for (const kind of world.kinds) places[kind.kind] = JSON.stringify((await world.client.list(resourceOf(kind))).items);
  expect(hidden.length).toBeGreaterThan(8);
  for (const [place, content] of Object.entries(places)) {
    expect([place, hidden.some((value) => content.includes(value))]).toEqual([place, false]);
  }
});
