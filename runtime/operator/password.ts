import { randomInt } from 'node:crypto';

const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const digits = '0123456789';
/** What RFC 3986 never escapes, without `~`, which shells expand: the password fits into URLs and connection strings. */
const signs = '-._';
const everything = lower + upper + digits + signs;

/** Characters of a password: 189 bits before the rules take some away, far inside Azure's 8 to 128. */
export const passwordLength = 32;
/** Characters of a user name. MySQL takes 32, the others more. */
export const userNameLength = 12;

/** One of each of these; Azure asks for three of them. */
const categories = [lower, upper, digits, signs];

/**
 * A password that Azure SQL, Azure Database for PostgreSQL and for MySQL take: all four kinds of characters, and no three
 * characters in a row that the user name has too. It begins with a letter. Every password that fits is equally likely:
 * one that does not fit is thrown away whole.
 */
export function makePassword(userName: string): string {
  for (;;) {
    const password = pick(lower + upper, 1) + pick(everything, passwordLength - 1);
    const complete = categories.every((category) => [...password].some((each) => category.includes(each)));
    if (complete && !sharesPart(password, userName)) return password;
  }
}

/**
 * A user name: lower-case letters, of which the first two keep it from being one of the names that Azure reserves (such as
 * admin, root or pg_...).
 */
export function makeUserName(): string {
  return `az${pick(lower, userNameLength - 2)}`;
}

function pick(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

function sharesPart(password: string, userName: string): boolean {
  const text = password.toLowerCase();
  const name = userName.toLowerCase();
  return Array.from({ length: Math.max(0, name.length - 2) }, (_, at) => name.slice(at, at + 3)).some((part) =>
    text.includes(part),
  );
}
