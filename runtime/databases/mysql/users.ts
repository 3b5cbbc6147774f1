import { isObject, type JsonObject } from '../../base/json.ts';
import { DatabaseError } from '../error.ts';
import type { Account, AccountDialect, Connection } from '../types.ts';
import { connect } from './connect.ts';
import { changePrivileges, readPrivileges, wantedPrivileges } from './privileges.ts';
import { quoteText } from './quoting.ts';

/** An account of MySQL: a user name from a host. */
interface User {
  readonly name: string;
  readonly host: string;
  /** As statements name it. */
  readonly quoted: string;
}

/**
 * Users of MySQL. The server commits each statement by itself: where a later one is refused, the earlier ones stay, and
 * the next run continues.
 */
export const mysqlUsers: AccountDialect = {
  port: 3306,
  database: 'mysql',
  connect,
  observe: async (connection, account) => {
    const user = userOf(account);
    if (!(await exists(connection, user))) return undefined;
    const { hostname } = account.properties;
    return { ...(await readPrivileges(connection, user, wantedPrivileges(account.properties))), hostname };
  },
  apply: async (connection, account) => {
    const user = userOf(account);
    const declared = wantedPrivileges(account.properties);
    await createOrChange(connection, user, account);
    try {
      await changePrivileges(connection, user, declared);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.failure !== 'refused') throw error;
      throw new DatabaseError({ cause: 'partial', message: error.message });
    }
  },
  remove: async (connection, account) => {
    await connection.query(`DROP USER IF EXISTS ${userOf(account).quoted}`);
  },
};

async function createOrChange(connection: Connection, user: User, { name, properties, password }: Account) {
  const isPresent = await exists(connection, user);
  if (isObject(properties['aadUser'])) {
    // Azure's own statement: the name in Entra ID, and the name in MySQL.
    if (!isPresent) await connection.query(`CREATE AADUSER ${quoteText(name)} AS ${quoteText(user.name)}`);
    return;
  }
  await connection.query(`${isPresent ? 'ALTER' : 'CREATE'} USER ${user.quoted} IDENTIFIED BY ${quoteText(password)}`);
}

async function exists(connection: Connection, { name, host }: User): Promise<boolean> {
  const statement = 'SELECT 1 FROM mysql.user WHERE User = ? AND Host = ?';
  return (await connection.query(statement, [name, host])).length > 0;
}

/** Throws for a name that MySQL cannot store, or that another account's name in `information_schema` may look like. */
function userOf({ name, properties }: Account): User {
  const { aadUser, hostname } = properties as JsonObject;
  const alias = isObject(aadUser) ? aadUser['alias'] : undefined;
  const userName = typeof alias === 'string' ? alias : name;
  const host = typeof hostname === 'string' ? hostname : '%';
  const problem = problemOf(userName, 32) ?? problemOf(host, 255) ?? hostProblem(host, isObject(aadUser));
  if (problem !== undefined) throw new DatabaseError({ cause: 'invalid', message: problem });
  return { name: userName, host, quoted: `${quoteText(userName)}@${quoteText(host)}` };
}

/** The operator's own id for the account is name@host. */
function hostProblem(host: string, isOfEntra: boolean): string | undefined {
  if (isOfEntra && host !== '%') return 'A user of Entra ID takes no hostname: leave spec.hostname out';
  return host.includes('@') ? `${JSON.stringify(host)} is no host: leave out @` : undefined;
}

function problemOf(text: string, most: number): string | undefined {
  const shown = JSON.stringify(text);
  if (text === '' || [...text].length > most) return `MySQL takes 1 to ${most} characters, not those of ${shown}`;
  if (/[\0\u{10000}-\u{10ffff}]|'@'/u.test(text))
    return `MySQL cannot tell ${shown} apart: leave out NUL, emoji and '@'`;
  return text.endsWith(' ') ? `MySQL cuts the space off the end of ${shown}` : undefined;
}
