import { expect, test } from '@jest/globals';
import { editDistance } from '../../../runtime/base/text/edit-distance.ts';

test.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['account', 'account', 0],
  ['acount', 'account', 1],
  ['accounts', 'account', 1],
  ['acccunt', 'account', 1],
  ['accuont', 'account', 1],
  ['kitten', 'sitting', 3],
])('from %j to %j it takes %i edits, either way', (from, to, edits) => {
  expect(editDistance(from, to)).toBe(edits);
  expect(editDistance(to, from)).toBe(edits);
});
