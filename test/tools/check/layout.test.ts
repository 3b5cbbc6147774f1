import { expect, test } from '@jest/globals';
import {
  circles,
  crowdedFolders,
  importGraph,
  longFiles,
  longFunctions,
  mostFiles,
  mostFunctionLines,
  mostLines,
  mostTestLines,
} from '../../../tools/check/layout.ts';

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
});

test('a file has at most 270 lines, one of the tests at most 400; generated files may have more', () => {
  const lines = (count: number) => 'x\n'.repeat(count);
  const lengths: Record<string, number> = {
    'runtime/a.ts': mostLines,
    'runtime/b.ts': mostLines + 1,
    'test/a.test.ts': mostTestLines,
    'test/b.test.ts': mostTestLines + 1,
    'runtime/api/generated/c.ts': 2000,
  };
  expect(longFiles(Object.keys(lengths), (file) => lines(lengths[file] ?? 0))).toEqual([
    'runtime/b.ts: 271 lines, at most 270: split it by responsibility',
    'test/b.test.ts: 401 lines, at most 400: split it by responsibility',
  ]);
});

test('a function, a method and an arrow function have at most 60 lines', () => {
  const body = (lines: number) => '\n'.repeat(lines - 1);
  const text = [
    `function short() {${body(mostFunctionLines)}}`,
    `function long() {${body(mostFunctionLines + 1)}}`,
    `class Cache { async #load() {${body(mostFunctionLines + 1)}} }`,
    `const connect = async () => {${body(mostFunctionLines + 1)}};`,
    `const table = {${body(200)}};`,
  ].join('\n');
  const problem = (line: number, name: string) =>
    `runtime/a.ts:${line}: ${name} has 61 lines, at most 60: split it by what it makes`;
  expect(longFunctions('runtime/a.ts', text)).toEqual([
    problem(61, 'long'),
    problem(122, '#load'),
    problem(183, 'connect'),
  ]);
});
