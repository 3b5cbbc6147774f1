import type { JsonObject } from '../../base/json.ts';
import { checkRowCount, limitClause } from '../answer-limits.ts';
import { DatabaseError } from '../error.ts';
import type { Account, AccountDialect, Connection } from '../types.ts';
import { connect } from './connect.ts';
import { quoteIdentifier, quoteLiteral } from './quoting.ts';
import { scramVerifier } from './scram-verifier.ts';

/** The options of a role by their names in the spec: the column of pg_roles and the word of ALTER ROLE. */
const roleOptions = {
  login: ['rolcanlogin', 'LOGIN'],
  createRole: ['rolcreaterole', 'CREATEROLE'],
  createDb: ['rolcreatedb', 'CREATEDB'],
  replication: ['rolreplication', 'REPLICATION'],
} as const;

interface Role {
  readonly options: Readonly<Record<string, boolean>>;
  /** Names of the roles that it is a member of, sorted. */
  readonly roles: readonly string[];
}

/** Roles of PostgreSQL: one transaction, so that a refused statement changes nothing. */
export const postgresqlRoles: AccountDialect = {
  port: 5432,
  database: 'postgres',
  connect,
  observe: async (connection, { name }) => {
    checkLength(name);
    const role = await readRole(connection, name);
    return role && { roles: [...role.roles], roleOptions: { ...role.options } };
  },
  apply: async (connection, account) => {
    await connection.query('BEGIN');
    try {
      await applyRole(connection, account);
    } catch (error) {
      await connection.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
    await connection.query('COMMIT');
  },
  remove: async (connection, { name }) => {
    await connection.query(`DROP ROLE IF EXISTS ${quoteIdentifier(name)}`);
  },
};

/** PostgreSQL cuts a longer name short, and would change another role. */
function checkLength(name: string): void {
  if (Buffer.byteLength(name) <= 63 && !name.includes('\0')) return;
  const message = `A name in PostgreSQL has at most 63 bytes in UTF-8 and no NUL: shorten ${JSON.stringify(name)}`;
  throw new DatabaseError({ cause: 'invalid', message });
}

async function applyRole(connection: Connection, { name, properties, password }: Account): Promise<void> {
  const declaredRoles = stringsOf(properties['roles']);
  for (const each of [name, ...declaredRoles]) checkLength(each);
  const liveRole = await readRole(connection, name);
  await checkRolesExist(connection, declaredRoles);
  const user = quoteIdentifier(name);
  const options = optionWords(properties['roleOptions'], liveRole?.options);
  const verb = liveRole ? 'ALTER' : 'CREATE';
  const verifier = await scramVerifier(password);
  await connection.query(`${verb} ROLE ${user} WITH ${[...options, `PASSWORD ${quoteLiteral(verifier)}`].join(' ')}`);
  const current = liveRole?.roles ?? [];
  const list = (names: readonly string[]) => names.map(quoteIdentifier).join(', ');
  const added = declaredRoles.filter((role) => !current.includes(role));
  const surplus = current.filter((role) => !declaredRoles.includes(role));
  if (added.length > 0) await connection.query(`GRANT ${list(added)} TO ${user}`);
  if (surplus.length > 0) await connection.query(`REVOKE ${list(surplus)} FROM ${user}`);
  // PostgreSQL only warns where another role granted the membership.
  const left = (await readRole(connection, name))?.roles.filter((role) => !declaredRoles.includes(role)) ?? [];
  if (left.length === 0) return;
  const message = `The membership in ${left.join(', ')} cannot be revoked: another administrator granted it`;
  throw new DatabaseError({ cause: 'refused', message });
}

/** The words for the options that differ from `current`; those of a new role are false. */
function optionWords(declared: unknown, current: Readonly<Record<string, boolean>> = {}): string[] {
  const values = (declared ?? {}) as JsonObject;
  return Object.entries(roleOptions).flatMap(([name, [, word]]) => {
    const value = values[name] === true;
    if (value === (current[name] ?? false)) return [];
    return [value ? word : `NO${word}`];
  });
}

async function readRole(connection: Connection, name: string): Promise<Role | undefined> {
  const columns = Object.entries(roleOptions).map(([option, [column]]) => `${column} AS "${option}"`);
  const [row] = await connection.query(`SELECT ${columns.join(', ')} FROM pg_catalog.pg_roles WHERE rolname = $1`, [
    name,
  ]);
  if (!row) return undefined;
  // Since PostgreSQL 16 several administrators may grant the same membership.
  const rows = await connection.query(
    `SELECT DISTINCT granted.rolname AS "name" FROM pg_catalog.pg_auth_members AS membership
       JOIN pg_catalog.pg_roles AS granted ON granted.oid = membership.roleid
       JOIN pg_catalog.pg_roles AS member ON member.oid = membership.member
      WHERE member.rolname = $1 ${limitClause}`,
    [name],
  );
  const roles = checkRowCount(rows, `memberships of ${name}`)
    .map((each) => String(each['name']))
    .sort();
  const options = Object.fromEntries(Object.keys(roleOptions).map((option) => [option, row[option] === true]));
  return { options, roles };
}

async function checkRolesExist(connection: Connection, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const rows = await connection.query('SELECT rolname AS "name" FROM pg_catalog.pg_roles WHERE rolname = ANY($1)', [
    [...names],
  ]);
  const roleNames = new Set(rows.map((row) => row['name']));
  const missing = names.filter((name) => !roleNames.has(name));
  if (missing.length === 0) return;
  const message = `The server has no role ${missing.join(', ')}: create it first, or take it out of spec.roles`;
  throw new DatabaseError({ cause: 'refused', message });
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
