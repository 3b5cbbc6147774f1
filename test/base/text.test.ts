import { expect, test } from '@jest/globals';
import { tryParseDuration } from '../../runtime/base/duration.ts';
import { onOneLine, trimEndOf, trimOf } from '../../runtime/base/text.ts';

test('characters are taken off the ends', () => {
  expect(trimEndOf('https://a/b//', '/')).toBe('https://a/b');
  expect(trimEndOf('///', '/')).toBe('');
  expect(trimOf('-.a-b.-', '-.')).toBe('a-b');
  expect(trimOf('--', '-')).toBe('');
});

test('lines become one, as a pattern would join them', () => {
  for (const text of ['a', 'a\nb', 'a  \r\n  b', 'a\n\n \n b ', '\na', 'a\n', ' a \n b \n c ']) {
    expect(onOneLine(text)).toBe(text.replaceAll(/\s*\n\s*/g, ' '));
  }
});

test('a text of a million characters takes no longer than it is long', () => {
  const million = 1_000_000;
  expect(trimEndOf(`${'/'.repeat(million)}x`, '/')).toHaveLength(million + 1);
  expect(onOneLine(`${' '.repeat(million)}x${' '.repeat(million)}\ny`)).toHaveLength(million + 3);
  expect(tryParseDuration('1'.repeat(million))).toBeUndefined();
});
