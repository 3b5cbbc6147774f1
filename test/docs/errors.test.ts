import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { errorTable } from '../../runtime/base/errors.ts';
import { errorReference } from '../../tools/reference/error-reference.ts';

test('docs/reference/errors.md lists exactly the errors of the code', () => {
  expect(readFileSync('docs/reference/errors.md', 'utf8')).toBe(errorReference(errorTable));
});
