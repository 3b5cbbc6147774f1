import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startWithCleanEnvironment } from '../../runtime/volumes/driver/environment.ts';
import { isMounted, mountsBelow } from '../../runtime/volumes/mount/mounts.ts';
import { canMount, filesOf, startVolumeBench, type VolumeBench } from './support.ts';

/** The driver as it is installed: one executable, in an environment without Node. */
let bench: VolumeBench;
let kv: string;

beforeAll(async () => {
  bench = await startVolumeBench();
  kv = await bench.driver();
  await bench.write({ secrets: [{ name: 'one', value: 'first' }] });
});
beforeEach(() => {
  bench.azure.faults.clear();
  bench.settings({});
});
afterAll(async () => bench?.[Symbol.asyncDispose]());

const run = (args: string[], env: Record<string, string> = {}) => bench.run([kv], args, { PATH: '/nowhere', ...env });
const success = '{"status":"Success"}\n';
const one = (change: Record<string, string | undefined> = {}) =>
  bench.options({ keyvaultobjectnames: 'one', keyvaultobjecttypes: 'secret', ...change });

test('it has its digest beside it, and runs', async () => {
  expect(statSync(kv).mode & 0o777).toBe(0o755);
  const digest = createHash('sha256').update(readFileSync(kv)).digest('hex');
  expect(readFileSync(`${kv}.sha256`, 'utf8')).toBe(`${digest}  kv\n`);
  expect(await run(['init'])).toMatchObject({
    code: 0,
    stderr: '',
    stdout: '{"status":"Success","capabilities":{"attach":false,"fsGroup":false,"selinuxRelabel":true}}\n',
  });
});

test.each([
  ['NODE_OPTIONS', '--this-is-no-option'],
  ['NODE_DEBUG', 'fs,http,module,net'],
  ['BUN_CONFIG_VERBOSE_FETCH', 'curl'],
  ['MIMALLOC_SHOW_STATS', '1'],
  ['DO_NOT_TRACK', '0'],
  ['TMPDIR', '/nowhere'],
])('%s of its environment has no effect', async (name, value) => {
  for (const args of [['init'], ['mount', bench.volume('env'), '{}']]) {
    const call = await run(args, { [name]: value });
    expect(call).toMatchObject({ stderr: '', stdout: expect.stringMatching(/^\{[^\n]*\}\n$/) });
    expect(call.document.status).toBe(args[0] === 'init' ? 'Success' : 'Failure');
  }
});

