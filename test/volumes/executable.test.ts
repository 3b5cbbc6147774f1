import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { systemMounts } from '../../runtime/volumes/mounts.ts';
import { buildDriver } from '../../tools/build-kv.ts';
import { withNote } from '../../tools/elf-note.ts';
import { canMount, filesOf, startVolumeBench, type VolumeBench } from './support.ts';

/** The driver as it is installed: one executable, in an environment without Node. */
const mounts = systemMounts();
let bench: VolumeBench;
let kv: string;

beforeAll(async () => {
  bench = await startVolumeBench();
  kv = join(bench.directory, 'kv');
  await buildDriver(kv);
  const make = 'req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -days 30 -subj /CN=self';
  spawnSync('openssl', make.split(' '), { cwd: bench.directory });
  const bundle = 'pkcs12 -export -legacy -inkey k.pem -in c.pem -passout pass: -out c.pfx';
  spawnSync('openssl', bundle.split(' '), { cwd: bench.directory });
  const pfx = readFileSync(join(bench.directory, 'c.pfx')).toString('base64');
  await bench.write({
    secrets: [
      { name: 'one', value: 'first' },
      { name: 'pfx', value: pfx, contentType: 'application/x-pkcs12' },
    ],
  });
}, 120_000);
beforeEach(() => {
  bench.azure.faults.clear();
  bench.settings({});
});
afterAll(async () => bench?.[Symbol.asyncDispose]());

const run = (args: string[], env: Record<string, string> = {}) => bench.run([kv], args, { PATH: '/nowhere', ...env });
const one = (change: Record<string, string | undefined> = {}) =>
  bench.options({ keyvaultobjectnames: 'one', keyvaultobjecttypes: 'secret', ...change });

test('it is stripped, has its digest beside it, and runs', async () => {
  expect(statSync(kv).size).toBeLessThan(statSync(process.execPath).size);
  expect(statSync(kv).mode & 0o777).toBe(0o755);
  const digest = createHash('sha256').update(readFileSync(kv)).digest('hex');
  expect(readFileSync(`${kv}.sha256`, 'utf8')).toBe(`${digest}  kv\n`);
  expect(await run(['init'])).toMatchObject({
    code: 0,
    stderr: '',
    stdout: '{"status":"Success","capabilities":{"attach":false,"fsGroup":false}}\n',
  });
});

test.each([
  ['NODE_OPTIONS', '--this-is-no-option'],
  ['NODE_OPTIONS', '--trace-warnings --inspect=0'],
  ['NODE_DEBUG', 'fs,http,module,net'],
  ['NODE_PENDING_DEPRECATION', '1'],
])('%s of its environment has no effect', async (name, value) => {
  for (const args of [['init'], ['mount', bench.volume('env'), '{}']]) {
    const call = await run(args, { [name]: value });
    expect(call).toMatchObject({ stderr: '', stdout: expect.stringMatching(/^\{[^\n]*\}\n$/) });
  }
});

test('flags of Node on its command line are arguments like any other', async () => {
  for (const flag of ['--version', '--eval=1', '-p', '--inspect']) {
    expect(await run([flag])).toMatchObject({ code: 1, stdout: '{"status":"Not supported"}\n', stderr: '' });
  }
});

test('closed or full standard streams do no harm', () => {
  const full = openSync('/dev/full', 'w');
  expect(spawnSync(kv, ['init'], { stdio: ['ignore', full, full] }).signal).toBeNull();
  closeSync(full);
  const script = `"${kv}" init <&- 2>&-`;
  expect(spawnSync('/bin/sh', ['-c', script]).stdout.toString()).toMatch(/^\{"status":"Success".*\}\n$/);
});

test('only an executable of the kind known is made into one', () => {
  expect(() => withNote(Buffer.alloc(100), 'owner', Buffer.from('x'))).toThrow(/ELF/);
});

