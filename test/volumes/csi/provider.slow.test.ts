/** The CSI provider, asked by gRPC's own client. Long, as one vault, cluster and node daemon serve all of it, which take ten seconds to start. */
import { spawnSync } from 'node:child_process';
import { createPublicKey, X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock } from '../../../runtime/base/clock.ts';
import { AzimuthError } from '../../../runtime/base/errors.ts';
import { createLogger } from '../../../runtime/base/observability/log.ts';
import { VaultPool } from '../../../runtime/volumes/agent/pool/vault-pool.ts';
import { type ProviderServer, type ProviderServerOptions, serveProvider } from '../../../runtime/volumes/csi/server.ts';
import { defaultSettings } from '../../../runtime/volumes/driver/settings.ts';
import { nodeDaemonAt } from '../../../runtime/volumes/vault/node-daemon-client.ts';
import { type EmbeddedKube, startEmbeddedKube } from '../../../sandbox/kube/index.ts';
import { type Harness, podsType, simple, startNmi } from '../../nmi/harness.ts';
import { startVolumeBench, type VolumeBench, vaultName } from '../support.ts';
import { type MountResponse, ProviderClient } from './client.ts';
import { mountAsDriver } from './driver.ts';

let bench: VolumeBench;
let kube: EmbeddedKube;
let daemon: Harness;
let vaults: VaultPool;
let server: ProviderServer;
let client: ProviderClient;
let versions: Record<string, string>;
let logged = '';

const socket = () => join(bench.directory, 'providers', 'azure.sock');
const openssl = (args: string, input?: Buffer) => {
  const { stdout, status, stderr } = spawnSync('openssl', args.split(' '), {
    cwd: bench.directory,
    ...(input && { input }),
  });
  if (status !== 0) throw new Error(stderr.toString());
  return stdout.toString();
};
const options = (): ProviderServerOptions => ({
  socket: socket(),
  runtimeVersion: '0.1.0',
  vaults,
  deadlineSeconds: 60,
  log: createLogger('test', {
    destination: {
      write(line) {
        logged += line;
      },
    },
  }),
});

beforeAll(async () => {
  bench = await startVolumeBench();
  kube = await startEmbeddedKube();
  bench.azure.trustIssuerCa(kube.caPem);
  openssl('req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -days 30 -subj /CN=self');
  openssl('pkcs12 -export -legacy -inkey k.pem -in c.pem -passout pass: -out c.pfx');
  const pfx = readFileSync(join(bench.directory, 'c.pfx')).toString('base64');
  versions = await bench.write({
    secrets: [
      { name: 'one', value: 'first' },
      { name: 'base64', value: Buffer.from([0, 255, 10]).toString('base64') },
      { name: 'big', value: 'x'.repeat(24_000) },
    ],
    keys: [{ name: 'ec', kty: 'EC', crv: 'P-256' }],
    certificates: [{ name: 'web', value: pfx }],
  });
  for (const value of ['v1', 'v2', 'v3', 'v4']) {
    // Vaults tell times in whole seconds.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    versions[value] = (await bench.write({ secrets: [{ name: 'many', value }] }))['many'] ?? '';
  }
  daemon = await startNmi({
    imds: async ({ url }) => {
      const resource = new URL(url, 'http://imds').searchParams.get('resource') ?? '';
      const access_token = await bench.client.token(`${resource}/.default`);
      const expires_on = String(Math.floor(Date.now() / 1000) + 3600);
      return { body: { access_token, expires_in: '3600', expires_on, resource, token_type: 'Bearer' } };
    },
  });
  await simple(daemon);
  const environment = Object.fromEntries(
    Object.entries(bench.azure.env()).filter(([name]) => !/_(TENANT|CLIENT)_/.test(name)),
  );
  // As the program does it: which authorities are trusted is read from there.
  Object.assign(process.env, { NODE_EXTRA_CA_CERTS: environment['NODE_EXTRA_CA_CERTS'] });
  const settings = { ...defaultSettings, machineIdentities: 'any' as const, environment };
  vaults = new VaultPool({
    settings,
    env: {},
    clock: systemClock,
    nodeDaemon: nodeDaemonAt(join(dirname(daemon.hostTokenFile), 'nmi.sock')),
  });
  server = await serveProvider(options());
  client = new ProviderClient(socket());
});
beforeEach(() => {
  bench.azure.faults.clear();
  logged = '';
});
afterAll(async () => {
  client?.close();
  await server?.close();
  await vaults?.close();
  await daemon?.[Symbol.asyncDispose]();
  await kube?.close();
  await bench?.[Symbol.asyncDispose]();
});

