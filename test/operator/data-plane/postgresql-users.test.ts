import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { FakePostgres } from '../../databases/fake-postgres.ts';
import { condition, events, gone, secrets, startWorld, types, until, untilReady, type World } from '../support.ts';

const server = resourceOf(kindOf('dbforpostgresql.azure.com', 'FlexibleServer'));
const user = resourceOf(kindOf('dbforpostgresql.azure.com', 'User'));
const host = 'srv.postgres.database.azure.com';
let world: World;
let postgres: FakePostgres;

beforeAll(async () => {
  world = await startWorld({ kinds: 'dbforpostgresql.azure.com/FlexibleServer;dbforpostgresql.azure.com/User' });
  postgres = new FakePostgres();
  postgres.add('reader');
  postgres.add('writer');
  await world.startOperator({}, { databases: { connect: postgres.connect }, syncPeriodMs: 500 });
  await world.apply(types.group, 'rg', { location: 'westeurope' });
});
afterAll(() => world?.close());

const secret = (name: string, key: string, value: string) =>
  world.client.apply(
    secrets,
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'default', name },
      data: { [key]: Buffer.from(value).toString('base64') },
    },
    { fieldManager: 'test', force: true },
  );
const spec = (more: object = {}) => ({
  owner: { name: 'srv' },
  localUser: {
    serverAdminUsername: 'boss',
    serverAdminPassword: { name: 'admin', key: 'password' },
    password: { name: 'app', key: 'password' },
  },
  ...more,
});
const applyServer = () =>
  world.apply(server, 'srv', {
    location: 'westeurope',
    owner: { name: 'rg' },
    version: '16',
    sku: { name: 'Standard_B1ms', tier: 'Burstable' },
  });

test('a user waits for its server and its Secrets, and becomes a role with password, options and memberships', async () => {
  await world.apply(user, 'app', spec({ roles: ['writer', 'reader'], roleOptions: { createDb: true } }));
  expect(condition(await untilReady(world, user, 'app', 'WaitingForOwner'))).toMatchObject({ severity: 'Warning' });
  await applyServer();
  const missing = condition(await untilReady(world, user, 'app', 'SecretNotFound'));
  expect(missing).toMatchObject({ severity: 'Warning', message: expect.stringContaining('Secret admin') });
  expect(postgres.logins).toEqual([]);
  await secret('admin', 'password', 'admin-secret');
  await secret('app', 'password', 'first-password');
  const ready = await untilReady(world, user, 'app');
  expect(postgres.role('app')).toEqual({
    rolcanlogin: true,
    rolcreaterole: false,
    rolcreatedb: true,
    rolreplication: false,
    password: expect.stringMatching(/^SCRAM-SHA-256\$4096:/),
    roles: new Set(['reader', 'writer']),
  });
  expect(await postgres.accepts('app', 'first-password')).toBe(true);
  expect(postgres.logins[0]).toMatchObject({ host, port: 5432, database: 'postgres', user: 'boss' });
  expect(ready.metadata.finalizers).toEqual(['serviceoperator.azure.com/finalizer']);
  expect(ready.metadata.ownerReferences).toMatchObject([{ kind: 'FlexibleServer', name: 'srv' }]);
  expect(ready['status']).toMatchObject({ roles: ['reader', 'writer'], roleOptions: { login: true } });
  await until('the connection is closed', async () => postgres.open === 0);
});

test('an idle user is read and not written, and a change on the server is repaired', async () => {
  await untilReady(world, user, 'app');
  const writes = postgres.writes.length;
  const logins = postgres.logins.length;
  await until('two checks', async () => postgres.logins.length >= logins + 2);
  expect(postgres.writes).toHaveLength(writes);
  postgres.role('app').rolcreatedb = false;
  postgres.role('app').roles.delete('reader');
  await until('the repair', async () => postgres.role('app').rolcreatedb && postgres.role('app').roles.size === 2);
});

test('a changed password in the Secret is applied, and nothing shows it', async () => {
  await secret('app', 'password', 'second-password');
  await until('the new password', () => postgres.accepts('app', 'second-password'));
  await untilReady(world, user, 'app');
  const all = JSON.stringify([
    world.log,
    await world.client.list(events, {}),
    await world.get(user, 'app'),
    postgres.statements,
  ]);
  for (const password of ['admin-secret', 'first-password', 'second-password']) expect(all).not.toContain(password);
});

