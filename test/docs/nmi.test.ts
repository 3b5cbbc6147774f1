import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { nmiReferenceTables } from '../../tools/nmi-reference.ts';

test.each(Object.entries(nmiReferenceTables()))('docs/reference/nmi.md has exactly the %s of the code', (_, table) => {
  expect(readFileSync('docs/reference/nmi.md', 'utf8')).toContain(`\n\n${table}\n\n`);
});