(canMount ? describe : describe.skip)('mounting', () => {
  test('it mounts and unmounts with nothing but mount and umount of the host', async () => {
    const directory = bench.volume('whole');
    const names = { keyvaultobjectnames: 'one;pfx;pfx', keyvaultobjecttypes: 'secret;secret;secret' };
    const files = { keyvaultobjectaliases: ';tls.pem;tls.pfx', keyvaultobjectformats: 'raw;pem;pfx' };
    expect(await run(['mount', directory, bench.options({ ...names, ...files })])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: '{"status":"Success"}\n',
    });
    const found = filesOf(directory);
    expect(found['one']).toBe('first');
    expect(found['tls.pem']).toMatch(/^-----BEGIN PRIVATE KEY-----[\s\S]+-----BEGIN CERTIFICATE-----/);
    expect(found['tls.pfx']).toBe(readFileSync(join(bench.directory, 'c.pfx'), 'latin1'));
    expect(await run(['unmount', directory])).toMatchObject({ code: 0, stdout: '{"status":"Success"}\n' });
    expect(existsSync(directory)).toBe(false);
  });

  test.each([
    ['429', { status: 429, headers: { 'retry-after': '1' }, body: { error: { code: 'Throttled', message: 'm' } } }],
    ['503', { status: 503, body: 'unavailable' }],
    ['a cut connection', { connection: 'drop' as const }],
  ])('its own HTTP client goes on after %s', async (_, fault) => {
    bench.azure.faults.add({ service: 'vault', times: 1, ...fault });
    expect(await run(['mount', bench.volume('faults'), one()])).toMatchObject({ code: 0 });
    expect(await run(['unmount', bench.volume('faults')])).toMatchObject({ code: 0 });
  });

  test('its own HTTP client ends with the deadline', async () => {
    bench.settings({ deadlineSeconds: 2 });
    bench.azure.faults.add({ service: 'vault', connection: 'hang', times: 0 });
    const call = await run(['mount', bench.volume('late'), one()]);
    expect(call).toMatchObject({ code: 1, stderr: '', document: { message: expect.stringMatching(/within 2 s/) } });
    expect(mounts.isMounted(bench.volume('late'))).toBe(false);
  });

  test('a certificate authority that is not trusted ends the call', async () => {
    const { NODE_EXTRA_CA_CERTS: _, ...environment } = bench.azure.env();
    bench.settings({ environment, deadlineSeconds: 3 });
    const call = await run(['mount', bench.volume('untrusted'), one()]);
    expect(call).toMatchObject({ code: 1, stderr: '' });
    expect(call.document.message).toMatch(/certificate/);
  });

  test('a proxy of the settings is used, and NO_PROXY heard', async () => {
    const environment = { ...bench.azure.env(), HTTPS_PROXY: 'http://127.0.0.1:9' };
    bench.settings({ environment, deadlineSeconds: 3 });
    const refused = await run(['mount', bench.volume('proxy'), one()]);
    expect(refused.document.message).toMatch(/ECONNREFUSED/);
    bench.settings({ environment: { ...environment, NO_PROXY: 'localhost,.localhost' } });
    expect(await run(['mount', bench.volume('proxy'), one()])).toMatchObject({ code: 0 });
  });

  test('a hundred mounts at once succeed', async () => {
    // A hundred processes on few processors take turns.
    bench.settings({ deadlineSeconds: 150 });
    const directories = Array.from({ length: 100 }, (_, index) => bench.volume(`many-${index}`));
    const calls = await Promise.all(directories.map((directory) => run(['mount', directory, one()])));
    for (const call of calls) expect(call).toMatchObject({ code: 0, stderr: '', stdout: '{"status":"Success"}\n' });
    for (const directory of directories) expect(filesOf(directory)).toEqual({ one: 'first' });
    expect(mounts.below(bench.stateDirectory)).toEqual([]);
    const lines = readFileSync(bench.logFile, 'utf8').trim().split('\n');
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  }, 180_000);

  test('twenty calls of kubelet for one volume at once leave one volume', async () => {
    const directory = bench.volume('same');
    const calls = await Promise.all(Array.from({ length: 20 }, () => run(['mount', directory, one()])));
    for (const call of calls) expect(call).toMatchObject({ stderr: '', document: { status: 'Success' } });
    expect(filesOf(directory)).toEqual({ one: 'first' });
    expect(await run(['unmount', directory])).toMatchObject({ code: 0 });
    expect(mounts.isMounted(directory)).toBe(false);
    writeFileSync(bench.logFile, '');
  }, 60_000);
});
