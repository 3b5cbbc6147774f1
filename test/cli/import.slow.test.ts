import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startEmbeddedAzure } from '../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../sandbox/azure/embedded-azure.ts';
import { TestClient } from '../sandbox/azure/client.ts';

let azure: EmbeddedAzure;
let directory: string;
let group: string;

beforeAll(async () => {
  azure = await startEmbeddedAzure();
  directory = mkdtempSync(join(tmpdir(), 'azimuth-import-'));
  writeFileSync(join(directory, 'ca.pem'), azure.caPem);
  group = `/subscriptions/${azure.subscriptionId}/resourceGroups/shop`;
  const portal = new TestClient(azure);
  await portal.arm('PUT', group, '2021-04-01', { location: 'westeurope' });
  await portal.close();
});
afterAll(async () => {
  await azure?.close();
  rmSync(directory, { recursive: true, force: true });
});

function run(argv: readonly string[], stdout: 'read' | 'close' = 'read') {
  const bin = join(import.meta.dirname, '..', '..', 'runtime', 'cli', 'azimuth.ts');
  const env = { ...process.env, ...azure.env(), NODE_EXTRA_CA_CERTS: join(directory, 'ca.pem') };
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const child = execFile(process.execPath, [bin, 'import', ...argv], { env }, (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out, err });
    });
    if (stdout === 'close') child.stdout?.destroy();
  });
}

test('manifests go to standard output and the count to standard error', async () => {
  const { code, out, err } = await run(['-r', '--label', 'team=a', '-n', 'apps', group]);
  expect({ code, err }).toEqual({ code: 0, err: 'azimuth: 1 imported\n' });
  expect(out).toMatch(/^---\n# \/subscriptions.*\napiVersion: resources.azure.com\/\w+\nkind: ResourceGroup\n/);
  expect(out).toContain('team: a');
  expect(out).toContain('namespace: apps');
});

test('what is not imported is named, and the exit code says so', async () => {
  const { code, out, err } = await run(['--output', 'cdk8s', group, `${group}/providers/Microsoft.Cache/redis/none`]);
  expect(code).toBe(1);
  expect(out).toContain("kind: 'resources.azure.com/ResourceGroup'");
  expect(err).toMatch(/redis\/none: .*404.*\nazimuth: 1 imported, 1 not or not in full\n$/);
});

test('a reader that ends before all is written is no crash, and the exit code says so', async () => {
  const portal = new TestClient(azure);
  const tags = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`t${index}`, 'x'.repeat(250)]));
  const names = Array.from({ length: 30 }, (_, index) => `${group}-${index}`);
  for (const id of names) await portal.arm('PUT', id, '2021-04-01', { location: 'westeurope', tags });
  await portal.close();
  const { code, err } = await run(names, 'close');
  expect({ code, err }).toEqual({
    code: 1,
    err: 'azimuth: standard output was closed before everything was written\n',
  });
});

test('without a credential it says how to sign in', async () => {
  const env = { PATH: process.env['PATH'], AZURE_POD_IDENTITY_AUTHORITY_HOST: 'http://127.0.0.1:1' };
  const err = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['runtime/cli/azimuth.ts', 'import', group], { env }, (_, __, text) => resolve(text));
  });
  expect(err).toMatch(/no credential is set: sign in with `az login` and add --credential=azure-cli/);
});

test.each([
  [['--output', 'xml', '/x'], '--output'],
  [['--label', 'team', '/x'], '--label'],
  [['--label', 'a team=a', '/x'], '--label'],
  [['--label', 'team=of one', '/x'], '--label'],
  [['--annotation', 'a/b/c=x', '/x'], '--annotation'],
  [['--namespace', 'My_Team', '/x'], '--namespace'],
  [['--workers', '0', '/x'], '--workers'],
  [[], 'ARM id'],
])('the arguments %j are refused with the flag named', async (argv, named) => {
  const { code, err } = await run(argv);
  expect(code).toBe(2);
  expect(err).toContain(named);
});
