import { expect, test } from '@jest/globals';
import { documentedFiles, undocumented } from '../../../tools/check/docstrings.ts';

test('every form of an exported declaration needs a docstring directly above it', () => {
  const text = [
    'export const a = 1;',
    '/* No docstring. */',
    'export async function b() {}',
    '// No docstring either.',
    'export interface C {}',
    '/** Too far away. */',
    '',
    'export type D = string;',
    'export abstract class E {}',
    'export enum F {}',
    'export default function () {}',
  ].join('\n');
  expect(undocumented('x.ts', text)).toEqual(
    ['1: a', '3: b', '5: C', '8: D', '9: E', '10: F', '11: default'].map((each) => `x.ts:${each}`),
  );
});

test('a docstring above passes, also above several lines, an overload and a declaration that is not exported', () => {
  const text = [
    '/** The file. */',
    "import { x } from './x.ts';",
    '/**',
    ' * Several lines.',
    ' */',
    'export const a = x;',
    '/** Overloaded. */',
    'export function f(one: string): void;',
    'export function f(one: number): void;',
    'export function f() {}',
    'const own = 1;',
    "export { own } from './own.ts';",
    "export * from './all.ts';",
  ].join('\n');
  expect(undocumented('x.ts', text)).toEqual([]);
});

test('generated files do not count', () => {
  const files = documentedFiles();
  expect(files).toContain('tools/check/docstrings.ts');
  expect(files.filter((file) => file.includes('generated'))).toEqual([]);
});
