import { expect, test } from '@jest/globals';
import { coverageTables, hasCode } from '../../tools/coverage.ts';

const counts = (covered: number, total: number) => ({ covered, total });

test('lines and branches are summed up by folder, and files of which little is covered are listed', () => {
  const tables = coverageTables({
    'runtime/kube/client/watch.ts': { lines: counts(99, 100), branches: counts(3, 4) },
    'runtime/kube/client/deep/part.ts': { lines: counts(100, 100), branches: counts(0, 0) },
    'runtime/cli/nmi.ts': { lines: counts(4, 10), branches: counts(0, 1) },
  });
  expect(tables).toContain('| `runtime/kube/client` | 2 | 99 % | 75 % |');
  expect(tables).toContain('| all | 3 | 96 % | 60 % |');
  expect(tables).toMatch(/\| file \| lines \|\n\|---\|---\|\n\| `runtime\/cli\/nmi\.ts` \| 40 % \|$/);
});

test('a file of types alone has no code that a test could run', () => {
  expect(
    hasCode(`/** A. */\nimport type { B } from './b.ts';\nexport interface A { b: B }\nexport * from './c.ts';`),
  ).toBe(false);
  expect(hasCode('export const a = 1;')).toBe(true);
});
