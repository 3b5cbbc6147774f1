import { globSync } from 'node:fs';
import { basename } from 'node:path';

/** The modules for people to import, by the path after `azimuth/`, with the source of each. */
export function entryPoints(): Readonly<Record<string, string>> {
  const kinds = globSync('constructs/generated/*.ts').sort();
  const groups = kinds
    .map((path) => [`kinds/${basename(path, '.ts')}`, path])
    .filter(([name]) => name !== 'kinds/index');
  return { index: 'constructs/index.ts', ...Object.fromEntries(groups) };
}
