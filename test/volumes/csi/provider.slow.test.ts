/** The CSI provider by its own gRPC client: protocol, driver and files. One world serves all tests: it takes ten seconds. */
import { spawnSync } from 'node:child_process';
import { createPublicKey, X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { serveProvider } from '../../../runtime/volumes/csi/server.ts';
import type { VolumeBench } from '../support.ts';
import { ProviderClient } from './client.ts';
import { mountAsDriver } from './driver.ts';
import { listed, opensslIn, type ProviderWorld, secret, shown, startProviderWorld } from './provider-world.ts';

let provider: ProviderWorld;
let bench: VolumeBench;
let client: ProviderClient;
let versions: ProviderWorld['versions'];
const openssl = (args: string, input?: Buffer) => opensslIn(bench.directory, args, input);

beforeAll(async () => {
  provider = await startProviderWorld();
  ({ bench, client, versions } = provider);
});
beforeEach(() => provider.reset());
afterAll(() => provider?.close());

describe('the protocol', () => {
  test('it is healthy as a whole and by its service, and knows no other', async () => {
    expect(await client.check()).toEqual({ status: 'SERVING' });
    expect(await client.check('v1alpha1.CSIDriverProvider')).toEqual({ status: 'SERVING' });
    await expect(client.check('other')).rejects.toMatchObject({ code: 5 });
  });

  test('the socket is for its owner alone, and nothing else is left beside it', () => {
    expect(statSync(provider.socket).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(bench.directory, 'providers'))).toEqual(['azure.sock']);
  });

  test('a socket that another program serves stays; a stale one is replaced', async () => {
    await expect(serveProvider(provider.options())).rejects.toThrow(/Another provider serves .*azure\.sock/);
    expect(await client.check()).toEqual({ status: 'SERVING' });
    const stale = join(bench.directory, 'providers', 'stale.sock');
    // A program that is killed leaves its socket.
    const script = `require('node:net').createServer().listen(${JSON.stringify(stale)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', script]);
    expect(existsSync(stale)).toBe(true);
    const second = await serveProvider({ ...provider.options(), socket: stale });
    const other = new ProviderClient(stale);
    expect(await other.check()).toEqual({ status: 'SERVING' });
    other.close();
    await second.close();
    expect(existsSync(stale)).toBe(false);
  });

  test('a name that the driver would not request is refused', async () => {
    await expect(serveProvider({ ...provider.options(), socket: join(bench.directory, 'azure') })).rejects.toThrow(
      /\.sock/,
    );
  });

  test('bytes that are no gRPC, and a message that is none, harm nobody', async () => {
    const { createConnection } = await import('node:net');
    for (const bytes of ['GET / HTTP/1.1\r\n\r\n', Buffer.alloc(5000, 255)]) {
      const connection = createConnection(provider.socket);
      connection.on('error', () => undefined).resume();
      connection.end(bytes);
      await new Promise((resolve) => connection.once('close', resolve));
    }
    expect(await client.refusal('')).toMatchObject({ code: 3 });
    expect(await client.check()).toEqual({ status: 'SERVING' });
  });

  test('a request beyond 512 KiB is refused', async () => {
    expect(await client.refusal(provider.attributes('x'.repeat(512 * 1024)), provider.principal())).toMatchObject({
      code: 8,
    });
    expect(await client.refusal(provider.attributes('x'.repeat(500 * 1024)), provider.principal())).toMatchObject({
      code: 3,
    });
  });
});

describe('the driver', () => {
  const volume = () => mkdtempSync(join(bench.directory, 'mount-'));

  test.each([
    ['1.6, which names localhost', 'localhost'],
    ['1.5 and before, which name the path of the socket', ''],
  ])('of %s has its files, and a second call switches them', async (_, authority) => {
    const driver = new ProviderClient(provider.socket, authority || provider.socket);
    const target = volume();
    const mount = (...objects: Record<string, string>[]) =>
      mountAsDriver(driver, target, provider.attributes(listed(...objects)), provider.principal());
    const first = await mount(
      secret('one', { objectAlias: 'dir/password' }),
      secret('many', { filePermission: '0400' }),
    );
    expect(first).toEqual({ 'secret/one': versions['one'], 'secret/many': versions['v4'] });
    expect(readFileSync(join(target, 'dir/password'), 'utf8')).toBe('first');
    expect(statSync(join(target, 'dir/password')).mode & 0o777).toBe(0o644);
    expect(statSync(join(target, 'many')).mode & 0o777).toBe(0o400);
    await mount(secret('many', { objectVersionHistory: '2', objectAlias: 'dir' }));
    expect(readdirSync(join(target, 'dir'))).toEqual(['0', '1']);
    expect(await driver.version()).toEqual({ version: 'v1alpha1', runtime_name: 'azimuth', runtime_version: '0.1.0' });
    driver.close();
  });

  test('takes every path that the provider lets through, and none that it refuses reaches it', async () => {
    const paths = [
      'a',
      'a/b/c',
      '.a',
      'a..b',
      'a/.b',
      'ü',
      'x'.repeat(255),
      '../a',
      '..a',
      'a/../b',
      '/a',
      'a//b',
      './a',
    ];
    for (const objectAlias of [...paths, 'a/', 'x'.repeat(256), `${'d/'.repeat(2048)}x`]) {
      const objects = provider.attributes(listed(secret('one', { objectAlias: JSON.stringify(objectAlias) })));
      const answer = await client.mount(objects, provider.principal()).catch(() => undefined);
      if (answer === undefined) continue;
      // The answer that it gave, once more.
      const target = volume();
      await mountAsDriver(client, target, objects, provider.principal());
      expect(readFileSync(join(target, objectAlias), 'utf8')).toBe('first');
      expect(paths.slice(0, 7)).toContain(objectAlias);
    }
  });

  test('asks only once where a call fails, and fails a class without objects', async () => {
    bench.azure.journal.clear();
    await expect(
      mountAsDriver(client, volume(), provider.attributes(listed(secret('absent'))), provider.principal()),
    ).rejects.toThrow(/NOT_FOUND: .*objectName:absent/);
    expect(bench.azure.journal.entries().filter(({ service }) => service === 'vault')).toHaveLength(1);
    await expect(
      mountAsDriver(client, volume(), provider.attributes('array: []'), provider.principal()),
    ).rejects.toThrow(/missing object versions/);
  });
});

describe('objects', () => {
  test('each type has the bytes of the Azure provider, and OpenSSL reads them', async () => {
    const objects = listed(
      secret('one', { objectAlias: 'dir/password', filePermission: '0400' }),
      secret('base64', { objectEncoding: 'base64' }),
      { objectName: 'ec', objectType: 'key' },
      { objectName: 'web', objectType: 'cert', objectAlias: 'web.crt' },
      secret('web', { objectAlias: 'web.pem' }),
      secret('web', { objectAlias: 'web.pfx', objectFormat: 'pfx', objectEncoding: 'base64' }),
    );
    const answer = await client.mount(provider.attributes(objects), { ...provider.principal(), permission: '288' });
    expect(answer.files.map(({ path, mode }) => [path, mode])).toEqual([
      ['dir/password', 0o400],
      ['base64', 0o440],
      ['ec', 0o440],
      ['web.crt', 0o440],
      ['web.pem', 0o440],
      ['web.pfx', 0o440],
    ]);
    const files = Object.fromEntries(answer.files.map(({ path, contents }) => [path, contents]));
    const file = (name: string) => files[name] ?? Buffer.alloc(0);
    expect(file('dir/password').toString()).toBe('first');
    expect([...file('base64')]).toEqual([0, 255, 10]);
    expect(createPublicKey(file('ec')).asymmetricKeyType).toBe('ec');
    const pem = readFileSync(join(bench.directory, 'c.pem'), 'utf8');
    expect(file('web.crt').toString()).toBe(pem);
    expect(new X509Certificate(file('web.pem')).fingerprint256).toBe(new X509Certificate(pem).fingerprint256);
    expect(openssl('pkey -noout -text', file('web.pem'))).toContain('2048 bit');
    expect(openssl('pkey -pubout', file('web.pem'))).toBe(openssl('pkey -in k.pem -pubout'));
    writeFileSync(join(bench.directory, 'got.pfx'), file('web.pfx'));
    expect(openssl('pkcs12 -in got.pfx -legacy -nodes -passin pass:')).toContain('PRIVATE KEY');
    const web = versions['web'];
    expect(answer.object_version).toEqual([
      { id: 'secret/one', version: versions['one'] },
      { id: 'secret/base64', version: versions['base64'] },
      { id: 'key/ec', version: versions['ec'] },
      { id: 'cert/web', version: web },
      { id: 'secret/web', version: web },
    ]);
  });

  test('a history is a directory of the newest versions, exactly as many as asked for', async () => {
    const three = await client.mount(
      provider.attributes(listed(secret('many', { objectVersionHistory: '3' }))),
      provider.principal(),
    );
    expect(shown(three)).toEqual({ 'many/0': 'v4', 'many/1': 'v3', 'many/2': 'v2' });
    expect(three.object_version.map(({ id }) => id)).toEqual(['secret/many/0', 'secret/many/1', 'secret/many/2']);
    const from = secret('many', { objectVersionHistory: '9', objectVersion: versions['v2'] ?? '', objectAlias: 'old' });
    expect(shown(await client.mount(provider.attributes(listed(from)), provider.principal()))).toEqual({
      'old/0': 'v2',
      'old/1': 'v1',
    });
    const strange = secret('many', { objectVersionHistory: '2', objectVersion: 'f00d' });
    expect((await client.refusal(provider.attributes(listed(strange)), provider.principal())).details).toMatch(
      /no such version/,
    );
  });

  test('certificate and key are also files of their own where separateFiles is set', async () => {
    const second = await serveProvider({
      ...provider.options(),
      socket: join(bench.directory, 'separate.sock'),
      separateFiles: true,
    });
    const other = new ProviderClient(join(bench.directory, 'separate.sock'));
    const files = shown(await other.mount(provider.attributes(listed(secret('web'))), provider.principal()));
    expect(Object.keys(files)).toEqual(['web.crt', 'web.key', 'web']);
    expect(files['web']).toBe(`${files['web.key']}${files['web.crt']}`);
    other.close();
    await second.close();
  });

  test.each([
    ['two objects of one name', listed(secret('one'), secret('many', { objectAlias: 'one' }))],
    ['a file where another has a directory', listed(secret('one'), secret('many', { objectAlias: 'one/x' }))],
  ])('%s are refused', async (_, objects) => {
    expect(await client.refusal(provider.attributes(objects), provider.principal())).toMatchObject({
      code: 3,
      details: expect.stringMatching(/would both be the file "one"/),
    });
  });

  test('more than the driver takes at once is refused with what to do', async () => {
    const objects = listed(...Array.from({ length: 180 }, (_, index) => secret('big', { objectAlias: `f${index}` })));
    expect(await client.refusal(provider.attributes(objects), provider.principal())).toMatchObject({
      code: 8,
      details: expect.stringMatching(/spread the objects over several SecretProviderClasses/),
    });
    const fits = listed(...Array.from({ length: 170 }, (_, index) => secret('big', { objectAlias: `f${index}` })));
    expect((await client.mount(provider.attributes(fits), provider.principal())).files).toHaveLength(170);
  });
});
