/** `npx cdk8s-cli synth` in a clone, which has cdk8s.yaml but not the package cdk8s-cli. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { cdk8sCli } from '../fakes/npm-program.ts';

const run = promisify(execFile);

test('cdk8s synth writes the same files in a clone as main.ts', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-cdk8s-'));
  const [byCommand, byProgram] = [join(directory, 'command'), join(directory, 'program')];
  try {
    await run(process.execPath, [await cdk8sCli(), 'synth', '--check-upgrade=false', '--output', byCommand]);
    await run(process.execPath, ['main.ts', '--output', byProgram]);
    const filesOf = (folder: string) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((path) => statSync(join(folder, path)).isFile())
        .sort();
    const files = filesOf(byProgram);
    expect(filesOf(byCommand)).toEqual(files);
    expect(files.length).toBeGreaterThan(0);
    const text = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8');
    for (const file of files) expect(text(byCommand, file)).toBe(text(byProgram, file));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
