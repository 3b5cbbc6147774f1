import { expect, test } from '@jest/globals';
// @ts-expect-error: JavaScript, as Jest loads it before it can read TypeScript
import NotRunReporter from '../not-run-reporter.js';

/** What the reporter prints for the tests of one file. */
function listOf(...tests: readonly { status: string; title: string; ancestorTitles?: string[] }[]): string {
  let list = '';
  const write = (text: string) => {
    list += text;
  };
  const testResults = [{ testFilePath: `${process.cwd()}/test/a.test.ts`, testResults: tests.map(withGroup) }];
  new NotRunReporter({}, { write }).onRunComplete(new Set(), { testResults });
  return list;
}

const withGroup = <T extends object>(result: T) => ({ ancestorTitles: [], ...result });

test('every skipped test is listed at the end of a run, with its reason where the title has one', () => {
  const list = listOf(
    { status: 'passed', title: 'works' },
    { status: 'pending', title: 'NOT RUN: it needs az' },
    { status: 'pending', title: 'x', ancestorTitles: ['with kubectl'] },
    { status: 'pending', title: 'y', ancestorTitles: ['with kubectl'] },
  );
  expect(list).toBe('\nNOT RUN:\n  test/a.test.ts: it needs az\n  test/a.test.ts: 2 skipped of: with kubectl\n');
});

test('nothing is printed where every test ran', () => {
  expect(listOf({ status: 'passed', title: 'works' })).toBe('');
});
