import { expect, test } from '@jest/globals';
import { circles, crowdedFolders, importGraph, mostFiles } from '../../tools/check-layout.ts';

const graph = (files: Record<string, string>) => importGraph(Object.keys(files), (file) => files[file] ?? '');

test('a circle of files is reported as the chain of its imports, imports of types included', () => {
  const files = {
    'a/x.ts': "import { y } from './y.ts';",
    'a/y.ts': "import type { Z } from '../b/z.ts';",
    'b/z.ts': "const { x } = await import('../a/x.ts');",
    'b/alone.ts': "import { z } from './z.ts';",
  };
  expect(circles(graph(files))).toEqual([['a/x.ts', 'a/y.ts', 'b/z.ts', 'a/x.ts']]);
});

test('two ways to one file are no circle', () => {
  const files = { 'x.ts': "import './y.ts';\nimport './z.ts';", 'y.ts': "import './z.ts';", 'z.ts': '' };
  expect(circles(graph(files))).toEqual([]);
});

test('a folder may have as many source files as a reader can survey; generated files do not count', () => {
  const many = (folder: string, count: number) => Array.from({ length: count }, (_, index) => `${folder}/${index}.ts`);
  expect(crowdedFolders([...many('runtime/a', mostFiles), ...many('runtime/api/generated/b', 90)])).toEqual([]);
  expect(crowdedFolders(many('sandbox/a', mostFiles + 1))).toEqual([
    `sandbox/a: ${mostFiles + 1} source files beside each other, at most ${mostFiles}`,
  ]);
  expect(crowdedFolders(many('tools', 40))).toEqual([]);
});
