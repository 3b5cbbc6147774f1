import { globSync, readFileSync } from 'node:fs';
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

test('commands of the guides are on the PATH, and no banner of npm comes before what they write into a file', () => {
  for (const path of ['README.md', ...globSync('docs/**/*.md')]) {
    const blocks = readFileSync(path, 'utf8').matchAll(/^```(?:sh|bash)?\n([\s\S]*?)^```/gm);
    const lines = [...blocks].flatMap(([, block = '']) => block.replaceAll('\\\n', ' ').split('\n'));
    const odd = lines.filter((line) => /^\s*(azimuth|node) /.test(line) || /^\s*npm run azimuth .* > /.test(line));
    expect({ path, odd }).toEqual({ path, odd: [] });
  }
});
