import { expect, test } from '@jest/globals';
import {
  generatePassword,
  generateUserName,
  passwordLength,
  userNameLength,
} from '../../../runtime/operator/credentials/password.ts';

/** The rules of Azure SQL, PostgreSQL and MySQL, as their documentation has them. */
function refused(password: string, userName: string): string | undefined {
  if (password.length < 8 || password.length > 128) return 'length';
  const kinds = [/[A-Z]/, /[a-z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((kind) => kind.test(password)).length;
  if (kinds < 3) return 'complexity';
  const name = userName.toLowerCase();
  for (let at = 0; at + 3 <= name.length; at += 1) {
    if (password.toLowerCase().includes(name.slice(at, at + 3))) return 'part of the login name';
  }
  return undefined;
}
const reserved =
  /^(admin|administrator|sa|root|guest|public|dbo|dbmanager|loginmanager|azure_superuser|azure_pg_admin|pg_.*)$/;

test('every password fits the rules of the three services, and none comes twice', () => {
  const seen = new Set<string>();
  for (let turn = 0; turn < 3000; turn += 1) {
    const userName = generateUserName();
    const password = generatePassword(userName);
    expect(refused(password, userName)).toBeUndefined();
    expect(password).toMatch(/^[A-Za-z][A-Za-z0-9._-]{31}$/);
    seen.add(password);
  }
  expect(seen.size).toBe(3000);
});

test('a password shares no three characters with a name that a user chose', () => {
  // So many parts that most random strings have one of them.
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const name = [...letters].flatMap((a) => [...letters].slice(0, 8).map((b) => `${a}${b}e`)).join('');
  for (let turn = 0; turn < 20; turn += 1) expect(refused(generatePassword(name), name)).toBeUndefined();
});

test('a user name is made of letters, fits MySQL, and is not one that Azure reserves', () => {
  for (let turn = 0; turn < 1000; turn += 1) {
    const name = generateUserName();
    expect(name).toMatch(/^[a-z]+$/);
    expect(name).toHaveLength(userNameLength);
    expect(name).not.toMatch(reserved);
  }
});

test('no character is likelier than another', () => {
  const counts = new Map<string, number>();
  const turns = 4000;
  for (let turn = 0; turn < turns; turn += 1) {
    for (const character of generatePassword('').slice(1)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const letters = [...counts].filter(([character]) => /[A-Za-z]/.test(character)).map(([, count]) => count);
  expect(letters).toHaveLength(52);
  const mean = letters.reduce((sum, count) => sum + count, 0) / letters.length;
  // Modulo bias over a byte would make some a third likelier; the spread of chance stays below a tenth.
  for (const count of letters) expect(Math.abs(count - mean) / mean).toBeLessThan(0.15);
  expect(generatePassword('')).toHaveLength(passwordLength);
});
