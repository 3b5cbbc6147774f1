import { expect, test } from '@jest/globals';
import { problemsOf } from './outcome.ts';
import type { Outcome } from './scenarios.ts';

const held: Outcome = {
  resources: 1,
  goals: 3,
  wrongPuts: [],
  repeatedPuts: [],
  stuck: [],
  left: [],
  orphans: [],
  reusedTokens: 0,
  faults: 2,
  missed: [],
  what: 'a fault',
};

test.each([
  ['whose fault hit nothing', { faults: 0 }, 'the fault never took place'],
  ['of which one fault hit nothing', { missed: ['{"status":429}'] }, 'shows nothing; {"status":429}'],
  ['with a repeated PUT', { repeatedPuts: ['a', 'b'] }, 'repeatedPuts: a, b'],
  ['with a reused token', { reusedTokens: 1 }, 'writes without a token of their own: 1'],
])('a scenario %s has failed', (_, change, problem) => {
  expect(problemsOf({ ...held, ...change })).toEqual([expect.stringContaining(problem)]);
});

test('a scenario in which everything held has not failed', () => {
  expect(problemsOf(held)).toEqual([]);
});