const listed = (...objects: Record<string, string>[]) =>
  `array:\n${objects
    .map(
      (object) =>
        `- |\n${Object.entries(object)
          .map(([key, value]) => `  ${key}: ${value}\n`)
          .join('')}`,
    )
    .join('')}`;
const secret = (name: string, more: Record<string, string> = {}) => ({
  objectName: name,
  objectType: 'secret',
  ...more,
});
/** As kubelet and the driver make them of a pod and its SecretProviderClass. */
const attributes = (objects: string, change: Record<string, string> = {}) => ({
  keyvaultName: vaultName,
  tenantId: bench.azure.tenantId,
  objects,
  secretProviderClass: 'vault',
  'csi.storage.k8s.io/pod.name': 'p',
  'csi.storage.k8s.io/pod.namespace': 'app',
  'csi.storage.k8s.io/pod.uid': daemon.kube.all(podsType)[0]?.metadata.uid ?? '',
  'csi.storage.k8s.io/serviceAccount.name': 'default',
  'csi.storage.k8s.io/ephemeral': 'true',
  ...change,
});
const principal = () => ({ secrets: { clientid: bench.app.clientId, clientsecret: bench.app.secret } });
const shown = ({ files }: MountResponse) =>
  Object.fromEntries(files.map(({ path, contents }) => [path, contents.toString('latin1')]));

