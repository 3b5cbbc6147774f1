import { expect, test } from '@jest/globals';
import { editsOf } from '../../../runtime/base/text/edit-distance.ts';

test.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['account', 'Account', 0],
  ['acount', 'account', 1],
  ['accounts', 'account', 1],
  ['acccunt', 'account', 1],
  ['accuont', 'account', 1],
  ['kitten', 'sitting', 3],
])('from %j to %j it takes %i edits, either way', (from, to, edits) => {
  expect(editsOf(from, to, 3)).toBe(edits);
  expect(editsOf(to, from, 3)).toBe(edits);
});

test('more edits than the most give none, however long a name is', () => {
  expect(editsOf('kitten', 'sitting', 2)).toBeUndefined();
  expect(editsOf('x'.repeat(1_000_000), 'account', 2)).toBeUndefined();
});
