import { randomInt } from 'node:crypto';

const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const digits = '0123456789';
/**
 * The characters that RFC 3986 never escapes, without `~`, which shells expand: the password fits into URLs and
 * connection strings.
 */
const signs = '-._';
const everything = lower + upper + digits + signs;

/** Characters of a password: 189 bits before the rules exclude some; Azure accepts 8 to 128. */
export const passwordLength = 32;
/** Characters of a user name. MySQL accepts 32, the others more. */
export const userNameLength = 12;

/** A password has one character of each category; Azure requires three of them. */
const categories = [lower, upper, digits, signs];

/**
 * A password that Azure SQL, Azure Database for PostgreSQL and for MySQL accept: all four categories of characters,
 * and no three characters in a row that the user name has too. It begins with a letter. All such passwords are equally
 * likely, because a candidate that does not fit is discarded as a whole.
 */
export function generatePassword(userName: string): string {
  for (;;) {
    const password = pick(lower + upper, 1) + pick(everything, passwordLength - 1);
    const complete = categories.every((category) => [...password].some((each) => category.includes(each)));
    if (complete && !sharesPart(password, userName)) return password;
  }
}

/**
 * A user name of lower-case letters. The first two letters exclude the names that Azure reserves (such as admin, root
 * or pg_...).
 */
export function generateUserName(): string {
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
