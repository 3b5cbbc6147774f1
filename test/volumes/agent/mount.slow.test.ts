import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import type { VolumePolicy } from '../../../runtime/api/volumes/policy.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { isMounted, mountsBelow } from '../../../runtime/volumes/mount/mounts.ts';
import { driverBundle } from '../../../tools/build-kv.ts';
import { type FakeAnswer, FakeAzure } from '../../fakes/azure-server.ts';
import { LocalKube } from '../../fakes/local-kube.ts';
import { startUnixProxy } from '../../fakes/unix-proxy.ts';
import { canMount, filesOf, startVolumeBench, type VolumeBench } from '../support.ts';
import { type AgentHarness, putPod, socketOf, startAgent } from './harness.ts';

let bench: VolumeBench;
let nmi: FakeAzure;
let nmiSocket: string;
let harness: AgentHarness;
let pod: KubeObject;
let policy: VolumePolicy | undefined;
let answer: () => Promise<FakeAnswer>;

beforeAll(async () => {
  bench = await startVolumeBench();
  await bench.write({ secrets: ['password', 'other'].map((name) => ({ name, value: `the ${name}` })) });
  nmi = await FakeAzure.start(() => answer(), { plain: true });
  // As kubelet makes it for the pod, open to read.
  mkdirSync(dirname(socketOf(bench)), { mode: 0o755 });
  nmiSocket = await startUnixProxy(join(bench.directory, 'nmi.sock'), nmi.port);
  harness = await startAgent(bench, { args: [`--nmi-socket=${nmiSocket}`] });
  pod = await putPod(harness.kube);
});
beforeEach(() => {
  bench.azure.faults.clear();
  bench.azure.journal.clear();
  bench.settings({ agentSocket: socketOf(bench) });
  policy = undefined;
  answer = async () => {
    const access_token = await bench.client.token('https://vault.localhost/.default');
    const expires_on = String(Math.floor(Date.now() / 1000) + 3600);
    const token = { access_token, expires_in: '3600', expires_on, resource: 'r', token_type: 'Bearer' };
    return { body: { token, clientid: 'id', binding: { namespace: 'shop', name: 'web', volumes: policy } } };
  };
});
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await nmi?.[Symbol.asyncDispose]();
  await bench?.[Symbol.asyncDispose]();
});

let count = 0;
const fresh = (podUid = pod.metadata.uid) => bench.volume(`v${count++}`, podUid);
const one = (change: Record<string, string | undefined> = {}) =>
  bench.options({
    keyvaultobjectnames: 'password',
    keyvaultobjecttypes: 'secret',
    'kubernetes.io/pod.uid': pod.metadata.uid,
    ...change,
  });
const asPod = (change: Record<string, string | undefined> = {}) =>
  one({
    'kubernetes.io/secret/clientid': undefined,
    'kubernetes.io/secret/clientsecret': undefined,
    usepodidentity: 'true',
    ...change,
  });

async function refusal(directory: string, options: string): Promise<string> {
  const call = await bench.kv('mount', directory, options);
  expect(call).toMatchObject({ code: 0, stderr: '', document: { status: 'Failure' } });
  expect(isMounted(directory)).toBe(false);
  expect(mountsBelow(bench.stateDirectory)).toEqual([]);
  expect(call.stdout).not.toContain(bench.app.secret);
  return call.document.message as string;
}

test('only root may ask: the socket is 0600 in a directory of 0700', () => {
  expect(statSync(harness.socket).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(harness.socket)).mode & 0o777).toBe(0o700);
});

test('a pod is authenticated by its uid and by every other member of the request', async () => {
  const { namespace = '', name, uid = '' } = pod.metadata;
  const authenticate = (claimed: object) =>
    harness.agent.pods.authenticate(
      uid,
      { namespace: '', name: '', uid: '', ...claimed },
      new AbortController().signal,
    );
  expect(await authenticate({})).toEqual({ namespace, name, uid });
  for (const claimed of [{ namespace: 'other' }, { name: 'other' }, { uid: 'other' }]) {
    await expect(authenticate(claimed)).rejects.toThrow(/options say that it is the pod .*, but it is shop\/web-0/);
  }
});

test('the driver loads no TLS, no HTTP and no cryptography where an agent answers', async () => {
  const entryPoints = ['driver/main', 'driver/driver', 'mount/system-mounts'].map(
    (name) => `runtime/volumes/${name}.ts`,
  );
  const { metafile } = await build({ ...driverBundle, entryPoints, write: false, metafile: true, outdir: 'out' });
  const loaded = new Set<string>();
  const visit = (file: string) => {
    for (const { path, kind, external } of metafile.inputs[file]?.imports ?? []) {
      if (kind === 'dynamic-import' || loaded.has(path)) continue;
      loaded.add(path);
      if (!external) visit(path);
    }
  };
  for (const entry of entryPoints) visit(entry);
  const builtIns = [...loaded].filter((path) => /^(node:|bun)/.test(path)).sort();
  expect(builtIns).toEqual(['bun', 'bun:ffi', 'node:fs', 'node:path']);
});

