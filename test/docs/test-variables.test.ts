import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

test('the page of tests names each variable of the environment that tests and tools read', () => {
  const page =
    readFileSync('docs/reference/tests.md', 'utf8').split('## Environment variables\n')[1]?.split('\n## ')[0] ?? '';
  const named = new Set([...page.matchAll(/`((?:AZIMUTH|BENCH|KUBE)_[A-Z_]+)`/g)].map(([, name]) => name));
  const read = globSync(['jest.config.js', 'test/**/*.{ts,js}', 'tools/**/*.{ts,sh}']).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/process\.env\['((?:AZIMUTH|BENCH)_[A-Z_]+)'\](?! =)/g)].map(
      ([, name = '']) => ({ file, name }),
    ),
  );
  expect(read.length).toBeGreaterThan(20);
  expect(read.filter(({ name }) => !named.has(name))).toEqual([]);
});
