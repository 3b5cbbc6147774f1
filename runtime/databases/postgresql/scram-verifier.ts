import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { DatabaseError } from '../error.ts';

const derive = promisify(pbkdf2);

/** PostgreSQL's own default: https://www.postgresql.org/docs/current/runtime-config-connection.html */
const iterations = 4096;

/** RFC 3454, tables B.1 (mapped to nothing) and C.1.2 (spaces other than U+0020). */
const mapped =
  /[\u00a0\u00ad\u1680\u1806\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff]|\u034f|[\u180b-\u180d]|[\ufe00-\ufe0f]/u;

/**
 * What PostgreSQL stores of a password for SCRAM-SHA-256 (RFC 5803): `SCRAM-SHA-256$<iterations>:<salt>$<stored
 * key>:<server key>`. The server takes it as the password in `CREATE ROLE` and `ALTER ROLE`, so that the password itself
 * is in no statement. The verifier has no quote and no backslash.
 *
 * @throws DatabaseError `invalid` for an empty password, NUL, and text that SASLprep (RFC 4013) may change
 */
export async function scramVerifier(password: string, salt = randomBytes(16)): Promise<string> {
  checkPassword(password);
  const salted = await derive(password, salt, iterations, 32, 'sha256');
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(keyed('Client Key')).digest('base64');
  const serverKey = keyed('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

/**
 * Clients normalize a password before they log in, unless it has a character that SASLprep forbids. Text that
 * normalization leaves alone is the same in both cases.
 */
function checkPassword(password: string): void {
  const invalid = (message: string) => new DatabaseError({ cause: 'invalid', message });
  if (password === '' || password.includes('\0')) {
    throw invalid(
      'A password in PostgreSQL has at least one character and no NUL: correct the Secret of spec.password',
    );
  }
  if (!mapped.test(password) && password.normalize('NFKC') === password) return;
  const message =
    'The password has characters that clients of PostgreSQL change before a login (special spaces, invisible or ' +
    'decomposed characters)';
  throw invalid(`${message}: set one in normalization form NFKC in the Secret of spec.password`);
}
