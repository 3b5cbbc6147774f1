import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const print = "console.log(require('node:module').getCompileCacheDir() ?? 'none')";

/** The folder of the compiled code of a process that loads `bin/compile-cache.js` of this package. */
async function folderOf(directory: string): Promise<string> {
  const args = ['--import', join(directory, 'bin/compile-cache.js'), '--eval', print];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: {} });
  return stdout.trim();
}

test('compiled code is kept beside the packages, in a clone and in an app', async () => {
  expect(await folderOf(root)).toContain(join(root, 'node_modules/.cache/azimuth'));
  const app = mkdtempSync(join(tmpdir(), 'azimuth-app-'));
  try {
    const installed = join(app, 'node_modules/azimuth');
    mkdirSync(installed, { recursive: true });
    cpSync(join(root, 'bin'), join(installed, 'bin'), { recursive: true });
    cpSync(join(root, 'package.json'), join(installed, 'package.json'));
    expect(await folderOf(installed)).toContain(join(app, 'node_modules/.cache/azimuth'));
  } finally {
    rmSync(app, { recursive: true });
  }
});

test('a plan without a cluster loads no HTTP client', async () => {
  const script = [
    'const loaded = [];',
    "require('node:module').registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });",
    "import(process.argv[1]).then(() => console.log(loaded.filter((url) => url.includes('/undici/')).length));",
  ].join('\n');
  const args = ['--eval', script, join(root, 'runtime/cli/commands/plan.ts')];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: {} });
  expect(stdout.trim()).toBe('0');
});
