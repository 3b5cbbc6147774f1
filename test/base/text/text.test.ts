import { expect, test } from '@jest/globals';
import { roughDuration, tryParseDuration } from '../../../runtime/base/duration.ts';
import { beginningOf, onOneLine, trimEndOf, trimOf } from '../../../runtime/base/text/text.ts';

test('characters are taken off the ends', () => {
  expect(trimEndOf('https://a/b//', '/')).toBe('https://a/b');
  expect(trimEndOf('///', '/')).toBe('');
  expect(trimOf('-.a-b.-', '-.')).toBe('a-b');
  expect(trimOf('--', '-')).toBe('');
});

test('of a text that is too long the beginning is left', () => {
  expect(beginningOf('abc', 3)).toBe('abc');
  expect(beginningOf('abcd', 3)).toBe('abc');
  expect(beginningOf('äöü', 2)).toBe('äö');
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

test('a span of time is written in its largest unit of which it has two', () => {
  const spans = [0, 119_999, 120_000, 7_199_999, 7_200_000, 500 * 3_600_000];
  expect(spans.map(roughDuration)).toEqual(['0 s', '119 s', '2 min', '119 min', '2 h', '500 h']);
});
