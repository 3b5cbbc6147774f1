import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createDispatcher, type Dispatcher } from '../../runtime/base/http/client.ts';
import { sandboxConfig } from '../../runtime/cli/sandbox/config.ts';
import { request } from '../fakes/request.ts';

let directory: string;
let children: ChildProcess[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'azimuth-cli-'));
});

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  rmSync(directory, { recursive: true, force: true });
});

/** Runs the program as the bin does; `ended` resolves to its exit code. */
function start(...argv: string[]) {
  const bin = join(import.meta.dirname, '..', '..', 'runtime', 'cli', 'azimuth.ts');
  const child = spawn(process.execPath, [bin, 'sandbox', '--dir', directory, ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let output = '';
  const up = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('Interrupt (Ctrl-C)')) resolve(output);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => reject(new Error(`it ended:\n${output}`)));
  });
  up.catch(() => undefined);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { child, up, ended };
}

test('a command runs in its environment; its exit code is that of the sandbox', async () => {
  const faults = join(directory, 'faults.json');
  writeFileSync(faults, JSON.stringify([{ service: 'aad', status: 503, times: 0 }]));
  const script = `
    const { ARM_METADATA_HOSTNAME, AZURE_AUTHORITY_HOST, AZURE_RESOURCE_MANAGER_ENDPOINT, AZURE_TENANT_ID, KUBECONFIG } =
      process.env;
    const metadata = await fetch('https://' + ARM_METADATA_HOSTNAME + '/metadata/endpoints?api-version=2022-09-01');
    if ((await metadata.json()).resourceManager !== AZURE_RESOURCE_MANAGER_ENDPOINT) process.exit(2);
    const { status } = await fetch(AZURE_AUTHORITY_HOST + '/' + AZURE_TENANT_ID + '/oauth2/v2.0/token', { method: 'POST' });
    process.exit(status === 503 && KUBECONFIG ? 7 : 1);`;
  const { ended } = start('--fail', faults, '--', process.execPath, '--input-type=module', '-e', script);
  expect(await ended).toBe(7);
  expect(await start('--', 'sh', '-c', 'kill -TERM $$').ended).toBe(143);
  expect(await start('--fail', join(directory, 'none.json'), '--', 'true').ended).not.toBe(0);
  expect(await start('--').ended).not.toBe(0);
});

const environment = () =>
  Object.fromEntries(
    [...readFileSync(join(directory, 'azure.env'), 'utf8').matchAll(/^export (\w+)='(.*)'$/gm)].map(
      ([, name, value]) => [name, value],
    ),
  ) as Record<string, string>;

async function armToken(env: Record<string, string>, dispatcher: Dispatcher): Promise<string> {
  const { body } = await request(`${env['AZURE_AUTHORITY_HOST']}/${env['AZURE_TENANT_ID']}/oauth2/v2.0/token`, {
    method: 'POST',
    dispatcher,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: env['AZURE_CLIENT_ID'] ?? '',
      client_secret: env['AZURE_CLIENT_SECRET'] ?? '',
      scope: 'https://management.azure.com/.default',
    }).toString(),
  });
  return JSON.parse(await body.text()).access_token;
}

test('the sandbox writes what kubectl and SDKs need, keeps its state over a restart and ends cleanly on SIGTERM', async () => {
  const first = start('--persist');
  const text = await first.up;
  expect(text).toMatch(/Kubernetes API +https:\/\/\S+:\d+/);
  for (const name of ['kubeconfig', 'azure.env', 'az.sh', 'admin.json', 'azure-state.json']) {
    expect(statSync(join(directory, name)).mode & 0o077).toBe(0);
  }
  const env = environment();
  expect(text).not.toContain(env['AZURE_CLIENT_SECRET']);
  const dispatcher = createDispatcher({ ca: readFileSync(env['NODE_EXTRA_CA_CERTS'] ?? '', 'utf8') });
  const group = `${env['AZURE_RESOURCE_MANAGER_ENDPOINT']}/subscriptions/${env['AZURE_SUBSCRIPTION_ID']}/resourceGroups/kept?api-version=2021-04-01`;
  const send = async (method: 'PUT' | 'GET') => {
    const answer = await request(group, {
      method,
      dispatcher,
      headers: { authorization: `Bearer ${await armToken(env, dispatcher)}`, 'content-type': 'application/json' },
      body: method === 'PUT' ? JSON.stringify({ location: 'westus2' }) : null,
    });
    return [answer.statusCode, JSON.parse(await answer.body.text()).name];
  };
  expect(await send('PUT')).toEqual([201, 'kept']);
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);

  const second = start('--persist');
  await second.up;
  expect(environment()).toEqual(env);
  expect(await send('GET')).toEqual([200, 'kept']);
  second.child.kill('SIGINT');
  expect(await second.ended).toBe(0);
  await dispatcher.close();
});

test('a second sandbox in the same directory is refused, and leaves the files of the first alone', async () => {
  const first = start();
  await first.up;
  const files = () =>
    ['kubeconfig', 'azure.env', 'admin.json'].map((name) => readFileSync(join(directory, name), 'utf8'));
  const before = files();
  const second = start();
  await expect(second.up).rejects.toThrow(`process ${first.child.pid} runs a sandbox in ${directory}: choose another`);
  expect(await second.ended).toBe(1);
  expect(files()).toEqual(before);
  first.child.kill('SIGKILL');
  await first.ended;
  // What a killed one left behind stops nobody.
  await start().up;
});

test('flags win over the environment, and a bad value is refused by name', () => {
  const env = { SANDBOX_PORT_ARM: '1234', SANDBOX_DIR: '/of/env', SANDBOX_PERSIST: 'true' };
  expect(sandboxConfig(['--port-arm', '4321'], env)).toMatchObject({
    directory: '/of/env',
    persist: true,
    ports: { arm: 4321, kube: 0 },
  });
  expect(() => sandboxConfig(['--port-arm', 'x'], {})).toThrow(
    'Expected `--port-arm (SANDBOX_PORT_ARM)` to be a whole number from 0 to 65535, got `x` (string)',
  );
  expect(() => sandboxConfig(['--nonsense'], {})).toThrow(/nonsense/);
  expect(sandboxConfig(['--help'], {})).toEqual({ help: expect.stringContaining('--port-arm') });
});
