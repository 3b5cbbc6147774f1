import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { importFlags, importHelp } from '../../runtime/import/config.ts';

test('the guide and the help list exactly the flags of the import', () => {
  const page = readFileSync('docs/guides/importing.md', 'utf8');
  const rows = [...page.matchAll(/^\| `--([a-z]+)` \| (.*) \| (?:`(.*)`)? ?\|$/gm)].map(([, ...cells]) => cells);
  const wanted = Object.entries(importFlags).map(([name, { meaning, default: fallback }]) => [name, meaning, fallback]);
  expect(rows).toEqual(wanted);
  for (const name of Object.keys(importFlags)) expect(importHelp()).toContain(`--${name}`);
});
