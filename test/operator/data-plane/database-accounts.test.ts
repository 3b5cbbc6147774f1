import { expect, test } from '@jest/globals';
import { cloudFromEnvironment } from '../../../runtime/azure/clouds.ts';
import { DatabaseError } from '../../../runtime/databases/error.ts';
import { mysqlUsers } from '../../../runtime/databases/mysql/users.ts';
import { postgresqlRoles } from '../../../runtime/databases/postgresql/roles.ts';
import { type DatabaseService, serverDomain } from '../../../runtime/databases/server-address.ts';
import { sqlUsers } from '../../../runtime/databases/sql/users.ts';
import type { AccountDialect, Connect } from '../../../runtime/databases/types.ts';
import { type DatabaseRoute, databaseAccounts } from '../../../runtime/operator/data-plane/database-accounts.ts';
import type { DataPlaneContext } from '../../../runtime/operator/data-plane/service.ts';
import { FakePostgres } from '../../databases/fake-postgres.ts';
import { MemoryDialect } from '../../databases/memory-dialect.ts';

const server = '/subscriptions/s/resourceGroups/rg/providers/Microsoft.DBforPostgreSQL/flexibleServers/srv';
const cloud = cloudFromEnvironment({});
const dialects = { postgresql: postgresqlRoles, mysql: mysqlUsers, sql: sqlUsers };
const localUser = { serverAdminUsername: 'boss', serverAdminPassword: 'admin-secret', password: 'pw' };

/** The account `app` of one run. */
function account(
  route: DatabaseRoute,
  mayWrite: () => void = () => undefined,
  service: DatabaseService = 'postgresql',
  properties: DataPlaneContext['properties'] = { localUser, roles: [] },
) {
  return databaseAccounts(dialects, route, mayWrite)(service)(runOf(service, properties));
}

function runOf(service: DatabaseService, properties: DataPlaneContext['properties']): DataPlaneContext {
  return {
    id: `${server}/users/app`,
    object: { metadata: { name: 'app', namespace: 'default' } },
    name: 'app',
    properties,
    secrets: ['admin-secret'],
    credential: { cloud },
    correlationId: 'c',
    readArm: async () => ({ properties: { fullyQualifiedDomainName: `srv.${serverDomain(service, cloud)}` } }),
    signal: new AbortController().signal,
  } as unknown as DataPlaneContext;
}

test.each(['CREATE', 'COMMIT', 'DROP'])('an operator that lost its lease sends no %s', async (word) => {
  const postgres = new FakePostgres();
  if (word === 'DROP') postgres.add('app');
  let calls = 0;
  const mayWrite = () => {
    // The lease ends before the COMMIT, which is the third write after BEGIN and CREATE.
    if (word !== 'COMMIT' || ++calls === 3) throw new Error('the lease is lost');
  };
  const app = account({ connect: postgres.connect }, mayWrite);
  await expect(word === 'DROP' ? app.remove() : app.apply()).rejects.toThrow('the lease is lost');
  await app.close();
  expect(postgres.statements.filter((text) => text.startsWith(word))).toEqual([]);
});

test('reads need no lease', async () => {
  const mayWrite = () => {
    throw new Error('the lease is lost');
  };
  expect(await account({ connect: new FakePostgres().connect }, mayWrite).observe()).toBeUndefined();
});

/** A server whose answers never come. */
const silent: Connect = async (_, { signal }) => ({
  query: () => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  close: async () => undefined,
});

test('a run that takes too long ends with an error that is tried again, and leaves its place', async () => {
  const app = account({ connect: silent, deadlineMs: 20 });
  const error = await app.apply().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'AZ_DATABASE', failure: 'unknown', retryable: true });
  expect(String(error)).toContain('did not finish');
  await app.close();
});

test('a run that finds no free connection in time has changed nothing', async () => {
  const idle: Connect = async () => ({ query: async () => [], close: async () => undefined });
  const open = databaseAccounts(dialects, { connect: idle, deadlineMs: 400 }, () => undefined)('postgresql');
  const runs = Array.from({ length: 5 }, () => open(runOf('postgresql', { localUser, roles: [] })));
  for (const run of runs.slice(0, 4)) await run.observe();
  await expect(runs[4]?.apply()).rejects.toMatchObject({ failure: 'unreachable' });
  for (const run of runs) await run.close();
  const next = open(runOf('postgresql', { localUser, roles: [] }));
  expect(await next.observe()).toBeUndefined();
  await next.close();
});

const broken = (observe: AccountDialect['observe']): AccountDialect => Object.assign(new MemoryDialect(), { observe });

test.each<[string, AccountDialect['observe']]>([
  [
    'is refused',
    async () => {
      throw new DatabaseError({ cause: 'refused', message: 'no right to read' });
    },
  ],
  ['does not show it', async () => undefined],
])('an account that was applied counts as made where the read after it %s', async (_, observe) => {
  const app = account({ dialect: broken(observe) });
  await app.apply();
  await expect(app.observe()).rejects.toMatchObject({ failure: 'partial' });
});

test('the administrator is found by the alias of a user of Entra ID', async () => {
  const aadUser = { serverAdminUsername: 'boss', alias: 'boss', password: 'x', serverAdminPassword: 'admin-secret' };
  const app = account({ dialect: new MemoryDialect() }, undefined, 'mysql', { aadUser });
  await expect(app.observe()).rejects.toThrow('boss is the administrator of the server');
});

test('the administrator of SQL is found whatever the case of its name', async () => {
  const login = { ...localUser, serverAdminUsername: 'APP' };
  const app = account({ dialect: new MemoryDialect() }, undefined, 'sql', { localUser: login });
  await expect(app.observe()).rejects.toThrow('APP is the administrator of the server');
});
