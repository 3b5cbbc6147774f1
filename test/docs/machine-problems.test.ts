import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { problemTable } from '../../runtime/compute/problems/problem-names.ts';

test('docs/reference/machine-problems.md lists exactly the problems of the code', () => {
  const page = readFileSync('docs/reference/machine-problems.md', 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, name, meaning]) => [name, meaning]);
  expect(rows).toEqual(Object.entries(problemTable));
});

test('each problem of the table is reported somewhere', () => {
  const files = globSync('runtime/compute/**/*.ts').filter((file) => !file.endsWith('problem-names.ts'));
  const code = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  expect(Object.keys(problemTable).filter((name) => !code.includes(`'${name}'`))).toEqual([]);
});
