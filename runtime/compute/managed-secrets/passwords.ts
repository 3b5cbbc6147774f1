/**
 * Passwords of administrators: the check that Azure makes (facts of the @azure/arm-compute model and of the page of error
 * messages), and a generator whose passwords pass it, the portal, az and templates. Randomness comes from the caller.
 */
import { AzimuthError, expected } from '../../base/errors.ts';
import type { AzureAnswer, OsType } from '../problems/compute-problem.ts';

/** Characters (UTF-16 units, as .NET counts them) that Azure accepts, by operating system. */
export const passwordLengths: Readonly<Record<OsType, readonly [least: number, most: number]>> = {
  Windows: [8, 123],
  Linux: [6, 72],
};

/** Lengths of generated passwords: portal, az and templates want 12 at least, Linux takes 72 at most. */
export const generatedLengths = { least: 12, most: 72, default: 32 } as const;

/** Passwords that Azure refuses. Compared without regard to case, as the case rule is unknown. */
const refusedWords: ReadonlySet<string> = new Set(
  [
    'abc@123',
    'P@$$w0rd',
    'P@ssw0rd',
    'P@ssword123',
    'Pa$$word',
    'pass@word1',
    'Password!',
    'Password1',
    'Password22',
    'iloveyou!',
  ].map((word) => word.toLowerCase()),
);

/** `control` is a control character; `classes` fewer than three of four classes; `disallowed` a word of Azure's list. */
export type PasswordResult = 'ok' | 'length' | 'control' | 'classes' | 'disallowed';

// .NET's \w has letters, marks, decimal digits and connectors; the model's special characters are [\W_].
const classes = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^\p{L}\p{M}\p{N}\p{Pc}]|_/u];

/** The result of Azure's check of the password of an administrator. Length goes first, so that no long text is searched. */
export function checkPassword(os: OsType, password: string): PasswordResult {
  const [least, most] = passwordLengths[os];
  if (password.length < least || password.length > most) return 'length';
  if (/\p{Cc}/u.test(password)) return 'control';
  if (classes.filter((each) => each.test(password)).length < 3) return 'classes';
  return refusedWords.has(password.toLowerCase()) ? 'disallowed' : 'ok';
}

/** Azure's answer to a PUT with this password, without the password; undefined for one that it accepts. */
export function passwordAnswer(os: OsType, password: string): AzureAnswer | undefined {
  const result = checkPassword(os, password);
  if (result === 'ok') return undefined;
  const [least, most] = passwordLengths[os];
  const message =
    result === 'disallowed'
      ? 'The Admin password specified is not allowed.'
      : `The supplied password must be between ${least}-${most} characters long and must satisfy at least 3 of password ` +
        'complexity requirements from the following: 1) Contains an uppercase character 2) Contains a lowercase ' +
        'character 3) Contains a numeric digit 4) Contains a special character 5) Control characters are not allowed';
  return { when: 'Request', status: 400, code: 'InvalidParameter', message, target: 'adminPassword' };
}

/** A whole number of 0..max-1, each equally likely and unpredictable: `randomInt` of node:crypto. */
export type RandomInt = (max: number) => number;

const lower = 'abcdefghijklmnopqrstuvwxyz';
/**
 * 65 characters. The signs mean nothing to shells, cmd, XML and connection strings; 32 characters carry over 190 bits.
 */
export const passwordAlphabet = `${lower}${lower.toUpperCase()}0123456789_.+`;

/** Tries before a source of random numbers counts as broken; at length 12 a third of the tries succeeds. */
const maxTries = 1000;

/**
 * A new password. Each password of this length that has all four classes is equally likely: whole candidates are drawn
 * until one has them, so no place is more likely than another to hold a digit or a sign, and nothing needs a shuffle.
 * Throws AZ_CONFIG_INVALID for a length outside 12..72, and AZ_TERMINAL for a source that is not random.
 */
export function generatePassword(randomInt: RandomInt, length: number = generatedLengths.default): string {
  if (!isGeneratedLength(length)) {
    throw expected('length', `a whole number of ${generatedLengths.least} to ${generatedLengths.most}`, length);
  }
  for (let tries = 0; tries < maxTries; tries++) {
    const candidate = Array.from({ length }, () => characterOf(randomInt(passwordAlphabet.length))).join('');
    const hasAll = classes.every((each) => each.test(candidate));
    if (hasAll && checkPassword('Linux', candidate) === 'ok') return candidate;
  }
  throw new AzimuthError('AZ_TERMINAL', `The source of random numbers gave no password in ${maxTries} tries`);
}

/** Whether the generator makes passwords of this length. */
export function isGeneratedLength(length: number): boolean {
  return Number.isInteger(length) && length >= generatedLengths.least && length <= generatedLengths.most;
}

function characterOf(index: number): string {
  const character = Number.isInteger(index) ? passwordAlphabet[index] : undefined;
  if (character !== undefined) return character;
  throw new AzimuthError(
    'AZ_TERMINAL',
    `The source of random numbers left the range 0 to ${passwordAlphabet.length - 1}`,
  );
}
