import { expect, test } from '@jest/globals';
import { normalizePassword, normalizeText, normalizeTexts } from '../../../runtime/base/text/normalize.ts';

test.each([
  ['a line feed', 'id\n'],
  ['blanks and a carriage return', '  id \r\n'],
  ['a blank that does not break', '\u00a0id\u00a0'],
  ['a character of no width', '\u200bid\u2060'],
  ['a mark of byte order', '\ufeffid'],
  ['the direction that a dialog of Windows adds', '\u202aid\u202c'],
  ['the direction that a chat adds', '\u2068id\u2069'],
  ['a soft hyphen and a control', '\u00adid\u0085'],
  ['nothing', 'id'],
])('%s around an id does not count', (_, text) => {
  expect(normalizeText(text)).toBe('id');
});

test('what is inside a text stays, and a text of blanks is empty', () => {
  expect(normalizeText('a\u200b b')).toBe('a\u200b b');
  expect(normalizeText(' \n\u200b')).toBe('');
});

test('a password keeps its blanks, and loses line feeds at its end only', () => {
  expect(normalizePassword('\n pass word \r\n')).toBe('\n pass word ');
});

test('the texts of a value are normalised at every depth, names of members too', () => {
  const value = { ' a ': ['b\n', 1, null, { c: ' d' }], e: true };
  expect(normalizeTexts(value)).toEqual({ a: ['b', 1, null, { c: 'd' }], e: true });
});

test('a long text of blanks before a letter costs no more than its length', () => {
  const text = `${' '.repeat(2_000_000)}a${' '.repeat(2_000_000)}b`;
  expect(normalizeText(text)).toHaveLength(2_000_002);
});
