import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

test('npx azimuth in a clone writes nothing but the manifests to standard output', async () => {
  const env = { ...process.env, ...azure.env(), NODE_EXTRA_CA_CERTS: join(directory, 'ca.pem') };
  const out = await new Promise<string>((resolve) => {
    execFile('npx', ['azimuth', 'import', '-r', group], { env }, (_, text) => resolve(text));
  });
  expect(out).toMatch(/^---\n# \/subscriptions/);
});

test('what is not imported is named, and the exit code says so', async () => {
  const { code, out, err } = await run(['--output', 'cdk8s', group, `${group}/providers/Microsoft.Cache/redis/none`]);
  expect(code).toBe(1);
  expect(out).toContain('new resources.ResourceGroup(chart, ');
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

/** What standard error has of an import in this environment, without the variables of a credential. */
const importWith = (env: NodeJS.ProcessEnv, ...flags: string[]) =>
  new Promise<string>((resolve) => {
    const argv = ['runtime/cli/azimuth.ts', 'import', ...flags, group];
    execFile(process.execPath, argv, { env: { PATH: process.env['PATH'], ...env } }, (_, __, text) => resolve(text));
  });

test('without a credential it says how to sign in', async () => {
  // None of a machine, which would be asked for seconds.
  const env = { AZURE_TOKEN_CREDENTIALS: 'EnvironmentCredential' };
  expect(await importWith(env)).toMatch(/No credential of this computer signed in: sign in with `az login`/);
  const noMachine = { AZURE_POD_IDENTITY_AUTHORITY_HOST: 'http://127.0.0.1:1' };
  const message = /no credential is set: sign in with `az login` and leave --credential out/;
  expect(await importWith(noMachine, '--credential=environment')).toMatch(message);
});

test('the account of az is found without a flag, as DefaultAzureCredential of @azure/identity does', async () => {
  const { AZURE_CLIENT_ID: _, AZURE_CLIENT_SECRET: __, ...cloud } = azure.env();
  const portal = new TestClient(azure);
  const answer = { accessToken: await portal.token(), expires_on: Math.floor(Date.now() / 1000) + 3600 };
  await portal.close();
  const bin = join(directory, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'answer.json'), JSON.stringify(answer));
  writeFileSync(join(bin, 'az'), `#!/bin/sh\ncase "$*" in *get-access-token*) cat ${bin}/answer.json ;; esac\n`);
  chmodSync(join(bin, 'az'), 0o755);
  const env = {
    ...cloud,
    NODE_EXTRA_CA_CERTS: join(directory, 'ca.pem'),
    PATH: `${bin}:${process.env['PATH']}`,
    AZURE_TOKEN_CREDENTIALS: 'dev',
  };
  expect(await importWith(env)).toBe('azimuth: 1 imported\n');
  expect(await importWith(env, '--credential=azure-cli')).toBe('azimuth: 1 imported\n');
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
  expect(code).toBe(1);
  expect(err).toContain(named);
});
