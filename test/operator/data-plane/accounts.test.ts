import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { MemoryDialect } from '../../databases/memory-dialect.ts';
import { condition, gone, secrets, startWorld, types, until, untilReady, type World } from '../support.ts';

const typeOf = (group: string, kind: string) => resourceOf(kindOf(`${group}.azure.com`, kind));
const mysqlServer = typeOf('dbformysql', 'FlexibleServer');
const mysqlUser = typeOf('dbformysql', 'User');
const sqlUser = typeOf('sql', 'User');
let world: World;
let databases: MemoryDialect;

beforeAll(async () => {
  const kinds = [mysqlServer, mysqlUser, sqlUser, typeOf('sql', 'Server'), typeOf('sql', 'ServersDatabase')];
  world = await startWorld({ kinds: kinds.map(({ group, kind }) => `${group}/${kind}`).join(';') });
  databases = new MemoryDialect();
  await world.startOperator({}, { databases: { dialect: databases } });
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  const location = 'westeurope';
  await world.apply(mysqlServer, 'srv', { location, owner: { name: 'rg' } });
  await world.apply(typeOf('sql', 'Server'), 'sqlsrv', { location, owner: { name: 'rg' } });
  await world.apply(typeOf('sql', 'ServersDatabase'), 'shop', { location, owner: { name: 'sqlsrv' } });
  const data = { admin: Buffer.from('admin-secret').toString('base64'), app: Buffer.from('app').toString('base64') };
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name: 'pw' }, data };
  await world.client.apply(secrets, secret, { fieldManager: 'test', force: true });
});
afterAll(() => world?.close());

const localUser = {
  serverAdminUsername: 'boss',
  serverAdminPassword: { name: 'pw', key: 'admin' },
  password: { name: 'pw', key: 'app' },
};

test('a user of SQL logs in to the database that owns it, at the address of the server above', async () => {
  await world.apply(sqlUser, 'app', { owner: { name: 'shop' }, roles: ['db_owner'], localUser });
  const ready = await untilReady(world, sqlUser, 'app');
  expect(databases.logins.at(-1)).toMatchObject({
    host: 'sqlsrv.database.windows.net',
    database: 'shop',
    user: 'boss',
    password: 'admin-secret',
  });
  expect(databases.accounts.get('app')).toEqual({ name: 'app', password: 'app', properties: { roles: ['db_owner'] } });
  expect(String(ready['status']?.id)).toMatch(/servers\/sqlsrv\/databases\/shop\/users\/app$/);
  await world.client.delete(sqlUser, { namespace: 'default', name: 'app' });
  await gone(world, sqlUser, 'app');
  expect(databases.accounts.size).toBe(0);
});

test('without a password of the administrator, a user of MySQL is made with a token of the credential', async () => {
  const aadUser = { serverAdminUsername: 'identity', alias: 'short' };
  await world.apply(mysqlUser, 'app', { owner: { name: 'srv' }, azureName: 'app@contoso.com', aadUser });
  const ready = await untilReady(world, mysqlUser, 'app');
  const login = databases.logins.at(-1);
  expect(login).toMatchObject({ host: 'srv.mysql.database.azure.com', user: 'identity', isToken: true });
  const [, claims = ''] = login?.password.split('.') ?? [];
  const { aud } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string };
  expect(aud).toBe('https://ossrdbms-aad.database.windows.net');
  expect(String(ready['status']?.id)).toMatch(/users\/short=40=25$/);
  expect(JSON.stringify([world.log, ready])).not.toContain(login?.password);
});

test('no password goes to a server that is not the one that was asked for', async () => {
  const properties = { fullyQualifiedDomainName: 'theirs.mysql.database.azure.com' };
  const answer = { status: 200, body: { id: '/subscriptions/s/resourceGroups/theirs', properties } };
  world.azure.faults.add({ service: 'arm', method: 'GET', path: 'flexibleServers/srv\\?', times: 0, ...answer });
  await world.apply(mysqlUser, 'misled', { owner: { name: 'srv' }, localUser });
  const refused = await until('a warning', async () => condition(await world.get(mysqlUser, 'misled'))?.message);
  expect(refused).toContain('the id /subscriptions/s/resourceGroups/theirs, which is not the resource');
  world.azure.faults.clear();
  expect(databases.logins.map(({ host }) => host)).not.toContain('theirs.mysql.database.azure.com');
});

test('privileges are completed and compared without regard to case and order', async () => {
  const databasePrivileges = { b: ['select'], a: ['Insert', 'SELECT'], none: [] };
  await world.apply(mysqlUser, 'local', {
    owner: { name: 'srv' },
    localUser,
    privileges: ['process'],
    databasePrivileges,
  });
  await untilReady(world, mysqlUser, 'local');
  expect(databases.accounts.get('local')?.properties).toEqual({
    hostname: '%',
    privileges: ['PROCESS'],
    databasePrivileges: [
      { database: 'a', privileges: ['INSERT', 'SELECT'] },
      { database: 'b', privileges: ['SELECT'] },
    ],
  });
});

test('one of localUser and aadUser is declared, and it stays', async () => {
  const owner = { name: 'srv' };
  const aadUser = { serverAdminUsername: 'identity' };
  await expect(world.apply(mysqlUser, 'both', { owner, localUser, aadUser })).rejects.toThrow(
    'set either localUser, or aadUser',
  );
  await expect(world.apply(mysqlUser, 'none', { owner })).rejects.toThrow('set either localUser, or aadUser');
});

test('another server by its ARM id is no owner with the credential of the operator', async () => {
  const armId = `/subscriptions/${world.azure.subscriptionId}/resourceGroups/rg/providers/Microsoft.DBforMySQL/flexibleServers/srv`;
  await world.apply(mysqlUser, 'byid', { owner: { armId }, aadUser: { serverAdminUsername: 'identity' } });
  const refused = condition(await untilReady(world, mysqlUser, 'byid', 'ScopeNotAllowed'));
  expect(refused?.message).toContain('may not be made under an ARM id');
});

test.each([
  [
    'alias',
    { aadUser: { serverAdminUsername: 'identity', alias: 'mine' } },
    { aadUser: { serverAdminUsername: 'identity', alias: 'victim' } },
  ],
  ['hostname', { localUser }, { hostname: '10.0.0.1' }],
])('a deletion drops no account that the spec names by another %s than before', async (field, user, change) => {
  const name = `by-${field}`;
  const spec = { owner: { name: 'srv' }, ...user };
  await world.apply(mysqlUser, name, spec);
  await untilReady(world, mysqlUser, name);
  await world.apply(mysqlUser, name, { ...spec, ...change });
  await world.client.delete(mysqlUser, { namespace: 'default', name });
  const changed = (each: KubeObject) => condition(each)?.message?.includes('set the former name back') === true;
  await until('the refusal', async () => changed(await world.get(mysqlUser, name)));
  const refused = condition(await world.get(mysqlUser, name));
  expect(refused?.message).toMatch(/manages the account "(mine|by-hostname)@%", but its spec names/);
  expect(databases.accounts.has(name)).toBe(true);
  await world.apply(mysqlUser, name, { ...spec, hostname: '%' });
  await gone(world, mysqlUser, name);
  expect(databases.accounts.has(name)).toBe(false);
});
