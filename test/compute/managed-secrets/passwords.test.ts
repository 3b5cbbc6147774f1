import { randomInt } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  checkPassword,
  generatedLengths,
  generatePassword,
  passwordAlphabet,
  passwordAnswer,
} from '../../../runtime/compute/managed-secrets/passwords.ts';

/** A repeatable source, so that the figures below do not change from run to run. */
function seeded(seed: number) {
  let state = seed;
  return (max: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * max);
  };
}

test('Windows accepts 8 to 123 characters and Linux 6 to 72', () => {
  const lengths = (os: 'Windows' | 'Linux', ...sizes: number[]) =>
    sizes.map((size) => checkPassword(os, `Ab1${'x'.repeat(size - 3)}`));
  expect(lengths('Windows', 7, 8, 123, 124)).toEqual(['length', 'ok', 'ok', 'length']);
  expect(lengths('Linux', 5, 6, 72, 73)).toEqual(['length', 'ok', 'ok', 'length']);
});

test('a letter of another alphabet is no special character, as .NET counts it among the letters', () => {
  expect(checkPassword('Linux', 'abcdefgh1é')).toBe('classes');
  expect(checkPassword('Linux', 'abcdefgh1€')).toBe('ok');
});

test('a refused word is refused in any case', () => {
  expect(checkPassword('Linux', 'p@SSW0RD')).toBe('disallowed');
  expect(passwordAnswer('Linux', 'p@SSW0RD')).toMatchObject({
    message: 'The Admin password specified is not allowed.',
  });
});

test('a tab is a control character', () => {
  expect(checkPassword('Linux', 'Ab1!xyz\tuvw')).toBe('control');
});

test("Azure's answer never has the password", () => {
  for (const password of ['Ab1!xyz', 'te12312312321', 'Ab1!\u0000xyzabc', 'P@ssw0rd']) {
    expect(JSON.stringify(passwordAnswer('Windows', password))).not.toContain(password);
  }
});

test('a generated password passes on both systems, at each length, and has all four classes', () => {
  const lengths = fc.integer({ min: generatedLengths.least, max: generatedLengths.most });
  fc.assert(
    fc.property(lengths, (length) => {
      const password = generatePassword(randomInt, length);
      expect(password).toHaveLength(length);
      expect([checkPassword('Linux', password), checkPassword('Windows', password)]).toEqual(['ok', 'ok']);
      for (const each of [/[a-z]/, /[A-Z]/, /[0-9]/, /[_.+]/]) expect(password).toMatch(each);
    }),
  );
});

test('the alphabet has no character that a shell, cmd, XML or a URL reads otherwise', () => {
  expect(new Set(passwordAlphabet).size).toBe(65);
  expect(passwordAlphabet).not.toMatch(/['"\\$`<>&% ]/);
});

test('no place of a password is more likely than another to hold a digit or a sign', () => {
  const source = seeded(20261);
  const counts = Array.from({ length: 12 }, () => ({ digit: 0, sign: 0 }));
  const made = 6000;
  for (let n = 0; n < made; n++) {
    for (const [place, character] of [...generatePassword(source, 12)].entries()) {
      const at = counts[place] as { digit: number; sign: number };
      if (/[0-9]/.test(character)) at.digit++;
      if (/[_.+]/.test(character)) at.sign++;
    }
  }
  // Five standard deviations of a binomial count around the mean of all places.
  for (const kind of ['digit', 'sign'] as const) {
    const mean = counts.reduce((sum, at) => sum + at[kind], 0) / counts.length;
    for (const at of counts) expect(Math.abs(at[kind] - mean)).toBeLessThan(5 * Math.sqrt(mean));
  }
});

test('the default length is 32, and lengths outside 12 to 72 are refused', () => {
  expect(generatePassword(randomInt)).toHaveLength(32);
  for (const length of [11, 73, 12.5, Number.NaN]) {
    expect(() => generatePassword(randomInt, length)).toThrow(/whole number of 12 to 72/);
  }
});

test('a source that is not random ends with an error, not in a loop or with a weak password', () => {
  expect(() => generatePassword(() => 0)).toThrow(/gave no password in 1000 tries/);
  for (const broken of [65, -1, 0.5, Number.NaN])
    expect(() => generatePassword(() => broken)).toThrow(/left the range/);
});