describe('what is no driver', () => {
  const send = (text: string) =>
    new Promise<string>((resolve) => {
      let said = '';
      const socket = connect(harness.socket);
      socket.on('data', (part) => {
        said += part;
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(said));
      socket.end(text);
    });

  test.each([
    ['no JSON', '{'],
    ['other JSON', '[1]'],
    ['a call without a document', '{"directory":"/x/y"}'],
    ['too much', 'x'.repeat(2_000_000)],
  ])('%s is answered by nothing, and the agent goes on', async (_, text) => {
    expect(await send(text)).toBe('');
    expect(await send(JSON.stringify({ directory: '/x/y', document: '{}' }))).toMatch(/validation failed/);
  });
});

const mounting = canMount ? describe : describe.skip;

mounting('with an agent', () => {
  test('the agent reads the vault, and tokens serve mounts after the first', async () => {
    const directories = [fresh(), fresh()];
    for (const directory of directories) {
      expect(await bench.kv('mount', directory, one({ fsgroup: '7' }))).toMatchObject({
        code: 0,
        stderr: '',
        document: { status: 'Success' },
      });
      expect(filesOf(directory)).toEqual({ password: 'the password' });
      expect(statSync(join(directory, 'password'))).toMatchObject({ uid: 0, gid: 7 });
    }
    expect(bench.azure.journal.entries().map(({ service }) => service)).toEqual(['aad', 'vault', 'vault']);
    expect(await harness.metrics()).toMatch(/azimuth_volumes_mounts_total\{result="mounted"\} 2/);
  });

  test('a token is not for who has another secret', async () => {
    const options = one({ 'kubernetes.io/secret/clientsecret': Buffer.from('wrong-secret').toString('base64') });
    expect(await refusal(fresh(), options)).toMatch(/AADSTS7000215/);
  });

  test('a mistake in the options has the same error as without an agent', async () => {
    expect(await refusal(fresh(), one({ keyvaultname: '' }))).toBe('validation failed, keyvaultname is empty');
  });

  test('the error of a vault that refuses names the permission to grant', async () => {
    const stranger = bench.azure.registerApp();
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const options = one({
      'kubernetes.io/secret/clientid': base64(stranger.clientId),
      'kubernetes.io/secret/clientsecret': base64(stranger.secret),
    });
    expect(await refusal(fresh(), options)).toMatch(/^AZ_KEYVAULT_REFUSED: .* needs the permission 'get' on secrets/);
  });

  test('without refresh nothing is kept of a volume', async () => {
    expect(await bench.kv('mount', fresh(), one())).toMatchObject({ code: 0, document: { status: 'Success' } });
    expect(existsSync(join(dirname(harness.socket), 'mounts'))).toBe(false);
  });

  test('with refresh a record is kept for root alone, and goes with the volume', async () => {
    const directory = fresh();
    expect(await bench.kv('mount', directory, one({ refresh: 'true' }))).toMatchObject({
      code: 0,
      document: { status: 'Success' },
    });
    const records = join(dirname(harness.socket), 'mounts');
    const [record = ''] = readdirSync(records);
    expect(statSync(records).mode & 0o777).toBe(0o700);
    expect(statSync(join(records, record)).mode & 0o777).toBe(0o600);
    expect(await bench.kv('unmount', directory)).toMatchObject({ code: 0, document: { status: 'Success' } });
    expect(readdirSync(records)).toEqual([]);
  });
});

mounting("as the pod's identity", () => {
  test('the node daemon is asked for the pod that the API server knows by the uid of the path', async () => {
    const directory = fresh();
    nmi.requests.length = 0;
    const call = await bench.kv('mount', directory, asPod({ nmiport: '1', 'kubernetes.io/pod.uid': undefined }));
    expect(call).toMatchObject({ code: 0, document: { status: 'Success' } });
    expect(filesOf(directory)).toEqual({ password: 'the password' });
    expect(nmi.requests.map(({ headers }) => headers)).toEqual([
      expect.objectContaining({
        podns: 'shop',
        podname: 'web-0',
        poduid: pod.metadata.uid,
      }),
    ]);
    // The socket is root's, so nothing secret has to be sent.
    expect(nmi.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test.each([
    ['name', { 'kubernetes.io/pod.name': 'victim' }, /is the pod shop\/victim, but it is shop\/web-0/],
    ['namespace', { 'kubernetes.io/pod.namespace': 'other' }, /is the pod other\/web-0, but it is shop\/web-0/],
    ['uid', { 'kubernetes.io/pod.uid': 'another' }, /belongs to the pod with uid uid-\d+, but the options say another/],
  ])('a pod that takes the %s of another has no volume', async (_, change, message) => {
    nmi.requests.length = 0;
    expect(await refusal(fresh(), asPod(change))).toMatch(message);
    expect(nmi.requests).toEqual([]);
  });

  test('a uid that the API server does not know has none', async () => {
    const message = await refusal(fresh('no-such-uid'), asPod({ 'kubernetes.io/pod.uid': 'no-such-uid' }));
    expect(message).toMatch(/^AZ_VOLUME_REFUSED: .*no pod of this node has the uid no-such-uid/);
  });

  test('a pod that the watch shows a moment later is waited for', async () => {
    const late = new LocalKube();
    const socket = join(bench.directory, 'late', 'agent.sock');
    const args = [`--nmi-socket=${nmiSocket}`];
    await using other = await startAgent(bench, { kube: late, socket, args, pods: { waitMs: 60_000 } });
    const call = { directory: fresh('uid-1'), document: asPod({ 'kubernetes.io/pod.uid': 'uid-1' }) };
    const content = other.agent.mounts.mount(call, AbortSignal.timeout(60_000), (read) => read);
    await putPod(late);
    expect((await content).files.map(({ name }) => name)).toEqual(['password']);
  });

  test.each<[VolumePolicy, RegExp]>([
    [
      { vaults: ['elsewhere'] },
      /AzureIdentityBinding shop\/web does not admit the volume: the vault kvtest is not among/,
    ],
    [{ objects: ['secret/web-*'] }, /the secret "password" is not among secret\/web-\*/],
  ])('a binding that says %j refuses what it does not name', async (limits, message) => {
    policy = limits;
    expect(await refusal(fresh(), asPod())).toMatch(message);
    expect(bench.azure.journal.entries().filter(({ service }) => service === 'vault')).toEqual([]);
  });

  test('a binding that names the vault and the object admits it', async () => {
    policy = { vaults: ['kv*'], objects: ['secret/pass*'] };
    expect((await bench.kv('mount', fresh(), asPod())).document).toEqual({ status: 'Success' });
  });

  test('a volume is refused when the node daemon does not name the binding', async () => {
    const full = answer;
    answer = async () => {
      const { body } = (await full()) as { body: { binding?: object } };
      return { body: { ...body, binding: undefined } };
    };
    expect(await refusal(fresh(), asPod())).toMatch(/does not name the AzureIdentityBinding.*update it/);
  });

  test('an identity that is still being assigned is waited for', async () => {
    const full = answer;
    let calls = 0;
    answer = async () => (++calls < 3 ? { status: 404, headers: { 'retry-after': '0' }, body: 'no identity' } : full());
    expect((await bench.kv('mount', fresh(), asPod())).document).toEqual({ status: 'Success' });
    expect(calls).toBe(3);
  });

  test('a refusal is reported with its reason and not asked again', async () => {
    nmi.requests.length = 0;
    answer = async () => ({ status: 403, body: 'the identity is not available now: closed until Monday' });
    expect(await refusal(fresh(), asPod())).toMatch(/shop\/web-0: 403 .*closed until Monday/);
    expect(nmi.requests).toHaveLength(1);
  });

  test('the error of a missing node daemon says what to check', async () => {
    bench.settings({ deadlineSeconds: 2 });
    const socket = join(bench.directory, 'away', 'agent.sock');
    const args = [`--nmi-socket=${join(bench.directory, 'no-daemon.sock')}`];
    await using _ = await startAgent(bench, { kube: harness.kube, socket, args });
    bench.settings({ agentSocket: socket });
    expect(await refusal(fresh(), asPod())).toMatch(/is its DaemonSet running here/);
  });
});

mounting('without an agent', () => {
  test('a service principal goes on by the driver itself', async () => {
    bench.settings({ agentSocket: join(bench.directory, 'nowhere', 'agent.sock') });
    const directory = fresh();
    expect(await bench.kv('mount', directory, one())).toMatchObject({ code: 0, document: { status: 'Success' } });
    expect(filesOf(directory)).toEqual({ password: 'the password' });
  });

  test.each([
    [
      'away',
      () => join(bench.directory, 'nowhere', 'agent.sock'),
      /none answers at .*nowhere\/agent.sock: is its DaemonSet/,
    ],
    ['not installed', () => '', /this node has none: deploy it/],
  ])("a pod's identity is refused where it is %s", async (_, agentSocket, message) => {
    bench.settings({ agentSocket: agentSocket() });
    nmi.requests.length = 0;
    expect(await refusal(fresh(), asPod())).toMatch(message);
    expect(nmi.requests).toEqual([]);
  });

  test('an agent that comes back is asked again', async () => {
    await harness.stop();
    expect(await refusal(fresh(), asPod())).toMatch(/AZ_VOLUME_AGENT/);
    harness = await startAgent(bench, { kube: harness.kube, args: [`--nmi-socket=${nmiSocket}`] });
    expect((await bench.kv('mount', fresh(), asPod())).document).toEqual({ status: 'Success' });
  });
});
