import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mysqlUsers } from '../../runtime/databases/mysql/users.ts';
import type { Account, Connection, Login } from '../../runtime/databases/types.ts';
import { startMariaDb } from './mariadb-server.ts';
import type { DatabaseServer } from './postgres-server.ts';

const host = 'srv.mysql.database.azure.com';
const { connect, observe, apply, remove } = mysqlUsers;
let server: DatabaseServer;
let admin: Connection;

const open = (more: Partial<Login> = {}, options: object = {}) =>
  connect(
    { host, port: 3306, database: 'mysql', user: 'boss', password: server.password, ...more },
    { signal: new AbortController().signal, secrets: [], ...server.route, ...options },
  );
const account = (name: string, password: string, more: object = {}): Account => ({
  name,
  password,
  properties: { hostname: '%', privileges: [], databasePrivileges: [], ...more },
});
const nothing = { hostname: '%', privileges: [], databasePrivileges: [] };
/** Logs in as the account, and asks the server who that is. */
async function whoIs(user: string, password: string): Promise<unknown> {
  const connection = await open({ user, password, database: 'information_schema' });
  try {
    return (await connection.query('SELECT CURRENT_USER() AS me'))[0]?.['me'];
  } finally {
    await connection.close();
  }
}

beforeAll(async () => {
  server = await startMariaDb(host);
  admin = await open();
});
afterAll(async () => {
  await admin?.close();
  await server?.stop();
});

test('names and passwords with every quote are created, log in, are changed and dropped', async () => {
  const quotes = fc.constantFrom('"', "'", '\\', '`', '[', ']', '$', ';', '--', '/*', '%', ' ', 'a', 'A', 'é');
  const texts = fc.array(quotes, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));
  const passwords = fc
    .array(fc.oneof(quotes, fc.constant('😀')), { maxLength: 12 })
    .map((parts) => `${parts.join('')}x`);
  await fc.assert(
    fc.asyncProperty(texts, passwords, passwords, async (text, first, second) => {
      const name = `u${text}x`;
      expect(await observe(admin, account(name, first))).toBeUndefined();
      await apply(admin, account(name, first));
      expect(await observe(admin, account(name, first))).toEqual(nothing);
      expect(await whoIs(name, first)).toBe(`${name}@%`);
      await apply(admin, account(name, second));
      expect(await whoIs(name, second)).toBe(`${name}@%`);
      if (first !== second) await expect(whoIs(name, first)).rejects.toMatchObject({ failure: 'login' });
      await remove(admin, account(name, second));
      expect(await observe(admin, account(name, second))).toBeUndefined();
    }),
    { numRuns: 30 },
  );
});

test('privileges of the server and of databases become as declared, whatever the database is called', async () => {
  const names = ['plain', 'with`tick', "with'quote", 'with"both and space'];
  const databasePrivileges = [...names].sort().map((database) => ({ database, privileges: ['INSERT', 'SELECT'] }));
  const wanted = { privileges: ['PROCESS', 'RELOAD'], databasePrivileges };
  for (let times = 0; times < 2; times++) {
    await apply(admin, account("o'app", 'x', wanted));
    expect(await observe(admin, account("o'app", 'x', wanted))).toEqual({ hostname: '%', ...wanted });
  }
  const one = { databasePrivileges: [{ database: 'plain', privileges: ['ALL'] }] };
  await apply(admin, account("o'app", 'x', one));
  expect(await observe(admin, account("o'app", 'x', one))).toEqual({ ...nothing, ...one });
  await apply(admin, account("o'app", 'x'));
  expect(await observe(admin, account("o'app", 'x'))).toEqual(nothing);
  await remove(admin, account("o'app", 'x'));
});

test('accounts of one name from two hosts, and names that differ by case, are different accounts', async () => {
  const elsewhere = { hostname: '10.1.2.3', privileges: ['RELOAD'] };
  await apply(admin, account('twin', 'x'));
  await apply(admin, account('twin', 'x', elsewhere));
  await apply(admin, account('Twin', 'x', { privileges: ['PROCESS'] }));
  expect(await observe(admin, account('twin', 'x'))).toEqual(nothing);
  expect(await observe(admin, account('twin', 'x', elsewhere))).toEqual({ ...nothing, ...elsewhere });
  expect(await observe(admin, account('Twin', 'x'))).toEqual({ ...nothing, privileges: ['PROCESS'] });
  await remove(admin, account('twin', 'x', elsewhere));
  expect(await observe(admin, account('twin', 'x'))).toEqual(nothing);
  for (const name of ['twin', 'Twin']) await remove(admin, account(name, 'x'));
});

test('a refused privilege does not keep other places from theirs, and the error has no password', async () => {
  const privileges = {
    privileges: ['NO SUCH THING'],
    databasePrivileges: [{ database: 'plain', privileges: ['SELECT'] }],
  };
  const error = await apply(admin, account('part', "secret'password", privileges)).catch((thrown: Error) => thrown);
  expect(error).toMatchObject({ failure: 'partial', message: 'MySQL refused: its syntax (ER_PARSE_ERROR)' });
  const { databasePrivileges } = privileges;
  expect(await observe(admin, account('part', 'x'))).toEqual({ ...nothing, databasePrivileges });
  await remove(admin, account('part', 'x'));
});

test('a wrong password, another name in the certificate and an unknown authority end the login', async () => {
  const wrong = await open({ password: 'wrong-password' }).catch((error: Error) => error);
  expect(wrong).toMatchObject({ code: 'AZ_DATABASE', failure: 'login' });
  expect(String(wrong)).not.toContain('wrong-password');
  await expect(open({ host: 'other.mysql.database.azure.com' })).rejects.toMatchObject({ failure: 'unreachable' });
});

test('a cancelled run ends its connection', async () => {
  const stop = new AbortController();
  const connection = await open({}, { signal: stop.signal });
  const sleeping = connection.query('SELECT SLEEP(60)');
  stop.abort(new Error('the run is cancelled'));
  await expect(sleeping).rejects.toThrow('the run is cancelled');
});

test('an answer beyond the limit of bytes ends the connection with the reason', async () => {
  const connection = await open();
  await expect(connection.query("SELECT REPEAT('x', 3000000)")).rejects.toThrow('sent more than 2 MiB');
  await connection.close();
});
