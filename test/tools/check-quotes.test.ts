import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { hasTitle, problemOf, quotesOf } from '../../tools/check-quotes.ts';

const page = 'docs/guides/threat-model.md';
const file = 'test/tools/check-quotes.test.ts';

test('links to tests are found with their page, line and title, other links are not', () => {
  const text = `[guide](auditing.md "none")\n| a | [x](../../${file} "a title"), [y](../../test/other.ts) |`;
  expect(quotesOf(page, text)).toEqual([
    { page, line: 2, file, title: 'a title' },
    { page, line: 2, file: 'test/other.ts', title: undefined },
  ]);
});

test('a title counts where one string of the test has it, not where words of it are in several', () => {
  expect(hasTitle(`test('of (%s) it is so', f)`, 'it is so')).toBe(true);
  expect(hasTitle(`test("it's so", f)`, "it's so")).toBe(true);
  expect(hasTitle(`test('it is', f);\ntest('so', f)`, 'it is so')).toBe(false);
});

test.each([
  [{ file: 'test/gone.test.ts', title: 'x' }, 'which does not exist'],
  [{ file, title: undefined }, 'without a title'],
  [{ file, title: ['a title', 'of nobody'].join(' ') }, 'which test/tools/check-quotes.test.ts does not have'],
])('a link that no longer leads to its test is reported with its place: %#', (quote, words) => {
  expect(problemOf({ page, line: 7, ...quote })).toEqual(expect.stringContaining(`${page}:7`));
  expect(problemOf({ page, line: 7, ...quote })).toContain(words);
});

test('the threat model links to more than a hundred tests, which exist', () => {
  const quotes = quotesOf(page, readFileSync(page, 'utf8'));
  expect(quotes.length).toBeGreaterThan(100);
  expect(quotes.flatMap((quote) => problemOf(quote) ?? [])).toEqual([]);
});
