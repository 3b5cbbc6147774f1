import { isObject, type JsonObject } from '../../base/json.ts';
import { checkRowCount, limitClause } from '../answer-limits.ts';
import { DatabaseError } from '../error.ts';
import type { Connection } from '../types.ts';
import { quoteIdentifier } from './quoting.ts';

/** Privileges by place: `''` is the whole server, any other place a database. */
type Privileges = ReadonlyMap<string, readonly string[]>;

interface Grantee {
  readonly name: string;
  readonly host: string;
  readonly quoted: string;
}

/** In a list: every privilege of the place; nothing is revoked there. */
const all = 'ALL';

/** Databases with privileges of their own: each takes a statement of a run, which has two minutes. */
const mostDatabases = 1000;

/** The declared privileges, from complete properties. Throws DatabaseError for a word that is no privilege. */
export function wantedPrivileges(properties: JsonObject): Privileges {
  const { privileges, databasePrivileges } = properties;
  const lists = Array.isArray(databasePrivileges) ? databasePrivileges.filter(isObject) : [];
  if (lists.length > mostDatabases) {
    const message = `spec.databasePrivileges takes at most ${mostDatabases} databases, not ${lists.length}: use a pattern such as \`app%\``;
    throw new DatabaseError({ cause: 'invalid', message });
  }
  const declared = new Map([['', stringsOf(privileges)]]);
  for (const { database, privileges: own } of lists) declared.set(String(database), stringsOf(own));
  for (const word of [...declared.values()].flat()) checkWord(word);
  return declared;
}

/** A privilege stands unquoted in its statement: letters and spaces, and no word that begins another clause. */
function checkWord(word: string): void {
  const isWord = /^[A-Z_]{1,40}( [A-Z_]{1,40}){0,3}$/.test(word);
  if (isWord && !/(^| )(ON|TO|FROM|WITH|AS|REQUIRE|IDENTIFIED|PROXY)( |$)/.test(word)) return;
  const message = `${JSON.stringify(word)} is no privilege of MySQL: use words such as SELECT or CREATE VIEW`;
  throw new DatabaseError({ cause: 'invalid', message });
}

/** The privileges that the account has, in the form of complete properties. */
export async function readPrivileges(
  connection: Connection,
  user: Grantee,
  declared: Privileges,
): Promise<{ privileges: string[]; databasePrivileges: { database: string; privileges: string[] }[] }> {
  const current = await currentPrivileges(connection, user);
  const shown = (place: string) => {
    const granted = [...(current.get(place) ?? [])];
    return declared.get(place)?.includes(all) && granted.length > 0 ? [all] : granted.sort();
  };
  const databases = [...current.keys()].filter((place) => place !== '').sort();
  return {
    privileges: shown(''),
    databasePrivileges: databases.map((database) => ({ database, privileges: shown(database) })),
  };
}

/** Grants the missing privileges and revokes the surplus. An error in one place does not keep the others from it. */
export async function changePrivileges(connection: Connection, user: Grantee, declared: Privileges): Promise<void> {
  const current = await currentPrivileges(connection, user);
  const errors: unknown[] = [];
  for (const place of new Set([...declared.keys(), ...current.keys()])) {
    try {
      await changeIn(connection, user, place, declared.get(place) ?? [], current.get(place) ?? []);
    } catch (error) {
      errors.push(error);
      if (!(error instanceof DatabaseError) || error.failure !== 'refused') break;
    }
  }
  if (errors.length > 0) throw errors[0];
}

async function changeIn(
  connection: Connection,
  { quoted }: Grantee,
  place: string,
  declared: readonly string[],
  current: readonly string[],
): Promise<void> {
  const target = place === '' ? '*.*' : `${quoteIdentifier(place)}.*`;
  if (declared.includes(all)) {
    await connection.query(`GRANT ALL ON ${target} TO ${quoted}`);
    return;
  }
  const added = declared.filter((word) => !current.includes(word));
  const surplus = current.filter((word) => !declared.includes(word));
  if (added.length > 0) await connection.query(`GRANT ${added.join(', ')} ON ${target} TO ${quoted}`);
  if (surplus.length > 0) await connection.query(`REVOKE ${surplus.join(', ')} ON ${target} FROM ${quoted}`);
}

async function currentPrivileges(connection: Connection, { name, host }: Grantee): Promise<Map<string, string[]>> {
  // The columns compare without regard to case, and names of accounts do not.
  const values = [`'${name}'@'${host}'`];
  const isGrantee = 'CAST(GRANTEE AS BINARY) = CAST(? AS BINARY)';
  const server = await connection.query(
    `SELECT PRIVILEGE_TYPE AS word FROM information_schema.USER_PRIVILEGES WHERE ${isGrantee} ${limitClause}`,
    values,
  );
  const databases = await connection.query(
    `SELECT TABLE_SCHEMA AS place, PRIVILEGE_TYPE AS word FROM information_schema.SCHEMA_PRIVILEGES WHERE ${isGrantee} ${limitClause}`,
    values,
  );
  const rows = checkRowCount([...server.map((row) => ({ ...row, place: '' })), ...databases], `privileges of ${name}`);
  const privileges = new Map<string, string[]>();
  for (const { place, word } of rows) {
    // The right to log in, which every account has.
    if (word === 'USAGE') continue;
    const words = privileges.get(String(place));
    if (words) words.push(String(word));
    else privileges.set(String(place), [String(word)]);
  }
  const databaseCount = privileges.size - (privileges.has('') ? 1 : 0);
  if (databaseCount <= mostDatabases) return privileges;
  const message = `${name} has privileges in more than ${mostDatabases} databases: revoke some on the server`;
  throw new DatabaseError({ cause: 'refused', message });
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