test('the directory it is called in has no effect', () => {
  const cwd = join(bench.directory, 'cwd');
  mkdirSync(cwd);
  const mark = join(bench.directory, 'mark');
  writeFileSync(join(cwd, 'evil.js'), `require('fs').writeFileSync(${JSON.stringify(mark)}, '')`);
  writeFileSync(join(cwd, 'bunfig.toml'), 'preload = ["./evil.js"]\n[run]\npreload = ["./evil.js"]\n');
  writeFileSync(join(cwd, '.env'), 'NODE_OPTIONS=--require=./evil.js\n');
  writeFileSync(join(cwd, 'package.json'), '{');
  writeFileSync(join(cwd, 'tsconfig.json'), '{');
  const env = { AZIMUTH_KV_SETTINGS: bench.settingsFile };
  const { stdout, stderr } = spawnSync(kv, ['mount', bench.volume('cwd'), '{}'], { cwd, env, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toMatchObject({ status: 'Failure', message: expect.stringMatching(/tenantid/) });
  expect(existsSync(mark)).toBe(false);
});

test('flags of Node and Bun on its command line are arguments like any other', async () => {
  for (const flag of ['--version', '--eval=1', '-p', '--inspect', 'run', '--preload=/nowhere.js']) {
    expect(await run([flag])).toMatchObject({ code: 0, stdout: '{"status":"Not supported"}\n', stderr: '' });
  }
});

test('closed or full standard streams do no harm', () => {
  const full = openSync('/dev/full', 'w');
  expect(spawnSync(kv, ['init'], { stdio: ['ignore', full, full] }).signal).toBeNull();
  closeSync(full);
  const script = `"${kv}" init <&- 2>&-`;
  expect(spawnSync('/bin/sh', ['-c', script]).stdout.toString()).toMatch(/^\{"status":"Success".*\}\n$/);
});

test('a variable that changes the runtime restarts the driver with its own variables alone', () => {
  const env = {
    BUN_CONFIG_VERBOSE_FETCH: 'curl',
    NODE_DEBUG: 'fs',
    HTTPS_PROXY: 'http://p:1',
    LANG: 'de',
    AZURE_X: 'y',
  };
  const calls: unknown[][] = [];
  const execve = ((...args: unknown[]) => void calls.push(args)) as unknown as NodeJS.Process['execve'];
  startWithCleanEnvironment(['mount', '/a/b'], { env, execPath: '/kv', execve });
  expect(calls).toEqual([['/kv', ['/kv', 'mount', '/a/b'], { HTTPS_PROXY: 'http://p:1', AZURE_X: 'y' }]]);
  const { HTTPS_PROXY, LANG, AZURE_X } = env;
  const plain = { HTTPS_PROXY, LANG, AZURE_X, NODE_EXTRA_CA_CERTS: '/ca.pem' };
  startWithCleanEnvironment(['mount', '/a/b'], { env: plain, execPath: '/kv', execve });
  expect(calls).toHaveLength(1);
});

(canMount ? describe : describe.skip)('mounting', () => {
  test('it mounts and unmounts with nothing of the host', async () => {
    const directory = bench.volume('whole');
    expect(await run(['mount', directory, one()])).toMatchObject({ code: 0, stderr: '', stdout: success });
    expect(filesOf(directory)).toEqual({ one: 'first' });
    expect(await run(['unmount', directory])).toMatchObject({ code: 0, stderr: '', stdout: success });
    expect(existsSync(directory)).toBe(false);
  });

  test.each([
    ['429', { status: 429, headers: { 'retry-after': '1' }, body: { error: { code: 'Throttled', message: 'm' } } }],
    ['503', { status: 503, body: 'unavailable' }],
    ['a cut connection', { connection: 'drop' as const }],
  ])('its own HTTP client goes on after %s', async (_, fault) => {
    bench.azure.faults.add({ service: 'vault', times: 1, ...fault });
    expect(await run(['mount', bench.volume('faults'), one()])).toMatchObject({
      code: 0,
      document: { status: 'Success' },
    });
    expect(await run(['unmount', bench.volume('faults')])).toMatchObject({ code: 0, document: { status: 'Success' } });
  });

  test('its own HTTP client ends with the deadline', async () => {
    bench.settings({ deadlineSeconds: 5 });
    bench.azure.faults.add({ service: 'vault', connection: 'hang', times: 0 });
    const call = await run(['mount', bench.volume('late'), one()]);
    expect(call).toMatchObject({ code: 0, stderr: '', document: { message: expect.stringMatching(/within 5 s/) } });
    expect(isMounted(bench.volume('late'))).toBe(false);
  });

  test('a certificate authority that is not trusted ends the call', async () => {
    const { NODE_EXTRA_CA_CERTS: _, ...environment } = bench.azure.env();
    bench.settings({ environment, deadlineSeconds: 20 });
    const call = await run(['mount', bench.volume('untrusted'), one()]);
    expect(call).toMatchObject({ code: 0, stderr: '', document: { status: 'Failure' } });
    expect(call.document.message).toMatch(/certificate/);
  });

  test('no variable of kubelet makes it trust every server', async () => {
    const { NODE_EXTRA_CA_CERTS: _, ...environment } = bench.azure.env();
    bench.settings({ environment, deadlineSeconds: 20 });
    const call = await run(['mount', bench.volume('untrusted'), one()], { NODE_TLS_REJECT_UNAUTHORIZED: '0' });
    expect(call.document.message).toMatch(/certificate/);
  });

  test('a proxy of the settings is used, and NO_PROXY heard', async () => {
    const environment = { ...bench.azure.env(), HTTPS_PROXY: 'http://127.0.0.1:9' };
    bench.settings({ environment, deadlineSeconds: 20 });
    const refused = await run(['mount', bench.volume('proxy'), one()]);
    expect(refused.document.message).toMatch(/ECONNREFUSED/);
    bench.settings({ environment: { ...environment, NO_PROXY: 'localhost,.localhost' } });
    expect(await run(['mount', bench.volume('proxy'), one()])).toMatchObject({
      code: 0,
      document: { status: 'Success' },
    });
  });

  test('an error of the system is reported with its code', async () => {
    const directory = bench.volume('busy');
    expect(await run(['mount', directory, one()])).toMatchObject({ code: 0, document: { status: 'Success' } });
    const file = openSync(join(directory, 'one'), 'r');
    const refused = await run(['unmount', directory]);
    expect(refused).toMatchObject({ code: 0, stderr: '', document: { message: expect.stringMatching(/EBUSY/) } });
    closeSync(file);
    expect(await run(['unmount', directory])).toMatchObject({ code: 0, document: { status: 'Success' } });
  });

  test('a hundred mounts at once succeed', async () => {
    // A hundred processes on few processors take turns.
    bench.settings({ deadlineSeconds: 150 });
    const directories = Array.from({ length: 100 }, (_, index) => bench.volume(`many-${index}`));
    const calls = await Promise.all(directories.map((directory) => run(['mount', directory, one()])));
    for (const call of calls) expect(call).toMatchObject({ code: 0, stderr: '', stdout: success });
    for (const directory of directories) expect(filesOf(directory)).toEqual({ one: 'first' });
    expect(mountsBelow(bench.stateDirectory)).toEqual([]);
    const lines = readFileSync(bench.logFile, 'utf8').trim().split('\n');
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  });

  test('twenty calls of kubelet for one volume at once leave one volume', async () => {
    const directory = bench.volume('same');
    const calls = await Promise.all(Array.from({ length: 20 }, () => run(['mount', directory, one()])));
    for (const call of calls) expect(call).toMatchObject({ stderr: '', document: { status: 'Success' } });
    expect(filesOf(directory)).toEqual({ one: 'first' });
    expect(await run(['unmount', directory])).toMatchObject({ code: 0, document: { status: 'Success' } });
    expect(isMounted(directory)).toBe(false);
    writeFileSync(bench.logFile, '');
  });
});