describe('the protocol', () => {
  test('it is healthy as a whole and by its service, and knows no other', async () => {
    expect(await client.check()).toEqual({ status: 'SERVING' });
    expect(await client.check('v1alpha1.CSIDriverProvider')).toEqual({ status: 'SERVING' });
    await expect(client.check('other')).rejects.toMatchObject({ code: 5 });
  });

  test('the socket is for its owner alone, and nothing else is left beside it', () => {
    expect(statSync(socket()).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(bench.directory, 'providers'))).toEqual(['azure.sock']);
  });

  test('a socket that another program serves stays; a stale one is replaced', async () => {
    await expect(serveProvider(options())).rejects.toThrow(/Another provider serves .*azure\.sock/);
    expect(await client.check()).toEqual({ status: 'SERVING' });
    const stale = join(bench.directory, 'providers', 'stale.sock');
    // A program that is killed leaves its socket.
    const script = `require('node:net').createServer().listen(${JSON.stringify(stale)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', script]);
    expect(existsSync(stale)).toBe(true);
    const second = await serveProvider({ ...options(), socket: stale });
    const other = new ProviderClient(stale);
    expect(await other.check()).toEqual({ status: 'SERVING' });
    other.close();
    await second.close();
    expect(existsSync(stale)).toBe(false);
  });

  test('a name that the driver would not look for is refused', async () => {
    await expect(serveProvider({ ...options(), socket: join(bench.directory, 'azure') })).rejects.toThrow(/\.sock/);
  });

  test('bytes that are no gRPC, and a message that is none, harm nobody', async () => {
    const { createConnection } = await import('node:net');
    for (const bytes of ['GET / HTTP/1.1\r\n\r\n', Buffer.alloc(5000, 255)]) {
      const connection = createConnection(socket());
      connection.on('error', () => undefined).resume();
      connection.end(bytes);
      await new Promise((resolve) => connection.once('close', resolve));
    }
    expect(await client.refusal('')).toMatchObject({ code: 3 });
    expect(await client.check()).toEqual({ status: 'SERVING' });
  });

  test('a request beyond 4 MiB is refused', async () => {
    expect(await client.refusal(attributes('x'.repeat(5 * 1024 * 1024)), principal())).toMatchObject({ code: 8 });
  });
});

describe('the driver', () => {
  const volume = () => mkdtempSync(join(bench.directory, 'mount-'));

  test.each([
    ['1.6, which names localhost', 'localhost'],
    ['1.5 and before, which name the path of the socket', ''],
  ])('of %s has its files, and a second call switches them', async (_, authority) => {
    const driver = new ProviderClient(socket(), authority || socket());
    const target = volume();
    const mount = (...objects: Record<string, string>[]) =>
      mountAsDriver(driver, target, attributes(listed(...objects)), principal());
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
      const objects = attributes(listed(secret('one', { objectAlias: JSON.stringify(objectAlias) })));
      const answer = await client.mount(objects, principal()).catch(() => undefined);
      if (answer === undefined) continue;
      // The answer that it gave, once more.
      const target = volume();
      await mountAsDriver(client, target, objects, principal());
      expect(readFileSync(join(target, objectAlias), 'utf8')).toBe('first');
      expect(paths.slice(0, 7)).toContain(objectAlias);
    }
  });

  test('asks only once where a call fails, and fails a class without objects', async () => {
    bench.azure.journal.clear();
    await expect(mountAsDriver(client, volume(), attributes(listed(secret('absent'))), principal())).rejects.toThrow(
      /NOT_FOUND: .*objectName:absent/,
    );
    expect(bench.azure.journal.entries().filter(({ service }) => service === 'vault')).toHaveLength(1);
    await expect(mountAsDriver(client, volume(), attributes('array: []'), principal())).rejects.toThrow(
      /missing object versions/,
    );
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
    const answer = await client.mount(attributes(objects), { ...principal(), permission: '288' });
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
    const three = await client.mount(attributes(listed(secret('many', { objectVersionHistory: '3' }))), principal());
    expect(shown(three)).toEqual({ 'many/0': 'v4', 'many/1': 'v3', 'many/2': 'v2' });
    expect(three.object_version.map(({ id }) => id)).toEqual(['secret/many/0', 'secret/many/1', 'secret/many/2']);
    const from = secret('many', { objectVersionHistory: '9', objectVersion: versions['v2'] ?? '', objectAlias: 'old' });
    expect(shown(await client.mount(attributes(listed(from)), principal()))).toEqual({ 'old/0': 'v2', 'old/1': 'v1' });
    const strange = secret('many', { objectVersionHistory: '2', objectVersion: 'f00d' });
    expect((await client.refusal(attributes(listed(strange)), principal())).details).toMatch(/no such version/);
  });

  test('certificate and key are also files of their own where separateFiles is set', async () => {
    const second = await serveProvider({
      ...options(),
      socket: join(bench.directory, 'separate.sock'),
      separateFiles: true,
    });
    const other = new ProviderClient(join(bench.directory, 'separate.sock'));
    const files = shown(await other.mount(attributes(listed(secret('web'))), principal()));
    expect(Object.keys(files)).toEqual(['web.crt', 'web.key', 'web']);
    expect(files['web']).toBe(`${files['web.key']}${files['web.crt']}`);
    other.close();
    await second.close();
  });

  test.each([
    ['two objects of one name', listed(secret('one'), secret('many', { objectAlias: 'one' }))],
    ['a file where another has a directory', listed(secret('one'), secret('many', { objectAlias: 'one/x' }))],
  ])('%s are refused', async (_, objects) => {
    expect(await client.refusal(attributes(objects), principal())).toMatchObject({
      code: 3,
      details: expect.stringMatching(/would both be the file "one"/),
    });
  });

  test('more than the driver takes at once is refused with what to do', async () => {
    const objects = listed(...Array.from({ length: 180 }, (_, index) => secret('big', { objectAlias: `f${index}` })));
    expect(await client.refusal(attributes(objects), principal())).toMatchObject({
      code: 8,
      details: expect.stringMatching(/spread the objects over several SecretProviderClasses/),
    });
    const fits = listed(...Array.from({ length: 170 }, (_, index) => secret('big', { objectAlias: `f${index}` })));
    expect((await client.mount(attributes(fits), principal())).files).toHaveLength(170);
  });
});

describe('the identity that reads the vault', () => {
  test('a machine identity, the system-assigned or the one that is named', async () => {
    const system = bench.azure.addIdentity({ systemAssigned: true });
    const user = bench.azure.addIdentity();
    const mount = (change: Record<string, string>) =>
      client.mount(attributes(listed(secret('one')), { useVMManagedIdentity: 'true', ...change }));
    await expect(mount({})).rejects.toMatchObject({ code: 7 });
    bench.azure.assignRole(system.objectId, 'Key Vault Secrets User', bench.vaultId);
    bench.azure.assignRole(user.objectId, 'Key Vault Secrets User', bench.vaultId);
    expect(shown(await mount({}))).toEqual({ one: 'first' });
    expect(shown(await mount({ userAssignedIdentityID: user.clientId }))).toEqual({ one: 'first' });
  });

  test("the pod's identity, from the node daemon", async () => {
    const pod = { usePodIdentity: 'true' };
    expect(shown(await client.mount(attributes(listed(secret('one')), pod)))).toEqual({ one: 'first' });
    const stranger = attributes(listed(secret('one')), { ...pod, 'csi.storage.k8s.io/pod.name': 'stranger' });
    const refused = await client.refusal(stranger, { deadlineMs: 8000 });
    expect(refused.details).toMatch(/node daemon .*(404|within)/);
  });

  test("the pod's service account, by the token that kubelet hands over", async () => {
    const id = `${bench.vaultId.split('/providers/')[0]}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/workload`;
    const { properties } = (await bench.client.arm('PUT', id, '2023-01-31', { location: 'westus2' })).body;
    bench.azure.assignRole(properties.principalId, 'Key Vault Secrets User', bench.vaultId);
    const audiences = ['api://AzureADTokenExchange'];
    const token = await kube.tokenFor({ namespace: 'default', name: 'default' }, { audiences });
    const account = {
      clientID: properties.clientId,
      'csi.storage.k8s.io/serviceAccount.tokens': JSON.stringify({ [audiences[0] ?? '']: { token } }),
    };
    const mount = attributes(listed(secret('one')), account);
    const refused = await client.refusal(mount);
    expect(refused).toMatchObject({ code: 7, details: expect.stringMatching(/AADSTS70021/) });
    expect(refused.details + logged).not.toContain(token);
    const subject = 'system:serviceaccount:default:default';
    await bench.client.arm('PUT', `${id}/federatedIdentityCredentials/default`, '2023-01-31', {
      properties: { issuer: kube.issuerUrl, subject, audiences },
    });
    expect(shown(await client.mount(mount))).toEqual({ one: 'first' });
  });

  test('a pod that is not authenticated is refused before anything is asked', async () => {
    const place = join(bench.directory, 'policy.sock');
    const authenticate: ProviderServerOptions['authenticate'] = async ({ pod }) => {
      throw new AzimuthError('AZ_VOLUME_REFUSED', `no pod of this node has the uid ${pod.uid}`);
    };
    const second = await serveProvider({ ...options(), socket: place, authenticate });
    const other = new ProviderClient(place);
    bench.azure.journal.clear();
    expect(await other.refusal(attributes(listed(secret('one'))), principal())).toEqual({
      code: 7,
      details: expect.stringMatching(/^AZ_VOLUME_REFUSED: no pod of this node has the uid uid-\d+$/),
    });
    expect(bench.azure.journal.entries()).toEqual([]);
    other.close();
    await second.close();
  });
});

describe('when something fails', () => {
  test.each([
    ['429', { status: 429, headers: { 'retry-after': '1' }, body: { error: { code: 'Throttled', message: 'm' } } }],
    ['503', { status: 503, body: 'unavailable' }],
    ['a cut connection', { connection: 'drop' as const }],
  ])('it goes on after %s', async (_, fault) => {
    bench.azure.faults.add({ service: 'vault', times: 1, ...fault });
    expect(shown(await client.mount(attributes(listed(secret('one'))), principal()))).toEqual({ one: 'first' });
  });

  test('an object that is not there is named, with what it was asked for as', async () => {
    expect(await client.refusal(attributes(listed(secret('absent'))), principal())).toEqual({
      code: 5,
      details: expect.stringMatching(
        /^AZ_KEYVAULT_REFUSED: failed to get objectType:secret, objectName:absent, objectVersion:: .*404 SecretNotFound/,
      ),
    });
    expect(logged).toMatch(/"pod":"p".*objectName:absent/);
  });

  test('no refusal contains a secret', async () => {
    const wrong = 'a very/wrong+secret';
    const refused = await client.refusal(attributes(listed(secret('one'))), {
      secrets: { clientid: bench.app.clientId, clientsecret: wrong },
    });
    expect(refused).toMatchObject({ code: 7, details: expect.stringMatching(/AADSTS7000215/) });
    for (const text of [wrong, encodeURIComponent(wrong)]) expect(refused.details + logged).not.toContain(text);
    expect(logged).not.toContain(bench.app.secret);
  });

  test('the reason arrives before the deadline of the caller', async () => {
    bench.azure.faults.add({ service: 'vault', connection: 'hang', times: 0 });
    const refused = await client.refusal(attributes(listed(secret('one'))), { ...principal(), deadlineMs: 8000 });
    expect(refused).toMatchObject({ code: 4, details: expect.stringMatching(/not there within \d s/) });
  });

  test('a stop waits for calls under way', async () => {
    const place = join(bench.directory, 'stopping.sock');
    const answers: string[] = [];
    const second = await serveProvider({ ...options(), socket: place, onAnswer: (result) => answers.push(result) });
    const other = new ProviderClient(place);
    const body = { error: { code: 'Throttled', message: 'm' } };
    bench.azure.faults.add({ service: 'vault', times: 1, status: 429, headers: { 'retry-after': '1' }, body });
    const pending = other.mount(attributes(listed(secret('one'))), principal());
    await bench.faultsHit();
    await second.close(60_000);
    expect(answers).toEqual(['mounted']);
    expect(shown(await pending)).toEqual({ one: 'first' });
    other.close();
  });

  test('a stop ends calls that take longer than its grace, with the reason', async () => {
    const place = join(bench.directory, 'stopped.sock');
    const second = await serveProvider({ ...options(), socket: place });
    const other = new ProviderClient(place);
    bench.azure.faults.add({ service: 'vault', connection: 'hang', times: 0 });
    const pending = other.refusal(attributes(listed(secret('one'))), principal());
    await bench.faultsHit();
    await second.close(50);
    expect(await pending).toEqual({ code: 4, details: expect.stringMatching(/is being stopped; it is tried again/) });
    expect(existsSync(place)).toBe(false);
    other.close();
  });

  test('a hundred mounts at once are all answered', async () => {
    const objects = attributes(listed(secret('one'), { objectName: 'web', objectType: 'cert' }));
    const answers = await Promise.all(Array.from({ length: 100 }, () => client.mount(objects, principal())));
    for (const answer of answers) expect(answer.files).toHaveLength(2);
  });
});
