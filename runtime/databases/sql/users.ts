import { checkRowCount, mostRows } from '../answer-limits.ts';
import { DatabaseError } from '../error.ts';
import type { AccountDialect, Connection } from '../types.ts';
import { connect } from './connect.ts';

/**
 * Contained users of an Azure SQL database. Every name and the password is a parameter, and the server itself quotes
 * them: `QUOTENAME` for names, doubled quotes for the password.
 */
export const sqlUsers: AccountDialect = {
  port: 1433,
  database: undefined,
  connect,
  observe: async (connection, { name }) => {
    checkName(name);
    return (await exists(connection, name)) ? { roles: await rolesOf(connection, name) } : undefined;
  },
  apply: async (connection, { name, properties, password }) => {
    const declaredRoles = Array.isArray(properties['roles']) ? properties['roles'].map(String) : [];
    for (const each of [name, ...declaredRoles]) checkName(each);
    const isPresent = await exists(connection, name);
    await checkRolesExist(connection, declaredRoles);
    const current = isPresent ? await rolesOf(connection, name) : [];
    const added = declaredRoles.filter((role) => !has(current, role));
    const surplus = current.filter((role) => !has(declaredRoles, role));
    const { statement, values } = changeStatement({ name, password, isPresent, added, surplus });
    await connection.query(statement, values);
  },
  remove: async (connection, { name }) => {
    checkName(name);
    if (!(await exists(connection, name))) return;
    const statement = `DECLARE @sql nvarchar(max) = N'DROP USER ' + QUOTENAME(@p0); EXEC (@sql);`;
    await connection.query(statement, [name]);
  },
};

/** The changes of one user: one batch and one transaction, so that a refused part changes nothing. */
function changeStatement(change: {
  readonly name: string;
  readonly password: string;
  readonly isPresent: boolean;
  readonly added: readonly string[];
  readonly surplus: readonly string[];
}): { readonly statement: string; readonly values: readonly string[] } {
  const { name, password, isPresent: found, added, surplus } = change;
  const values = [name, password];
  const member = (role: string, verb: 'ADD' | 'DROP') => {
    values.push(role);
    return `SET @sql = N'ALTER ROLE ' + QUOTENAME(@p${values.length - 1}) + N' ${verb} MEMBER ' + QUOTENAME(@p0); EXEC (@sql);`;
  };
  const lines = [
    'SET XACT_ABORT ON; BEGIN TRANSACTION; DECLARE @sql nvarchar(max);',
    `SET @sql = N'${found ? 'ALTER' : 'CREATE'} USER ' + QUOTENAME(@p0) + N' WITH PASSWORD = N''' + REPLACE(@p1, N'''', N'''''') + N''''; EXEC (@sql);`,
    ...added.map((role) => member(role, 'ADD')),
    ...surplus.map((role) => member(role, 'DROP')),
    'COMMIT TRANSACTION;',
  ];
  return { statement: lines.join('\n'), values };
}

/** Throws where the name belongs to something else than a user with a password: a role, or a user of Entra ID. */
async function exists(connection: Connection, name: string): Promise<boolean> {
  const statement = 'SELECT TOP (1) name, RTRIM(type) AS type FROM sys.database_principals WHERE name = @p0';
  const [row] = await connection.query(statement, [name]);
  // Most collations compare without regard to case, some without regard to accents, width or trailing spaces.
  if (row && row['name'] !== name) {
    const message = `The database writes the name ${JSON.stringify(row['name'])}: write spec.azureName in the same way`;
    throw new DatabaseError({ cause: 'invalid', message });
  }
  if (!row || row['type'] === 'S') return row !== undefined;
  const message = `${name} is a principal of type ${String(row['type'])} in the database and no user with a password`;
  throw new DatabaseError({ cause: 'invalid', message: `${message}: set another spec.azureName` });
}

async function rolesOf(connection: Connection, name: string): Promise<string[]> {
  const rows = await connection.query(
    `SELECT TOP (${mostRows + 1}) role.name AS name FROM sys.database_role_members AS membership
       JOIN sys.database_principals AS role ON role.principal_id = membership.role_principal_id
       JOIN sys.database_principals AS member ON member.principal_id = membership.member_principal_id
      WHERE member.name = @p0`,
    [name],
  );
  return checkRowCount(rows, `roles of ${name}`)
    .map((row) => String(row['name']))
    .sort();
}

async function checkRolesExist(connection: Connection, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const rows = await connection.query(
    `SELECT TOP (${mostRows + 1}) name FROM sys.database_principals WHERE type = 'R'`,
  );
  const roleNames = checkRowCount(rows, 'roles').map((row) => String(row['name']));
  const missing = names.filter((name) => !has(roleNames, name));
  if (missing.length === 0) return;
  const message = `The database has no role ${missing.join(', ')}: create it first, or take it out of spec.roles`;
  throw new DatabaseError({ cause: 'refused', message });
}

const has = (names: readonly string[], name: string) => names.includes(name);

/** QUOTENAME has no value for a longer name, and a statement without a value does nothing. */
function checkName(name: string): void {
  if (name.length > 0 && name.length <= 128 && !name.includes('\0')) return;
  const message = `A name in SQL Server has 1 to 128 characters and no NUL: shorten ${JSON.stringify(name)}`;
  throw new DatabaseError({ cause: 'invalid', message });
}
