import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { importFlags, importHelp } from '../../runtime/import/config.ts';

test('the guide and the help list exactly the flags of the import', () => {
  const page = readFileSync('docs/guides/importing.md', 'utf8');
  const rows = [...page.matchAll(/^\| `--([a-z]+)` \| (.*) \| (?:`(.*)`)? ?\|$/gm)].map(([, ...cells]) => cells);
  const flags = Object.values(importFlags);
  const wanted = flags.map(({ flag, meaning, default: fallback }) => [flag, meaning, fallback || undefined]);
  expect(rows).toEqual(wanted);
  for (const { flag } of flags) expect(importHelp()).toContain(`--${flag}`);
});
