import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { execCredential, execSpecOf } from '../../../runtime/kube/config/exec-credential.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { KubeconfigEntry } from '../../../runtime/kube/config/kubeconfig-entry.ts';
import { type Issued, issueCertificate } from '../../fakes/certificates.ts';
import { eventually } from '../../fakes/eventually.ts';
import { type Scratch, scratch } from '../../fakes/scratch.ts';

let files: Scratch;
let plugin: string;
let ca: Issued;
let runs: string;

/** Notes its arguments and environment, then prints what ANSWER holds with the number of the run in place of #. */
const source = `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs');
const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
appendFileSync(process.env.RUNS, JSON.stringify({ args: process.argv.slice(2), info, extra: process.env.EXTRA }) + '\\n');
const run = readFileSync(process.env.RUNS, 'utf8').trim().split('\\n').length;
process.stdout.write(process.env.ANSWER.replaceAll('#', String(run)));
process.exitCode = Number(process.env.CODE ?? 0);
`;

beforeAll(() => {
  files = scratch();
  plugin = files.write('bin/plugin', source, 0o700);
  ca = issueCertificate({ commonName: 'authority', ca: true });
});
beforeEach(() => {
  runs = files.write('runs', '');
});
afterAll(() => files.remove());

/** Whether a process exists and is no zombie: nobody may collect the status of one whose parent has ended. */
const isRunning = (pid: number) =>
  /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim());

const recorded = () =>
  readFileSync(runs, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const v1 = 'client.authentication.k8s.io/v1';
const answer = (status: object, apiVersion = v1) => JSON.stringify({ apiVersion, kind: 'ExecCredential', status });

function load(exec: object, answered: string, env: Record<string, string> = {}) {
  const kubeconfig = files.write('config', {
    clusters: [
      {
        name: 'k',
        cluster: {
          server: 'https://kube.example',
          'certificate-authority-data': Buffer.from(ca.cert).toString('base64'),
          extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'x' } }],
        },
      },
    ],
    users: [{ name: 'u', user: { exec: { apiVersion: v1, command: plugin, interactiveMode: 'Never', ...exec } } }],
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
    'current-context': 'c',
  });
  return loadKubeConnection({ kubeconfig, env: { RUNS: runs, ANSWER: answered, ...env } }).credential;
}

test('the plugin gets its arguments, its environment and the cluster, and its token is used', async () => {
  const credential = load(
    { args: ['get-token', '--x'], env: [{ name: 'EXTRA', value: 'given' }], provideClusterInfo: true },
    answer({ token: 'token-#' }),
  );
  expect(await credential.current()).toEqual({ authorization: 'Bearer token-1' });
  expect(recorded()).toEqual([
    {
      args: ['get-token', '--x'],
      extra: 'given',
      info: {
        apiVersion: v1,
        kind: 'ExecCredential',
        spec: {
          interactive: false,
          cluster: {
            server: 'https://kube.example',
            'certificate-authority-data': Buffer.from(ca.cert).toString('base64'),
            config: { audience: 'x' },
          },
        },
      },
    },
  ]);
});

test('without an expiry the answer is kept, a refusal runs the plugin again, a late refusal of an old token does not', async () => {
  const credential = load({}, answer({ token: 'token-#' }));
  const first = await credential.current();
  expect(await credential.current()).toEqual(first);
  credential.refused(first);
  expect(await credential.current()).toEqual({ authorization: 'Bearer token-2' });
  credential.refused(first);
  expect(await credential.current()).toEqual({ authorization: 'Bearer token-2' });
});

test('the plugin runs again for an expired answer, and not for a valid one', async () => {
  const old = load({}, answer({ token: 'token-#', expirationTimestamp: '2020-01-01T00:00:00Z' }));
  await old.current();
  expect(await old.current()).toEqual({ authorization: 'Bearer token-2' });
  const good = load({}, answer({ token: 'token-#', expirationTimestamp: '2999-01-01T00:00:00Z' }));
  const first = await good.current();
  expect(await good.current()).toEqual(first);
});

test('many requests at once run the plugin once', async () => {
  const credential = load({}, answer({ token: 'token-#' }));
  await Promise.all(Array.from({ length: 10 }, () => credential.current()));
  expect(recorded()).toHaveLength(1);
});

test('a client certificate can be the answer', async () => {
  const credential = load({}, answer({ clientCertificateData: 'CERT', clientKeyData: 'KEY' }));
  expect(await credential.current()).toEqual({ cert: 'CERT', key: 'KEY' });
});

test('v1beta1 works, and needs no interactiveMode', async () => {
  const apiVersion = 'client.authentication.k8s.io/v1beta1';
  const credential = load({ apiVersion, interactiveMode: undefined }, answer({ token: 't' }, apiVersion));
  expect(await credential.current()).toEqual({ authorization: 'Bearer t' });
});

