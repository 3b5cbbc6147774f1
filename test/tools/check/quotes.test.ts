import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { hasTitle, pathProblems, problemOf, quotesOf } from '../../../tools/check/quotes.ts';

const page = 'docs/guides/threat-model.md';
const file = 'test/tools/check/quotes.test.ts';

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
  [{ file, title: ['a title', 'of nobody'].join(' ') }, 'which test/tools/check/quotes.test.ts does not have'],
])('a link that no longer leads to its test is reported with its place: %#', (quote, words) => {
  expect(problemOf({ page, line: 7, ...quote })).toEqual(expect.stringContaining(`${page}:7`));
  expect(problemOf({ page, line: 7, ...quote })).toContain(words);
});

test('the threat model links to more than a hundred tests, which exist', () => {
  const quotes = quotesOf(page, readFileSync(page, 'utf8'));
  expect(quotes.length).toBeGreaterThan(100);
  expect(quotes.flatMap((quote) => problemOf(quote) ?? [])).toEqual([]);
});

test('a path that does not exist, and a name that its file has not, are reported with their place', () => {
  const absent = ['no', 'such', 'name'].join('');
  const row = (path: string, name: string) => `| question | \`${path}\` | \`${name}\` |`;
  const text = [row(file, 'pathProblems'), row(file, absent), 'see `runtime/gone.ts` and `runtime/*.ts`'];
  expect(pathProblems('README.md', text.join('\n'))).toEqual([
    `README.md:2 says that ${file} has \`${absent}\`, which it has not: write the present name`,
    'README.md:3 names runtime/gone.ts, which does not exist: write its present path',
  ]);
});

test('architecture.md says where the ten things are that a newcomer asks for first', () => {
  const text = readFileSync('docs/architecture.md', 'utf8');
  const rows = text.split('\n').filter((line) => /\| `[^`]+\.ts` \| `[^`]+` \|$/.test(line));
  const questions = ['decides to send a PUT', 'poll URL', 'Ready condition', 'cache a token', 'address become a pod'];
  const additions = ['kind', 'flag', 'metric', 'error code', 'guide'].map((what) => ` add an? ${what}\\b`);
  for (const question of [...questions, ...additions])
    expect([question, rows.some((row) => new RegExp(question).test(row))]).toEqual([question, true]);
  expect(pathProblems('docs/architecture.md', text)).toEqual([]);
});
