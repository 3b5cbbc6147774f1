import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';

interface Link {
  readonly page: string;
  readonly line: number;
  readonly target: string;
}

/** Links to files of the repository, `[text](path)`; addresses and anchors of the same page are left out. */
function links(page: string): Link[] {
  return readFileSync(page, 'utf8')
    .split('\n')
    .flatMap((text, index) =>
      [...text.matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)].map(([, target = '']) => {
        return { page, line: index + 1, target };
      }),
    )
    .filter(({ target }) => !/^(#|[a-z]+:)/.test(target));
}

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('{docs,examples}/**/*.md')];

test('every link between pages leads to a file, and to a heading where it names one', () => {
  const broken = pages.flatMap(links).filter(({ page, target }) => {
    const [path = '', anchor] = target.split('#');
    const file = join(dirname(page), path);
    if (!existsSync(file)) return true;
    if (anchor === undefined) return false;
    const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => anchorOf(text));
    return !headings.includes(anchor);
  });
  expect(broken).toEqual([]);
});

test('commands in the guides work from a fresh clone: azimuth is not on the PATH, and the Node.js there may be an old one', () => {
  const wrong = pages.flatMap((page) => {
    const blocks = [...readFileSync(page, 'utf8').matchAll(/^```[a-z]*\n([\s\S]*?)^```/gm)];
    const lines = blocks.flatMap(([, text = '']) => text.split('\n'));
    const bare = /^([^\s=]+=(?!\$\()\S+ )*azimuth \w|\$\(azimuth \w|(^|&& )node \S+\.ts/;
    // The banner of `npm run` would be the first lines of the file.
    const banner = /npm run (?!-s )azimuth\b.*[|>]/;
    return lines.filter((line) => bare.test(line) || banner.test(line)).map((line) => `${page}: ${line}`);
  });
  expect(wrong).toEqual([]);
});

test('the threat model names a test for each defence that it claims', () => {
  const rows = readFileSync('docs/guides/threat-model.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|') && line.split('|').length === 6 && !/^\|( attack |---)/.test(line));
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter((row) => !row.includes('](../../test/') && row.split('|')[2] !== ' none ')).toEqual([]);
});

test('CONTRIBUTING lists each npm script, and no other', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const rows = readFileSync('CONTRIBUTING.md', 'utf8').match(/^\| `.* \|$/gm) ?? [];
  const listed = rows.flatMap((row) =>
    [...row.matchAll(/`npm (?:run )?([A-Za-z:]+)[^`]*`/g)].map(([, name]) => name ?? ''),
  );
  expect(Object.keys(scripts).filter((name) => !listed.includes(name))).toEqual([]);
  expect(listed.filter((name) => !['ci', 'pack'].includes(name) && !(name in scripts))).toEqual([]);
});

test('the map links to every guide', () => {
  const linked = links('docs/index.md').map(({ target }) => join('docs', target.split('#')[0] ?? ''));
  expect(globSync('docs/guides/*.md').filter((guide) => !linked.includes(guide))).toEqual([]);
});
