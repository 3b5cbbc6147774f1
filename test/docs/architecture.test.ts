import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { sourceFiles } from '../../tools/check/imports.ts';
import { importGraph } from '../../tools/check/layout.ts';

const page = readFileSync('docs/architecture.md', 'utf8');
const graph = importGraph(sourceFiles(), (file) => readFileSync(file, 'utf8'));

/** The files of each flow, by the flow's name. */
const flows = new Map(
  page
    .split('<!-- flow: ')
    .slice(1)
    .map((part): [string, string[]] => [
      part.split(' ')[0] ?? '',
      [...part.matchAll(/^\d+\. `([^`]+)`$/gm)].map(([, file = '']) => file),
    ]),
);

const neighbours = new Map<string, Set<string>>();
for (const [file, targets] of graph) {
  for (const target of targets) {
    neighbours.set(file, (neighbours.get(file) ?? new Set()).add(target));
    neighbours.set(target, (neighbours.get(target) ?? new Set()).add(file));
  }
}

/** Whether one file comes to the other by at most so many imports, in either direction. */
function isNear(from: string, to: string, imports: number): boolean {
  if (from === to) return true;
  return imports > 0 && [...(neighbours.get(from) ?? [])].some((next) => isNear(next, to, imports - 1));
}

test('the page has the four flows', () => {
  expect([...flows.keys()]).toEqual(['resource', 'token', 'mount', 'synth']);
});

test.each([...flows])('the files of the flow %s exist, and each is three imports at most from another', (_, files) => {
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  const loose = files.filter((file) => !files.some((one) => one !== file && isNear(one, file, 3)));
  expect(loose).toEqual([]);
});

test('the page names every program with its folder', () => {
  for (const [, folder = ''] of page.matchAll(/\| `(runtime\/[a-z]+)` \|/g)) expect(existsSync(folder)).toBe(true);
});
