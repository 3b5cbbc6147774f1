import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { movedFieldReference } from '../../tools/reference/moved-fields.ts';

test('the page of fields that Azure moves is made from the table of the code', () => {
  expect(readFileSync('docs/reference/moved-fields.md', 'utf8')).toBe(movedFieldReference());
});
