import { expect, test } from '@jest/globals';
import { sqlFailure } from '../../runtime/databases/sql/connect.ts';
import { sqlUsers } from '../../runtime/databases/sql/users.ts';
import type { Account, Connection } from '../../runtime/databases/types.ts';

interface Database {
  readonly type?: string;
  /** As the database writes the name. @default as asked */
  readonly spelled?: string;
  readonly roles?: readonly string[];
  readonly memberOf?: readonly string[];
}

/** A database that answers the reads, and records what would change it. No SQL Server runs on Debian. */
function database({ type, spelled, roles = [], memberOf = [] }: Database) {
  const writes: { readonly statement: string; readonly values: readonly unknown[] }[] = [];
  const names = (all: readonly string[]) => all.map((name) => ({ name }));
  const connection: Connection = {
    query: async (statement, values = []) => {
      if (statement.includes('sys.database_role_members')) return names(memberOf);
      if (statement.includes("type = 'R'")) return names(roles);
      if (statement.startsWith('SELECT')) return type === undefined ? [] : [{ type, name: spelled ?? values[0] }];
      writes.push({ statement, values });
      return [];
    },
    close: async () => undefined,
  };
  return { connection, writes };
}
const account = (name: string, roles: readonly string[] = [], password = 'pw'): Account => ({
  name,
  password,
  properties: { roles },
});
const hostile = `a"b'c]d[e\`f\\g;--/*\n`;

test('names and password are parameters, which the server quotes, and no part of the statement', async () => {
  const { connection, writes } = database({ roles: ['db_owner', hostile] });
  await sqlUsers.apply(connection, account(hostile, ['db_owner', hostile], hostile));
  await sqlUsers.apply(connection, account('app', ['db_owner', hostile], 'other'));
  const [first, second] = writes;
  expect(first?.statement).toBe(second?.statement);
  expect(first?.values).toEqual([hostile, hostile, 'db_owner', hostile]);
  expect(first?.statement.split('\n')).toEqual([
    'SET XACT_ABORT ON; BEGIN TRANSACTION; DECLARE @sql nvarchar(max);',
    `SET @sql = N'CREATE USER ' + QUOTENAME(@p0) + N' WITH PASSWORD = N''' + REPLACE(@p1, N'''', N'''''') + N''''; EXEC (@sql);`,
    `SET @sql = N'ALTER ROLE ' + QUOTENAME(@p2) + N' ADD MEMBER ' + QUOTENAME(@p0); EXEC (@sql);`,
    `SET @sql = N'ALTER ROLE ' + QUOTENAME(@p3) + N' ADD MEMBER ' + QUOTENAME(@p0); EXEC (@sql);`,
    'COMMIT TRANSACTION;',
  ]);
});

test('an existing user is changed, with the roles that are missing and those that are too many', async () => {
  const { connection, writes } = database({ type: 'S', roles: ['a', 'b', 'c'], memberOf: ['a', 'b'] });
  await sqlUsers.apply(connection, account('app', ['b', 'c']));
  const [{ statement, values } = { statement: '', values: [] }] = writes;
  expect(values).toEqual(['app', 'pw', 'c', 'a']);
  expect(statement).toContain("N'ALTER USER '");
  expect(statement).toMatch(/@p2\) \+ N' ADD MEMBER '[\s\S]*@p3\) \+ N' DROP MEMBER '/);
  expect(await sqlUsers.observe(connection, account('app'))).toEqual({ roles: ['a', 'b'] });
});

test('a role that does not exist, and a name of another principal, change nothing', async () => {
  const user = database({ type: 'S', roles: ['a'] });
  await expect(sqlUsers.apply(user.connection, account('app', ['nobody']))).rejects.toThrow('no role nobody');
  const role = database({ type: 'R', roles: ['a'] });
  await expect(sqlUsers.apply(role.connection, account('a'))).rejects.toMatchObject({ failure: 'invalid' });
  await expect(sqlUsers.remove(role.connection, account('a'))).rejects.toThrow('principal of type R');
  await expect(sqlUsers.apply(user.connection, account('x'.repeat(129)))).rejects.toThrow('1 to 128 characters');
  expect([...user.writes, ...role.writes]).toEqual([]);
});

test('a user whose name the collation only takes for the same is another one, which is left alone', async () => {
  const { connection, writes } = database({ type: 'S', spelled: 'App', roles: ['a'] });
  for (const call of [sqlUsers.apply, sqlUsers.remove, sqlUsers.observe]) {
    await expect(call(connection, account('app'))).rejects.toMatchObject({
      failure: 'invalid',
      message: expect.stringContaining('The database writes the name "App"'),
    });
  }
  expect(writes).toEqual([]);
});

test('a deletion drops the user, and sends nothing where it is gone', async () => {
  const there = database({ type: 'S' });
  await sqlUsers.remove(there.connection, account(hostile));
  expect(there.writes).toEqual([
    { statement: "DECLARE @sql nvarchar(max) = N'DROP USER ' + QUOTENAME(@p0); EXEC (@sql);", values: [hostile] },
  ]);
  const absent = database({});
  await sqlUsers.remove(absent.connection, account('app'));
  expect([absent.writes, await sqlUsers.observe(absent.connection, account('app'))]).toEqual([[], undefined]);
});

test('errors say what the server said, without a secret and without a part of the statement', () => {
  const error = (number: number | undefined, message: string, code = 'EREQUEST') =>
    Object.assign(new Error(message), { number, code });
  const secrets = ['top-secret'];
  const of = (thrown: Error, doing: 'connect' | 'query') => sqlFailure(thrown, doing, 'srv:1433', secrets);
  expect(of(error(15151, 'Cannot drop top-secret'), 'query')).toMatchObject({
    failure: 'refused',
    message: 'SQL Server refused: Cannot drop *** (error 15151)',
  });
  const syntax = of(error(102, "Incorrect syntax near 'top-sec'"), 'query');
  expect(syntax.message).toBe('SQL Server refused: its syntax (error 102)');
  expect(of(error(undefined, 'socket hang up'), 'query')).toMatchObject({ failure: 'unknown' });
  expect(of(error(undefined, 'Login failed', 'ELOGIN'), 'connect')).toMatchObject({ failure: 'login' });
  expect(of(error(undefined, 'getaddrinfo', 'ESOCKET'), 'connect')).toMatchObject({ failure: 'unreachable' });
});