test('a command with a slash is relative to the kubeconfig, one without is found on PATH', async () => {
  expect(await load({ command: './bin/plugin' }, answer({ token: 't' })).current()).toBeDefined();
  const byPath = load({ command: basename(plugin) }, answer({ token: 't' }), { PATH: `${files.path}/bin` });
  expect(await byPath.current()).toBeDefined();
});

test('a plugin that cannot be run is reported with its install hint', async () => {
  const credential = load({ command: 'no-such-plugin', installHint: 'Get it from the shelf.' }, '');
  await expect(credential.current()).rejects.toMatchObject({
    code: 'AZ_KUBECONFIG_INVALID',
    message: expect.stringMatching(
      /user "u", exec: command no-such-plugin cannot be run \(ENOENT\)\nGet it from the shelf/,
    ),
  });
});

test('a plugin that fails is tried again by the next request', async () => {
  const credential = load({}, 'hidden', { CODE: '3' });
  await expect(credential.current()).rejects.toMatchObject({
    retryable: true,
    message: expect.stringMatching(/failed with exit code 3$/),
  });
  await expect(credential.current()).rejects.toThrow(/exit code 3/);
  expect(recorded()).toHaveLength(2);
});

test.each([
  ['no JSON', 'hidden', /printed something that is not JSON$/],
  ['another kind', '{"kind":"Pod"}', /did not print an ExecCredential$/],
  ['another version', answer({ token: 'hidden' }, 'client.authentication.k8s.io/v1beta1'), /another apiVersion/],
  ['nothing', answer({}), /gave neither/],
  ['half a certificate', answer({ clientCertificateData: 'hidden' }), /only one of/],
  ['a bad time', answer({ token: 'hidden', expirationTimestamp: 'noon' }), /expirationTimestamp that is not a time$/],
])('an answer with %s is refused without showing it', async (_, answered, message) => {
  const error: Error = await load({}, answered)
    .current()
    .then(
      () => new Error('no error'),
      (thrown) => thrown,
    );
  expect(error.message).toMatch(message);
  expect(error.message).not.toContain('hidden');
});

test.each([
  [{ apiVersion: 'client.authentication.k8s.io/v1alpha1' }, /exec: apiVersion must be one of/],
  [{ command: '' }, /exec: command is missing/],
  [{ interactiveMode: undefined }, /exec: interactiveMode must be one of Never, IfAvailable, Always/],
  [{ args: 'x' }, /exec: args must be a list of strings/],
  [{ env: [{ value: 'x' }] }, /exec, env\[0\]: name is missing/],
])('the member %j is refused at loading', (exec, message) => {
  expect(() => load(exec, '')).toThrow(message);
});

test('a plugin that must ask somebody is not run without a terminal', async () => {
  const credential = load({ interactiveMode: 'Always' }, answer({ token: 't' }));
  if (process.stdin.isTTY) expect(await credential.current()).toBeDefined();
  else await expect(credential.current()).rejects.toThrow(/interactiveMode is Always/);
});

test('a plugin that hangs is ended', async () => {
  const sleeper = files.write('bin/sleeper', `#!${process.execPath}\nsetInterval(() => undefined, 1000);\n`, 0o700);
  const entry = (where: string, value: object) => new KubeconfigEntry(`${files.path}/config`, where, value);
  const spec = execSpecOf(entry('exec', { apiVersion: v1, command: sleeper, interactiveMode: 'Never' }));
  const context = { cluster: entry('cluster', {}), server: 'https://kube.example', env: {}, timeoutMs: 300 };
  await expect(execCredential(spec, context).current()).rejects.toMatchObject({
    retryable: true,
    message: expect.stringMatching(/sleeper was ended by SIGKILL$/),
  });
});

test('a plugin that hangs is ended together with what holds its output open', async () => {
  const pids = files.write('pids', '');
  const wrapper = files.write('bin/wrapper', `#!/bin/sh\nsleep 60 &\necho $$ $! > ${pids}\nsleep 60\n`, 0o700);
  const entry = (where: string, value: object) => new KubeconfigEntry(`${files.path}/config`, where, value);
  const spec = execSpecOf(entry('exec', { apiVersion: v1, command: wrapper, interactiveMode: 'Never' }));
  const env = { PATH: process.env['PATH'] ?? '' };
  // Time for the shell to start both and to name them, on a busy machine too.
  const context = { cluster: entry('cluster', {}), server: 'https://kube.example', env, timeoutMs: 2000 };
  await expect(execCredential(spec, context).current()).rejects.toThrow('was ended by SIGKILL');
  const started = readFileSync(pids, 'utf8').trim().split(' ').map(Number);
  expect(started).toHaveLength(2);
  await eventually('both processes have ended', () => !started.some(isRunning));
});
