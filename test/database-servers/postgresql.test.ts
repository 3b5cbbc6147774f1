import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { postgresqlRoles } from '../../runtime/databases/postgresql/roles.ts';
import type { Account, Connection, Login } from '../../runtime/databases/types.ts';
import { type DatabaseServer, startPostgres } from './postgres-server.ts';

const host = 'srv.postgres.database.azure.com';
const { connect, observe, apply, remove } = postgresqlRoles;
const defaults = { login: true, createRole: false, createDb: false, replication: false };
let server: DatabaseServer;
let admin: Connection;

const login = (more: Partial<Login> = {}): Login => ({
  host,
  port: 5432,
  database: 'postgres',
  user: 'boss',
  password: server.password,
  ...more,
});
const open = (more: Partial<Login> = {}, options: object = {}) =>
  connect(login(more), { signal: new AbortController().signal, secrets: [], ...server.route, ...options });
const account = (name: string, password: string, more: object = {}): Account => ({
  name,
  password,
  properties: { roles: [], roleOptions: defaults, ...more },
});
/** Logs in as the account, and asks the server who that is. */
async function whoIs(user: string, password: string): Promise<unknown> {
  const connection = await open({ user, password });
  try {
    return (await connection.query('SELECT current_user::text AS "me"'))[0]?.['me'];
  } finally {
    await connection.close();
  }
}

beforeAll(async () => {
  server = await startPostgres(host);
  admin = await open();
});
afterAll(async () => {
  await admin?.close();
  await server?.stop();
});

test('names and passwords with every quote are created, log in, are changed and dropped', async () => {
  const quotes = fc.constantFrom(
    '"',
    "'",
    '\\',
    '`',
    '[',
    ']',
    '$',
    '$$',
    ';',
    '--',
    '/*',
    '%',
    ' ',
    'a',
    'A',
    'é',
    '😀',
  );
  const texts = fc.array(quotes, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));
  const passwords = texts.map((text) => `${text}x`);
  await fc.assert(
    fc.asyncProperty(texts, passwords, passwords, async (text, first, second) => {
      const name = `u${text}`;
      expect(await observe(admin, account(name, first))).toBeUndefined();
      await apply(admin, account(name, first));
      expect(await observe(admin, account(name, first))).toEqual({ roles: [], roleOptions: defaults });
      expect(await whoIs(name, first)).toBe(name);
      await apply(admin, account(name, second));
      expect(await whoIs(name, second)).toBe(name);
      if (first !== second) await expect(whoIs(name, first)).rejects.toThrow('28P01');
      await remove(admin, account(name, second));
      expect(await observe(admin, account(name, second))).toBeUndefined();
    }),
    { numRuns: 30 },
  );
});

test('options and memberships become as declared, several at once, also of a role that cannot log in', async () => {
  const groups = ['Group "one"', "group'two", 'group three'];
  for (const name of groups) await apply(admin, account(name, 'x', { roleOptions: { ...defaults, login: false } }));
  const wanted = {
    roles: [...groups].sort(),
    roleOptions: { login: false, createRole: true, createDb: true, replication: true },
  };
  for (let times = 0; times < 2; times++) {
    await apply(admin, account('member', 'x', wanted));
    expect(await observe(admin, account('member', 'x'))).toEqual(wanted);
  }
  await apply(admin, account('member', 'x'));
  expect(await observe(admin, account('member', 'x'))).toEqual({ roles: [], roleOptions: defaults });
  for (const name of ['member', ...groups]) await remove(admin, account(name, 'x'));
});

test('a refused part changes nothing, and the connection goes on', async () => {
  const missing = account('half', 'x', { roles: ['nobody'] });
  await expect(apply(admin, missing)).rejects.toThrow('The server has no role nobody');
  const reserved = account('pg_half', 'secret-password');
  const error = await apply(admin, reserved).catch((thrown: Error) => thrown);
  expect(String(error)).toContain('SQLSTATE 42939');
  expect(String(error)).not.toContain('secret-password');
  expect(await observe(admin, missing)).toBeUndefined();
  await expect(apply(admin, account('é'.repeat(32), 'x'))).rejects.toThrow('at most 63 bytes');
});

test('the log of every statement never has a password', async () => {
  for (const password of ['first-literal', 'second-literal']) await apply(admin, account('logged', password));
  expect(await whoIs('logged', 'second-literal')).toBe('logged');
  await remove(admin, account('logged', 'x'));
  for (const statement of ['CREATE ROLE', 'ALTER ROLE']) expect(server.log()).toContain(`${statement} "logged"`);
  expect(server.log()).not.toMatch(/(first|second)-literal/);
});

test('a role that owns objects is not dropped, and the reason is given', async () => {
  await apply(admin, account('owner', 'x'));
  await admin.query('CREATE SCHEMA things AUTHORIZATION owner');
  await expect(remove(admin, account('owner', 'x'))).rejects.toThrow('cannot be dropped because some objects depend');
  await admin.query('DROP SCHEMA things');
  await remove(admin, account('owner', 'x'));
  await remove(admin, account('owner', 'x'));
});

test('a wrong password, another name in the certificate and an unknown authority end the login', async () => {
  const wrong = await open({ password: 'wrong-password' }).catch((error: Error) => error);
  expect(wrong).toMatchObject({ code: 'AZ_DATABASE', failure: 'login' });
  expect(String(wrong)).not.toContain('wrong-password');
  await expect(open({ host: 'other.postgres.database.azure.com' })).rejects.toMatchObject({ failure: 'unreachable' });
  await expect(open({}, { ca: undefined })).rejects.toThrow(/certificate/);
});

test('a cancelled run ends its connection', async () => {
  const stop = new AbortController();
  const connection = await open({}, { signal: stop.signal });
  const sleeping = connection.query('SELECT pg_sleep(60)');
  stop.abort(new Error('the run is cancelled'));
  await expect(sleeping).rejects.toThrow('the run is cancelled');
});

test('an answer beyond the limit of bytes ends the connection with the reason', async () => {
  const connection = await open();
  await expect(connection.query("SELECT repeat('x', 3000000)")).rejects.toThrow('sent more than 2 MiB');
  await connection.close();
});

test('tables of the administrator do not stand for those of the server', async () => {
  await admin.query('CREATE SCHEMA lies');
  await admin.query('CREATE TABLE lies.pg_roles AS SELECT * FROM pg_catalog.pg_roles WHERE false');
  await admin.query('ALTER ROLE boss SET search_path = lies, pg_catalog');
  const connection = await open();
  expect(await connection.query('SHOW search_path')).toEqual([{ search_path: 'pg_catalog' }]);
  expect(await observe(connection, account('boss', 'x'))).toBeDefined();
  await connection.close();
  await admin.query('ALTER ROLE boss RESET search_path');
  await admin.query('DROP SCHEMA lies CASCADE');
});
