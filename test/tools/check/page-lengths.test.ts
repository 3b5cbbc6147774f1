import { expect, test } from '@jest/globals';
import { problemOf, wordsOf } from '../../../tools/check/page-lengths.ts';

test('words are those that a reader sees: no targets of links, titles of tests, bars, dashes or bullets', () => {
  expect(wordsOf('# One two\n\n- three `four` – **five**\n')).toBe(5);
  expect(
    wordsOf('| one | two |\n|---|---|\n| [three](../a.md#b) | [four](../test/a.test.ts "not one of these") |'),
  ).toBe(4);
});

test('a page with a word too many is reported with its words and the limit, one with fewer is not', () => {
  expect(problemOf('docs/adr/0001.md', 'one two three', 3)).toBeUndefined();
  expect(problemOf('docs/adr/0001.md', 'one two three', 2)).toMatch('docs/adr/0001.md has 3 words, at most 2: ');
});
