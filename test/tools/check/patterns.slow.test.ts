import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { patternsIn } from '../../../tools/check/patterns.ts';

const root = mkdtempSync(join(tmpdir(), 'azimuth-patterns-'));
afterAll(() => rmSync(root, { recursive: true }));

test('literals and what is made of texts are found, with their lines', () => {
  const text = "const a = /x\\/+$/g;\n// /no/\nconst b = '/no/';\nconst c = new RegExp(a.source, 'i');";
  expect(patternsIn('a.ts', text)).toEqual([
    { pattern: '/x\\/+$/g', line: 1 },
    { pattern: "new RegExp(a.source, 'i')", line: 4 },
  ]);
});

test('a pattern that is quadratic fails the gate with its place, a linear one does not', () => {
  mkdirSync(join(root, 'runtime'));
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  const run = (text: string) => {
    writeFileSync(join(root, 'runtime', 'a.ts'), text);
    return spawnSync(process.execPath, [resolve('tools/check/patterns.ts')], { cwd: root, encoding: 'utf8' });
  };
  const bad = run('export const slashes = /\\/+$/;\nexport const twice = /qq+$/;');
  expect(bad.status).toBe(1);
  expect(bad.stderr).toContain('runtime/a.ts:2: /qq+$/ takes more than linear time (2nd degree polynomial)');
  expect(run('export const linear = /^qq[0-9]+$/;').status).toBe(0);
});
