import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/** Former words, and the words that the project's documentation uses in their place. */
const former: readonly (readonly [pattern: RegExp, write: string])[] = [
  [/\bAAD\b(?![ -]Pod[ -]Identity)/, 'Microsoft Entra ID'],
  [/\b(?:made[- ]up|makes up)\b/, 'generated'],
  [/\b(?:verdicts?|judges?|judged)\b/, 'condition, check'],
  [/\bvouch(?:es|ed)?\b/, 'authenticate'],
  [/\b(?:hand|hands|handed) out\b/, 'issue, grant'],
  [/\bborrow(?:s|ed)?\b/, "the operator's own credential"],
  [/\bat rest\b/, 'in sync, idle'],
  [/\b(?:looks?|looked) (?:again|anew|after|at)\b/, 'read, check, reconcile'],
  [/\b(?:mend|mends|mended|remedy|set right)\b/, 'fix, repair'],
  [/\b(?:let|lets) go of\b/, 'release, remove the finalizer'],
  [/\b(?:anew|afresh)\b/, 'again, new'],
  [/\b(?:gives?|given|giving) out\b/, 'issue, reuse'],
  [/\btold\b/, 'reported; distinguished'],
];

/** The prose of a page: without code and targets of links, and with each run of blanks as one, so that a phrase may go over a line's end. */
const proseOf = (text: string) =>
  text
    .replaceAll(/^```.*?^```/gms, '')
    .replaceAll(/\]\([^)\s]+(?: "[^"]*")?\)/g, ']')
    .replaceAll(/`[^`]*`/g, '`')
    .replaceAll(/\s+/g, ' ');

const foundIn = (name: string, text: string) =>
  former.flatMap(([pattern, write]) =>
    [...text.matchAll(new RegExp(pattern, 'gi'))].map(
      ({ 0: word, index }) => `${name}: "${text.slice(Math.max(0, index - 30), index + 30)}": ${word}; write: ${write}`,
    ),
  );

const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/**/*.md')];

test('README, guides, decision records and reference pages have none of the former words', () => {
  expect(pages.length).toBeGreaterThan(40);
  expect(pages.flatMap((page) => foundIn(page, proseOf(readFileSync(page, 'utf8'))))).toEqual([]);
});

/** The comments of a TypeScript file, without code in backquotes. */
const commentsOf = (text: string) =>
  [...text.matchAll(/\/\*\*?([\s\S]*?)\*\/|^\s*\/\/(.*)$/gm)]
    .map(([, block = '', line = '']) => block.replaceAll(/^\s*\*/gm, '') + line)
    .join('\n')
    .replaceAll(/`[^`]*`/g, '`')
    .replaceAll(/\s+/g, ' ');

test('comments of the programs have none of the former words', () => {
  const files = globSync('{runtime,constructs,stacks}/**/*.ts').filter((file) => !file.includes('/generated/'));
  expect(files.length).toBeGreaterThan(500);
  expect(files.flatMap((file) => foundIn(file, commentsOf(readFileSync(file, 'utf8'))))).toEqual([]);
});

/** The titles of a file's tests and groups. */
const titlesOf = (text: string) =>
  [...text.matchAll(/(?:\b(?:test|describe|[a-z]+ing)|[\])}`])\(\s*(['"`])(.*?)\1, (?:async )?\(/g)]
    .map(([, , title = '']) => title)
    .join('\n');

test('titles of tests have none of the former words', () => {
  const files = globSync('test/**/*.test.ts');
  const titles = files.map((file) => [file, titlesOf(readFileSync(file, 'utf8'))] as const);
  expect(titles.flatMap(([, text]) => text.split('\n')).length).toBeGreaterThan(3000);
  expect(titles.flatMap(([file, text]) => foundIn(file, text))).toEqual([]);
});
