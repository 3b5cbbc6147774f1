import { existsSync, mkdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { isMounted, mountsBelow } from '../../../runtime/volumes/mount/mounts.ts';
import { parseSettings } from '../../../runtime/volumes/options/settings.ts';
import { canMount, filesOf, startVolumeBench, type VolumeBench, vaultName } from '../support.ts';

let bench: VolumeBench;
let versions: Record<string, string>;

beforeAll(async () => {
  bench = await startVolumeBench();
  versions = await bench.write({
    secrets: [
      { name: 'password', value: 'old' },
      { name: 'unicode', value: 'ünïcödé\n\t"quoted"\u0000' },
      { name: 'big', value: 'x'.repeat(24_000) },
    ],
    keys: [
      { name: 'rsa', kty: 'RSA' },
      { name: 'ec', kty: 'EC', crv: 'P-384' },
    ],
  });
  const old = versions['password'] ?? '';
  versions = { ...versions, ...(await bench.write({ secrets: [{ name: 'password', value: 'new' }] })), old };
});
beforeEach(() => {
  bench.azure.faults.clear();
  bench.azure.journal.clear();
  bench.settings({});
});
afterAll(async () => bench?.[Symbol.asyncDispose]());

const one = (change: Record<string, string | undefined> = {}) =>
  bench.options({ keyvaultobjectnames: 'password', keyvaultobjecttypes: 'secret', ...change });
let count = 0;
const fresh = () => bench.volume(`v${count++}`);

/** Whatever fails leaves nothing, tells of no secret, and is one document. */
async function expectFailure(directory: string, options: string, message: string | RegExp): Promise<string> {
  const call = await bench.kv('mount', directory, options);
  expect(call).toMatchObject({ code: 0, stderr: '', document: { status: 'Failure' } });
  expect(call.document.message).toMatch(message);
  expect(mountsBelow(bench.stateDirectory)).toEqual([]);
  expect(isMounted(directory)).toBe(false);
  expect(existsSync(directory) ? filesOf(directory) : {}).toEqual({});
  expect(call.stdout).not.toContain(bench.app.secret);
  return call.document.message as string;
}

describe('without mounting', () => {
  test.each([
    ['no command', []],
    ['an unknown command', ['getvolumename', '{}']],
    ['attach', ['attach', '{}', 'node']],
  ])('%s is not supported', async (_, args) => {
    const call = await bench.kv(...args);
    expect(call).toMatchObject({ code: 0, stdout: '{"status":"Not supported"}\n', stderr: '' });
  });

  test('init needs no settings that can be read', async () => {
    writeFileSync(bench.settingsFile, '{');
    const call = await bench.kv('init');
    expect(call).toMatchObject({
      code: 0,
      stderr: '',
      document: { status: 'Success', capabilities: { attach: false } },
    });
    const mount = await bench.kv('mount', fresh(), one());
    expect(mount).toMatchObject({ code: 0, stderr: '', document: { status: 'Failure' } });
    expect(mount.document.message).toMatch(/settings .* no JSON document/);
  });

  test('a document that is no JSON is refused without being repeated', async () => {
    await expectFailure(fresh(), `{"kubernetes.io/secret/clientsecret":"${bench.app.secret}"`, /no JSON document/);
  });

  test('a pod that names another pod than kubelet mounts for is refused', async () => {
    await expectFailure(fresh(), one({ 'kubernetes.io/pod.uid': 'other' }), /belongs to the pod with uid 6f0e9c1a/);
  });
});

const mounting = canMount ? describe : describe.skip;

mounting('on a mount', () => {
  test('files have the bytes, owner and mode; the volume its flags; unmount leaves nothing', async () => {
    const directory = fresh();
    const options = bench.options({
      keyvaultobjectnames: 'password;unicode;rsa;password',
      keyvaultobjecttypes: 'secret;secret;key;secret',
      keyvaultobjectaliases: ';text.bin;;before',
      keyvaultobjectversions: `;;;${versions['old']}`,
      'kubernetes.io/mounterArgs.FsGroup': '2345',
      region: 'West US 2',
    });
    expect(await bench.kv('mount', directory, options)).toMatchObject({ code: 0, stdout: '{"status":"Success"}\n' });
    const files = filesOf(directory);
    expect(files).toEqual({
      password: 'new',
      before: 'old',
      'text.bin': Buffer.from('ünïcödé\n\t"quoted"\u0000').toString('latin1'),
      rsa: expect.stringMatching(/^[\w-]{342}$/),
    });
    expect(readlinkSync(join(directory, 'password'))).toBe('..data/password');
    const { mode, uid, gid } = statSync(join(directory, 'password'));
    expect({ mode: mode & 0o7777, uid, gid }).toEqual({ mode: 0o440, uid: 0, gid: 2345 });
    const line = readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .find((each) => each.includes(`${directory} `));
    expect(line).toMatch(/nosuid,nodev,noexec.* - tmpfs .*size=16384k,nr_inodes=4096,mode=755/);
    expect(mountsBelow(bench.stateDirectory)).toEqual([]);

    expect(await bench.kv('mount', directory, '{}')).toMatchObject({ code: 0, document: { status: 'Success' } });
    expect(filesOf(directory)).toEqual(files);
    expect(await bench.kv('unmount', directory)).toMatchObject({ code: 0, stdout: '{"status":"Success"}\n' });
    expect(existsSync(directory)).toBe(false);
    expect(await bench.kv('unmount', directory)).toMatchObject({ code: 0, document: { status: 'Success' } });
  });

  test('the mode and group come from the pod, then from the node', async () => {
    bench.settings({ filePermission: '0444' });
    const [first, second] = [fresh(), fresh()];
    await bench.kv('mount', first, one());
    await bench.kv('mount', second, one({ filepermission: '0640', fsgroup: '7' }));
    const of = (directory: string) => {
      const { mode, gid } = statSync(join(directory, 'password'));
      return [mode & 0o777, gid];
    };
    expect([of(first), of(second)]).toEqual([
      [0o444, 0],
      [0o640, 7],
    ]);
  });

  test('one secret takes one request for a token and one to the vault; an object listed twice is read once', async () => {
    const options = {
      keyvaultobjectnames: 'password;password',
      keyvaultobjecttypes: 'secret;secret',
      keyvaultobjectaliases: 'a;b',
    };
    expect(await bench.kv('mount', fresh(), bench.options(options))).toMatchObject({
      code: 0,
      document: { status: 'Success' },
    });
    expect(bench.azure.journal.entries().map(({ service, status }) => [service, status])).toEqual([
      ['aad', 200],
      ['vault', 200],
    ]);
  });

  test('the log has a line for each call, none with a secret, and is rotated', async () => {
    writeFileSync(bench.logFile, 'x'.repeat(1_100_000));
    await bench.kv('mount', fresh(), one());
    expect(readFileSync(`${bench.logFile}.1`, 'utf8')).toHaveLength(1_100_000);
    const log = readFileSync(bench.logFile, 'utf8');
    expect(JSON.parse(log)).toMatchObject({ command: 'mount', status: 'Success', ms: expect.any(Number) });
    expect(log).not.toContain(bench.app.secret);
  });

  test('a directory that was not there is made, and removed where the mount fails', async () => {
    const directory = join(bench.directory, 'new', 'one');
    await expectFailure(directory, one({ keyvaultobjectnames: 'absent' }), /"absent"/);
    expect(existsSync(directory)).toBe(false);
    expect(await bench.kv('mount', directory, one())).toMatchObject({ code: 0, document: { status: 'Success' } });
  });

  test('files that do not fit leave nothing, and the message says what to raise', async () => {
    bench.settings({ volumeBytes: 16_384 });
    await expectFailure(
      fresh(),
      one({ keyvaultobjectnames: 'big' }),
      /more than the 16384 bytes of the volume; raise volumeBytes/,
    );
  });
});

mounting('when something fails', () => {
  test('an object that is not there is named, with the vault', async () => {
    const directory = fresh();
    await expectFailure(directory, one({ keyvaultobjectnames: 'absent' }), /kvtest.* "absent": 404 SecretNotFound/);
  });

  test('a refusal names the vault, the identity and the permission', async () => {
    const stranger = bench.azure.registerApp();
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const options = one({
      'kubernetes.io/secret/clientid': base64(stranger.clientId),
      'kubernetes.io/secret/clientsecret': base64(stranger.secret),
    });
    const message = await expectFailure(fresh(), options, /kvtest/);
    expect(message).toContain("the identity needs the permission 'get' on secrets");
    expect(message).toContain(stranger.clientId);
    expect(message).not.toContain(stranger.secret);
  });

  test('a wrong client secret is reported with the code of Microsoft Entra ID', async () => {
    const wrong = 'a-very-wrong-secret';
    const options = one({ 'kubernetes.io/secret/clientsecret': Buffer.from(wrong).toString('base64') });
    expect(await expectFailure(fresh(), options, /AADSTS7000215/)).not.toContain(wrong);
    expect(readFileSync(bench.logFile, 'utf8')).not.toContain(wrong);
  });

  test('a vault in another region is refused', async () => {
    await expectFailure(fresh(), one({ region: 'eastus' }), /kvtest is in the region westus2, not in eastus/);
  });

  test.each([
    [429, { 'retry-after': '1' }],
    [503, {}],
  ])('a vault that answers %d is asked again', async (status, headers) => {
    bench.azure.faults.add({
      service: 'vault',
      status,
      headers,
      times: 2,
      body: { error: { code: 'Throttled', message: 'm' } },
    });
    const started = performance.now();
    expect(await bench.kv('mount', fresh(), one())).toMatchObject({ code: 0, document: { status: 'Success' } });
    if (status === 429) expect(performance.now() - started).toBeGreaterThanOrEqual(2000);
    expect(bench.azure.journal.entries().filter(({ service }) => service === 'vault')).toHaveLength(3);
  });

  test('a Retry-After beyond the deadline ends the call at once', async () => {
    const headers = { 'retry-after': '3600' };
    bench.azure.faults.add({
      service: 'vault',
      status: 429,
      headers,
      times: 0,
      body: { error: { code: 'Throttled', message: 'm' } },
    });
    const started = performance.now();
    await expectFailure(fresh(), one(), /429 Throttled.*next try is due in 3600 s/);
    expect(performance.now() - started).toBeLessThan(45_000);
  });

  test('a vault that never answers meets the deadline', async () => {
    bench.settings({ deadlineSeconds: 5 });
    bench.azure.faults.add({ service: 'vault', connection: 'hang', times: 0 });
    await expectFailure(fresh(), one(), /not there within 5 s/);
  });

  test('a failure that is repeated until the deadline is reported with it', async () => {
    bench.settings({ deadlineSeconds: 6 });
    const body = { error: { code: 'Unwell', message: 'm' } };
    bench.azure.faults.add({ service: 'vault', status: 503, times: 1, body });
    bench.azure.faults.add({ service: 'vault', connection: 'hang', times: 0 });
    await expectFailure(fresh(), one(), /503 Unwell.*what ended the call: .*not there within 6 s/);
  });

  test('a connection that is cut is made again', async () => {
    bench.azure.faults.add({ service: 'vault', connection: 'drop', times: 1 });
    expect(await bench.kv('mount', fresh(), one())).toMatchObject({ code: 0, document: { status: 'Success' } });
  });

  test('a vault whose name no name server knows is named', async () => {
    const environment = {
      ...Object.fromEntries(
        Object.entries(bench.azure.env()).filter(([name]) => !/TENANT|CLIENT|SUBSCRIPTION/.test(name)),
      ),
      AZURE_KEYVAULT_DNS_SUFFIX: 'vault.invalid',
      AZURE_KEYVAULT_AUDIENCE: 'https://vault.localhost',
    };
    bench.settings({ environment, deadlineSeconds: 10 });
    await expectFailure(fresh(), one(), new RegExp(`${vaultName}.vault.invalid|within 10 s`));
  });

  test('a directory that cannot be made is reported', async () => {
    const file = join(bench.directory, 'file');
    writeFileSync(file, '');
    const call = await bench.kv('mount', join(file, 'below'), one());
    expect(call).toMatchObject({ code: 0, stderr: '', document: { status: 'Failure' } });
    expect(call.document.message).toMatch(/ENOTDIR|EEXIST/);
  });

  test.each(['relative/path', '/a/../etc', '/', '//x//y', '/onlyone', '/a/b\nc'])(
    'the directory %j is refused',
    async (directory) => {
      for (const args of [
        ['mount', directory, one()],
        ['unmount', directory],
      ]) {
        const call = await bench.kv(...args);
        expect(call).toMatchObject({ code: 0, stderr: '', document: { status: 'Failure' } });
        expect(call.document.message).toMatch(/directory of the volume/);
      }
    },
  );
});

mounting('as an identity of the machine', () => {
  test('IMDS is asked for the client id given, else for the system-assigned one', async () => {
    const system = bench.azure.addIdentity({ systemAssigned: true });
    const user = bench.azure.addIdentity();
    for (const { objectId } of [system, user])
      bench.azure.assignRole(objectId, 'Key Vault Secrets User', bench.vaultId);
    const machine = {
      'kubernetes.io/secret/clientid': undefined,
      'kubernetes.io/secret/clientsecret': undefined,
      usevmmanagedidentity: 'true',
    };
    bench.settings({ machineIdentities: 'any' });
    for (const clientId of ['', user.clientId]) {
      const directory = fresh();
      const call = await bench.kv('mount', directory, one({ ...machine, vmmanagedidentityclientid: clientId }));
      expect(call).toMatchObject({ code: 0, document: { status: 'Success' } });
      expect(filesOf(directory)).toEqual({ password: 'new' });
    }
    // What is attached for the pods of others is on the machine too.
    for (const [allowed, clientId, refused] of [
      [[user.clientId.toUpperCase()], user.clientId, /^$/],
      [[user.clientId], '', /AZ_VOLUME_REFUSED: .*machineIdentities.* the machine's system-assigned identity;/],
      [['system'], '', /^$/],
      [['system'], user.clientId, /AZ_VOLUME_REFUSED: .* the machine's identity [-0-9a-f]{36};/],
      [[], '', /AZ_VOLUME_REFUSED/],
      // The default.
      [{}, user.clientId, /AZ_VOLUME_REFUSED/],
    ] as const) {
      bench.settings(Array.isArray(allowed) ? { machineIdentities: allowed } : {});
      const call = await bench.kv('mount', fresh(), one({ ...machine, vmmanagedidentityclientid: clientId }));
      expect(call.document.message ?? '').toMatch(refused);
    }
    expect(() => parseSettings('{"machineIdentities":"none"}', 'f')).toThrow(/machineIdentities of f.*`any`/);
  });
});

mounting('in a private cloud', () => {
  test('that the settings describe, volumes that name it are read there', async () => {
    const env = bench.azure.env();
    const cloud = {
      activeDirectoryEndpoint: env['AZURE_AUTHORITY_HOST'],
      keyVaultDNSSuffix: env['AZURE_KEYVAULT_DNS_SUFFIX'],
      keyVaultEndpoint: env['AZURE_KEYVAULT_AUDIENCE'],
    };
    bench.settings({ environment: { NODE_EXTRA_CA_CERTS: env['NODE_EXTRA_CA_CERTS'] }, cloud });
    const directory = fresh();
    const call = await bench.kv('mount', directory, one({ cloudname: 'AzureStackCloud' }));
    expect(call).toMatchObject({ code: 0, document: { status: 'Success' } });
    expect(filesOf(directory)).toEqual({ password: 'new' });
    for (const wrong of [
      { cloud: {} },
      { cloud: { ...cloud, activeDirectoryEndpoint: 'http://adfs' } },
      { cloud: [] },
    ]) {
      expect(() => parseSettings(JSON.stringify(wrong), 'f')).toThrow(/cloud of f/);
    }
  });
});

test('nothing of the state directory is open to others', () => {
  mkdirSync(bench.stateDirectory, { recursive: true, mode: 0o700 });
  expect(statSync(bench.stateDirectory).mode & 0o077).toBe(0);
});
