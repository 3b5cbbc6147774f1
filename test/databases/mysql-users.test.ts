import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { quoteIdentifier, quoteText } from '../../runtime/databases/mysql/quoting.ts';
import { mysqlUsers } from '../../runtime/databases/mysql/users.ts';
import type { Account, Connection, Row } from '../../runtime/databases/types.ts';

/** A connection that records statements; `answer` gives the rows. */
function recorder(answer: (statement: string) => readonly Row[] = () => []) {
  const sent: (readonly [string, readonly unknown[]])[] = [];
  const connection: Connection = {
    query: async (statement, values = []) => {
      sent.push([statement.replaceAll(/\s+/g, ' '), values]);
      return answer(statement);
    },
    close: async () => undefined,
  };
  return { connection, writes: () => sent.map(([text]) => text).filter((text) => !text.startsWith('SELECT')) };
}
const account = (name: string, more: object = {}, password = 'pw'): Account => ({
  name,
  password,
  properties: { hostname: '%', privileges: [], databasePrivileges: [], ...more },
});

test('whatever a text contains, it stays one token and keeps its value, as backslashes mean nothing', () => {
  const units = fc.constantFrom('"', "'", '\\', '`', ';', '-', '#', '*', '\n', 'a', 'é');
  fc.assert(
    fc.property(fc.string({ unit: units }), (text) => {
      expect(/^'((?:[^']|'')*)'$/s.exec(quoteText(text))?.[1]?.replaceAll("''", "'")).toBe(text);
      expect(/^`((?:[^`]|``)*)`$/s.exec(quoteIdentifier(text))?.[1]?.replaceAll('``', '`')).toBe(text);
    }),
  );
  expect(() => quoteText('a\0')).toThrow(RangeError);
});

test('a user of Entra ID is created under its alias, by which privileges and the deletion name it', async () => {
  const { connection, writes } = recorder();
  const user = account("o'brien@contoso.com", { aadUser: { alias: "al'ias" }, privileges: ['PROCESS'] });
  await mysqlUsers.apply(connection, user);
  await mysqlUsers.remove(connection, user);
  expect(writes()).toEqual([
    "CREATE AADUSER 'o''brien@contoso.com' AS 'al''ias'",
    "GRANT PROCESS ON *.* TO 'al''ias'@'%'",
    "DROP USER IF EXISTS 'al''ias'@'%'",
  ]);
});

test('an existing user of Entra ID is not created again, and gets no password', async () => {
  const { connection, writes } = recorder((statement) => (statement.includes('mysql.user') ? [{ 1: 1 }] : []));
  await mysqlUsers.apply(connection, account('app', { aadUser: {} }));
  expect(writes()).toEqual([]);
});

test('surplus privileges are revoked, and none where ALL is declared', async () => {
  const { connection, writes } = recorder((statement) =>
    statement.includes('USER_PRIVILEGES')
      ? [{ word: 'PROCESS' }, { word: 'USAGE' }]
      : statement.includes('SCHEMA_PRIVILEGES')
        ? [{ place: 'db', word: 'INSERT' }]
        : [{ 1: 1 }],
  );
  const all = { databasePrivileges: [{ database: 'db', privileges: ['ALL'] }] };
  await mysqlUsers.apply(connection, account('app', all));
  expect(writes()).toEqual([
    "ALTER USER 'app'@'%' IDENTIFIED BY 'pw'",
    "REVOKE PROCESS ON *.* FROM 'app'@'%'",
    "GRANT ALL ON `db`.* TO 'app'@'%'",
  ]);
});

test.each([
  "SELECT ON *.* TO 'x'",
  'PROCESS, SUPER',
  'SELECT; DROP',
  'PROXY ON root TO evil',
  'SELECT --',
  'GRANT OPTION WITH',
])('the privilege %s is refused before a statement', async (word) => {
  const { connection, writes } = recorder();
  const refused = mysqlUsers.apply(connection, account('app', { privileges: [word] }));
  await expect(refused).rejects.toMatchObject({ failure: expect.stringMatching(/^(invalid|partial)$/) });
  expect(writes().join()).not.toMatch(/GRANT/);
});

test.each(['', 'x'.repeat(33), "a'@'b", 'emoji😀', 'end ', 'n\0l'])('the name %j is refused', async (name) => {
  const { connection, writes } = recorder();
  await expect(mysqlUsers.apply(connection, account(name))).rejects.toMatchObject({ failure: 'invalid' });
  expect(writes()).toEqual([]);
});

test('a privilege that is no word is refused before the account is made', async () => {
  const { connection, writes } = recorder();
  const refused = mysqlUsers.apply(connection, account('app', { privileges: ['SELECT; DROP'] }));
  await expect(refused).rejects.toMatchObject({ failure: 'invalid' });
  expect(writes()).toEqual([]);
});

test.each([
  ['a user of Entra ID from one host', { aadUser: {}, hostname: '10.0.0.1' }, 'takes no hostname'],
  ['a host that looks like another account', { hostname: 'x@%' }, 'leave out @'],
  [
    'more databases than the operator takes',
    {
      databasePrivileges: Array.from({ length: 1001 }, (_, index) => ({
        database: `db${index}`,
        privileges: ['SELECT'],
      })),
    },
    'at most 1000 databases',
  ],
])('%s is refused', async (_, properties, message) => {
  const { connection, writes } = recorder();
  const refused = mysqlUsers.apply(connection, account('app', properties));
  await expect(refused).rejects.toMatchObject({ failure: 'invalid', message: expect.stringContaining(message) });
  expect(writes()).toEqual([]);
});

test('an account with privileges in more databases than that is left as it is', async () => {
  const rows = Array.from({ length: 1001 }, (_, index) => ({ place: `db${index}`, word: 'SELECT' }));
  const { connection, writes } = recorder((statement) => (statement.includes('SCHEMA_PRIVILEGES') ? rows : [{ 1: 1 }]));
  await expect(mysqlUsers.apply(connection, account('app'))).rejects.toMatchObject({
    failure: 'partial',
    message: expect.stringContaining('more than 1000 databases'),
  });
  expect(writes()).toEqual(["ALTER USER 'app'@'%' IDENTIFIED BY 'pw'"]);
});
