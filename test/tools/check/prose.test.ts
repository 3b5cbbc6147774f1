import { expect, test } from '@jest/globals';
import { endColumn, longLines } from '../../../tools/check/prose.ts';

const words = (length: number) => 'word '.repeat(length / 5).padEnd(length, '.');

test('a line of prose that reaches the end column is reported by its number, also in a list and a heading', () => {
  expect(longLines(`${words(endColumn - 1)}\n${words(endColumn)}`)).toEqual([2]);
  expect(longLines(`- ${words(endColumn)}\n# ${words(endColumn)}\n1. short`)).toEqual([1, 2]);
  expect(longLines(words(endColumn - 1).replace('word', '…ord'))).toEqual([]);
});

test('rows of tables, code blocks, and lines that are one link are not reported', () => {
  const long = words(200);
  expect(longLines(`| ${long} |\n  | ${long} |`)).toEqual([]);
  expect(
    longLines(`\`\`\`sh\n${long}\n\`\`\`\n   ~~~\n${long}\n   ~~~\n\n[${long}](x)\n- https://${'x'.repeat(200)}`),
  ).toEqual([]);
  expect(longLines(`\`\`\`\n${long}\n\`\`\`\n${long}`)).toEqual([4]);
  expect(longLines(`([text](x "${long}")),`)).toEqual([]);
  expect(longLines(`[${long}](x) and more`)).toEqual([1]);
});
