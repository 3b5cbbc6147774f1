import { expect, test } from '@jest/globals';
import { Decisions } from '../../runtime/nmi/decisions.ts';

test('a change ends the decisions that depend on it and no others, and ended decisions leave nothing', () => {
  const decisions = new Decisions<string>();
  const both = decisions.add('both', ['a', 'b']);
  const other = decisions.add('other', ['b', 'c']);
  decisions.invalidate('a');
  expect([both.valid, other.valid]).toEqual([false, true]);
  decisions.invalidate('unknown');
  expect(decisions.size).toBe(2);
  decisions.invalidate('b');
  expect([other.valid, other.value, decisions.size]).toEqual([false, 'other', 0]);
});