test('several roles are granted and revoked at once, and a role that does not exist is an error', async () => {
  postgres.add('third');
  await world.apply(user, 'app', spec({ roles: ['third'], roleOptions: { login: false } }));
  await until('the roles', async () => [...postgres.role('app').roles].join() === 'third');
  expect(postgres.writes).toContain('REVOKE "reader", "writer" FROM "app"');
  expect(postgres.role('app').rolcanlogin).toBe(false);
  await world.apply(user, 'app', spec({ roles: ['third', 'nobody'] }));
  const failed = condition(await untilReady(world, user, 'app', 'Failed'));
  expect(failed?.message).toContain('The server has no role nobody: create it first');
  postgres.add('nobody');
  await untilReady(world, user, 'app');
});

test('the administrator itself is no user, and a refused login is reported without the password', async () => {
  await world.apply(user, 'boss', spec());
  const own = condition(await untilReady(world, user, 'boss', 'ReconciliationFailedPermanently'));
  expect(own?.message).toContain('boss is the administrator of the server');
  await secret('wrong', 'password', 'wrong-password');
  const { localUser } = spec();
  const badLogin = { localUser: { ...localUser, serverAdminPassword: { name: 'wrong', key: 'password' } } };
  await world.apply(user, 'other', spec(badLogin));
  const refused = condition(await untilReady(world, user, 'other', 'AuthenticationFailed'));
  expect(refused).toMatchObject({ severity: 'Warning' });
  expect(JSON.stringify([refused, world.log])).not.toContain('wrong-password');
  for (const name of ['boss', 'other']) await world.client.delete(user, { namespace: 'default', name });
});

test('a role that exists is taken over, unless the object may not adopt it; under skip it is only read', async () => {
  postgres.add('legacy');
  const annotate = (name: string, value: string) => ({ annotations: { [name]: value } });
  await world.apply(user, 'legacy', spec(), annotate('azimuth.dev/adopt', 'never'));
  await untilReady(world, user, 'legacy', 'AdoptionRefused');
  expect(postgres.role('legacy').password).toBe('');
  await world.client.delete(user, { namespace: 'default', name: 'legacy' });
  await gone(world, user, 'legacy');
  expect(postgres.roles.has('legacy')).toBe(true);
  const skip = annotate('serviceoperator.azure.com/reconcile-policy', 'skip');
  await world.apply(user, 'skipped', spec(), skip);
  await untilReady(world, user, 'skipped', 'AzureResourceNotFound');
  expect(postgres.roles.has('skipped')).toBe(false);
  await world.client.delete(user, { namespace: 'default', name: 'skipped' });
  await gone(world, user, 'skipped');
});

test('a second object for the same role is refused, and one for a role that differs by case is not', async () => {
  await world.apply(user, 'twin', spec({ azureName: 'app' }));
  await untilReady(world, user, 'twin', 'ReconciliationBlocked');
  await world.apply(user, 'upper', spec({ azureName: 'App' }));
  await untilReady(world, user, 'upper');
  expect(postgres.roles.has('App')).toBe(true);
  for (const name of ['twin', 'upper']) await world.client.delete(user, { namespace: 'default', name });
  await gone(world, user, 'upper');
  expect([postgres.roles.has('App'), postgres.roles.has('app')]).toEqual([false, true]);
});

test('a deletion drops the role once the server lets it; it waits for the password of the administrator', async () => {
  postgres.refuse = { pattern: /^DROP/, message: 'PostgreSQL refused: role "app" owns objects (SQLSTATE 2BP01)' };
  await world.client.delete(user, { namespace: 'default', name: 'app' });
  await until('the refusal', async () => condition(await world.get(user, 'app'))?.message?.includes('owns objects'));
  await world.client.delete(secrets, { namespace: 'default', name: 'admin' });
  await until('the wait', async () => condition(await world.get(user, 'app'))?.message?.includes('Secret admin'));
  postgres.refuse = undefined;
  await secret('admin', 'password', 'admin-secret');
  await gone(world, user, 'app');
  expect(postgres.roles.has('app')).toBe(false);
});

test('a user goes with its server without a connection', async () => {
  await world.apply(user, 'last', spec());
  await untilReady(world, user, 'last');
  await world.client.delete(server, { namespace: 'default', name: 'srv' });
  await gone(world, server, 'srv');
  // The garbage collector deletes it with its owner.
  await gone(world, user, 'last');
  expect(postgres.writes.at(-1)).not.toMatch(/^DROP/);
});
