/** What each program of a cluster writes when it starts, here without an API server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../fakes/eventually.ts';
import { scratch } from '../fakes/scratch.ts';

const place = scratch();
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  place.remove();
});

const kubeconfig = join(place.path, 'kubeconfig');
writeFileSync(
  kubeconfig,
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'u', user: { token: 't' } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'c',
  }),
);
const env = {
  PATH: process.env['PATH'],
  KUBECONFIG: kubeconfig,
  AZURE_TENANT_ID: '11111111-2222-3333-4444-555555555555',
  AZURE_CLIENT_ID: 'client',
  AZURE_CLIENT_SECRET: 'secret',
  AZURE_SUBSCRIPTION_ID: '66666666-7777-8888-9999-000000000000',
};

const programs: Readonly<Record<string, readonly string[]>> = {
  operator: ['--namespace=x'],
  identity: [],
  nmi: ['--node=n', '--iptables=off', '--metrics-port=off', '--nmi-port=0', `--host-socket=${place.path}/nmi.sock`],
  volumes: ['--node=n', '--metrics-port=off', '--install=false', `--socket=${place.path}/kv.sock`],
  secrets: ['--audience=a', '--port=0'],
};

/** Runs the program until it cannot list for a while, and stops it. */
async function linesOf(name: string, ...flags: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const argv = [name, '--health-port=0', ...(programs[name] ?? []), ...flags];
  const child = spawn(process.execPath, ['runtime/cli/azimuth.ts', ...argv], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let output = '';
  const read = (text: Buffer) => {
    output += text;
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  await eventually('it tries to list', () => output.includes('keeps failing'), 60_000);
  await new Promise((resolve) => setTimeout(resolve, 4000));
  child.kill('SIGTERM');
  expect({ code: await ended, output }).toEqual({ code: 0, output });
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const profile = 'the multi-tenant profile is off: namespaces are not kept apart';
const lines = new Map<string, readonly Record<string, unknown>[]>();

beforeAll(async () => {
  const each = async (name: string) => void lines.set(name, await linesOf(name));
  const under = async () => void lines.set('under the profile', await linesOf('identity', '--multi-tenant'));
  await Promise.all([...Object.keys(programs).map(each), under()]);
});

test.each(Object.keys(programs))('azimuth %s warns once that the multi-tenant profile is off', (name) => {
  expect(lines.get(name)?.filter(({ msg }) => msg === profile)).toEqual([
    expect.objectContaining({ level: 'warn', setting: '--multi-tenant (AZIMUTH_MULTI_TENANT)' }),
  ]);
});

test('under the profile there is no such warning', () => {
  const messages = lines.get('under the profile')?.map(({ msg }) => msg);
  expect(messages).toContain('identity controller starts');
  expect(messages).not.toContain(profile);
});

test.each(Object.keys(programs))('azimuth %s writes a few lines while there is no API server', (name) => {
  expect(lines.get(name)?.length).toBeLessThan(15);
});
