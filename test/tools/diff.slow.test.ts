import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const folder = mkdtempSync(join(tmpdir(), 'azimuth-diff-test-'));
const run = (script: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  spawnSync('node', [script, ...args], {
    env: { ...process.env, AZIMUTH_KINDS: 'resources.azure.com/*', ...env },
    encoding: 'utf8',
  });

beforeAll(() => {
  expect(run('main.ts', [], { CDK8S_OUTDIR: folder }).status).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a folder with the same synthesis has no difference', () => {
  const { status, stdout } = run('tools/diff.ts', [folder]);
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});

test('another image is shown as the line that changes, and ends with 1', () => {
  const { status, stdout } = run('tools/diff.ts', [folder], { AZIMUTH_IMAGE: 'registry.example/azimuth:9' });
  const changed = stdout.split('\n').filter((line) => /^[-+] /.test(line));
  expect(changed.map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
    expect.stringMatching(/^- image: azimuth:/),
    '+ image: registry.example/azimuth:9',
  ]);
  expect(status).toBe(1);
});

test('a manifest that the synthesis no longer writes is shown', () => {
  writeFileSync(join(folder, 'azimuth-former.k8s.yaml'), 'kind: ConfigMap\n');
  const { status, stdout } = run('tools/diff.ts', [folder]);
  expect(stdout).toContain('-kind: ConfigMap');
  expect(status).toBe(1);
});

test('a folder that does not exist is named, and no argument is an error', () => {
  expect(run('tools/diff.ts', ['nowhere'])).toMatchObject({ status: 2, stderr: expect.stringContaining('`nowhere`') });
  expect(run('tools/diff.ts', []).status).toBe(2);
  const environment = run('tools/diff.ts', [folder], { AZIMUTH_VERSIONS: 'latest' });
  expect(environment).toMatchObject({ status: 2, stderr: expect.stringContaining('Expected AZIMUTH_VERSIONS') });
});
