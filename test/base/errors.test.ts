import { expect, test } from '@jest/globals';
import { AzimuthError, expected, messageOf } from '../../runtime/base/errors.ts';

test('an error takes its retry default from the table, and an occurrence may say otherwise', () => {
  expect(new AzimuthError('AZ_ARM_UNREACHABLE', 'x').retryable).toBe(true);
  expect(new AzimuthError('AZ_ARM_UNREACHABLE', 'x', { retryable: false, retryAfterMs: 5 })).toMatchObject({
    retryable: false,
    retryAfterMs: 5,
    code: 'AZ_ARM_UNREACHABLE',
  });
});

test('a bad value is reported with what was expected and its type', () => {
  expect(expected('interval', 'a number >= 0', '-1').message).toBe(
    'Expected `interval` to be a number >= 0, got `-1` (string)',
  );
  expect(expected('interval', 'a number >= 0', undefined).message).toContain('got `undefined` (undefined)');
});

test('messages become one line', () => {
  expect(messageOf(new Error('a\n  b'))).toBe('a b');
  expect(messageOf('text')).toBe('text');
});
