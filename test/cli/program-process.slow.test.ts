import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ProgramProcess } from '../../runtime/cli/demo/programs/program-process.ts';
import { eventually } from '../fakes/eventually.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'azimuth-program-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('a program that ends is reported with its last output', async () => {
  const program = new ProgramProcess(['nmi', '--no-such-flag'], {}, join(directory, 'nmi.log'));
  await expect(program.ready(1)).rejects.toThrow(/azimuth nmi ended with \d+; see .*nmi\.log.*no-such-flag/s);
});

test.each(['SIGTERM', 'SIGKILL'] as const)('no program outlives the process that started it: %s', async (signal) => {
  const pidFile = join(directory, `pid-${signal}`);
  const bin = join(directory, 'endless.mjs');
  writeFileSync(
    bin,
    `import { writeFileSync } from 'node:fs'; setInterval(() => {}, 1000); writeFileSync(process.argv[2], String(process.pid));`,
  );
  const starter = `
    import { ProgramProcess } from ${JSON.stringify(resolve('runtime/cli/demo/programs/program-process.ts'))};
    new ProgramProcess([${JSON.stringify(pidFile)}], {}, ${JSON.stringify(join(directory, 'endless.log'))}, { bin: ${JSON.stringify(bin)} });
    process.once('SIGTERM', () => process.exit(143));
  `;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', starter], { stdio: 'ignore' });
  const ended = once(parent, 'exit');
  await eventually('the program runs', () => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '');
  const pid = Number(readFileSync(pidFile, 'utf8'));
  expect(isAlive(pid)).toBe(true);
  parent.kill(signal);
  await ended;
  await eventually('the program is gone', () => !isAlive(pid));
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
