import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { podsType } from '../../../runtime/volumes/agent/pods.ts';
import { eventually } from '../../fakes/eventually.ts';
import { LocalKube } from '../../fakes/local-kube.ts';
import { canMount, filesOf, startVolumeBench, type VolumeBench } from '../support.ts';
import { type AgentHarness, type AgentHarnessOptions, putPod, socketOf, startAgent } from './harness.ts';

const deployments = { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment', namespaced: true };
const replicaSets = { group: 'apps', version: 'v1', plural: 'replicasets', kind: 'ReplicaSet', namespaced: true };
let bench: VolumeBench;
let agent: AgentHarness;
let pod: KubeObject;

beforeAll(async () => {
  bench = await startVolumeBench();
});
const volumes = new Set<string>();
beforeEach(async () => {
  bench.azure.faults.clear();
  bench.azure.journal.clear();
  bench.settings({ agentSocket: socketOf(bench) });
  agent = await start();
  pod = await putPod(agent.kube);
});
afterEach(async () => {
  for (const directory of volumes) await bench.kv('unmount', directory);
  volumes.clear();
});
afterAll(async () => {
  await agent?.[Symbol.asyncDispose]();
  await bench?.[Symbol.asyncDispose]();
});

const start = async (options: AgentHarnessOptions = {}) => {
  await agent?.stop();
  return startAgent(bench, { refresh: { intervalMs: 400 }, ...options });
};

let count = 0;
/** A secret that no other test has. */
async function secret(value: string): Promise<string> {
  const name = `secret-${count++}`;
  await write(name, value);
  return name;
}
const write = (name: string, value: string) => bench.write({ secrets: [{ name, value }] });

/** Not an option: the name of the volume in the pod. */
const volumeName = 'volume';
async function mounted(names: string, change: Record<string, string | undefined> = {}, of = pod): Promise<string> {
  const { [volumeName]: name = `v${count++}`, ...rest } = change;
  const directory = bench.volume(name, of.metadata.uid);
  volumes.add(directory);
  const options = bench.options({
    keyvaultobjectnames: names,
    keyvaultobjecttypes: names.replaceAll(/[^;]+/g, 'secret'),
    'kubernetes.io/pod.uid': of.metadata.uid,
    refresh: 'true',
    ...rest,
  });
  expect(await bench.kv('mount', directory, options)).toMatchObject({ code: 0, document: { status: 'Success' } });
  return directory;
}

const records = () => join(dirname(agent.socket), 'mounts');
const value = (directory: string, name: string) => filesOf(directory)[name];
const events = (reason: string) => agent.events().filter((event) => event['reason'] === reason);
const shows = (directory: string, name: string, text: string) =>
  eventually(`${name} is ${text}`, () => value(directory, name) === text);
const untilRead = async (times = 2) => {
  const reads = async () => {
    const found = /azimuth_volumes_refreshes_total\{result="unchanged"\} (\d+)/.exec(await agent.metrics());
    return Number(found?.[1] ?? 0);
  };
  const before = await reads();
  await eventually('the vault is read', async () => (await reads()) >= before + times);
};

(canMount ? describe : describe.skip)('a volume with refresh', () => {
  test('has a new version as a whole, and an event names it without its value', async () => {
    const [name, other] = [await secret('first'), await secret('stays')];
    const directory = await mounted(`${name};${other}`);
    await write(name, 'second-value');
    await shows(directory, name, 'second-value');
    expect(value(directory, other)).toBe('stays');
    await eventually('there is an event', () => events('VaultObjectsChanged').length > 0);
    const [event] = events('VaultObjectsChanged');
    expect(event).toMatchObject({ type: 'Normal', regarding: { kind: 'Pod', name: 'web-0', uid: pod.metadata.uid } });
    expect(event?.['note']).toMatch(new RegExp(`^The vault kvtest has new versions: secret ${name} \\w{8} to \\w{8}$`));
    expect(JSON.stringify([agent.events(), agent.log])).not.toContain('second-value');
    expect(readdirSync(directory).filter((entry) => entry.startsWith('..2'))).toHaveLength(1);
  });

  test('is read by version ids alone while nothing changes, once for all volumes of a vault', async () => {
    const name = await secret('quiet');
    for (let volumes = 0; volumes < 3; volumes++) await mounted(name);
    // Two versions of one second cannot be distinguished; this one is alone.
    await untilRead();
    bench.azure.journal.clear();
    await untilRead(6);
    const asked = bench.azure.journal.entries().filter(({ service }) => service === 'vault');
    const values = asked.filter(({ path }) => !path.includes('/versions'));
    expect(values).toEqual([]);
    expect(asked.length).toBeGreaterThan(0);
  });

  test('of an identity that may not list is read instead', async () => {
    const name = await secret('first');
    const body = { error: { code: 'Forbidden', message: 'no', innererror: { code: 'AccessDenied' } } };
    bench.azure.faults.add({ service: 'vault', path: '/versions', status: 403, times: 0, body });
    const directory = await mounted(name);
    await write(name, 'second');
    await shows(directory, name, 'second');
    expect(bench.azure.journal.entries().filter(({ path }) => path.includes('/versions')).length).toBeLessThan(3);
  });

  test('keeps what it has while the vault fails, says why, and goes on after that', async () => {
    const name = await secret('first');
    const directory = await mounted(name);
    const headers = { 'retry-after': '1' };
    const body = { error: { code: 'Throttled', message: 'm' } };
    bench.azure.faults.add({ service: 'vault', status: 429, headers, times: 0, body });
    await eventually('there is an event', () => events('VaultRefreshFailed').length > 0);
    expect(events('VaultRefreshFailed')[0]).toMatchObject({
      type: 'Warning',
      note: expect.stringMatching(/^The volume stays as it is: .*429 Throttled/),
    });
    expect(value(directory, name)).toBe('first');
    bench.azure.faults.clear();
    await write(name, 'second');
    await shows(directory, name, 'second');
  });

  test('that is too small for what is new keeps what it has', async () => {
    bench.settings({ agentSocket: socketOf(bench), volumeBytes: 65_536 });
    const name = await secret('small');
    const directory = await mounted(`${name};${name};${name}`, { keyvaultobjectaliases: 'a;b;c' });
    await write(name, 'x'.repeat(24_000));
    await eventually('there is an event', () => events('VaultRefreshFailed').length > 0);
    expect(events('VaultRefreshFailed')[0]?.['note']).toMatch(
      /AZ_VOLUME_MOUNT: .*take 72000 bytes .*raise volumeBytes/,
    );
    expect(filesOf(directory)).toEqual({ a: 'small', b: 'small', c: 'small' });
    expect(readdirSync(directory).filter((entry) => entry.startsWith('..2'))).toHaveLength(1);
  });

  test('with a version of its own is left alone', async () => {
    const name = await secret('first');
    const { [name]: version } = await bench.write({ secrets: [{ name, value: 'second' }] });
    const directory = await mounted(name, { keyvaultobjectversions: version });
    await write(name, 'third');
    await untilRead();
    expect(value(directory, name)).toBe('second');
  });

  test('is continued by a restarted agent', async () => {
    const name = await secret('first');
    const directory = await mounted(name);
    await agent.stop();
    await write(name, 'while away');
    agent = await start({ kube: agent.kube });
    await shows(directory, name, 'while away');
  });

  test('that was mounted while no agent was there is kept up to date by the next', async () => {
    await agent.stop();
    const name = await secret('first');
    const directory = await mounted(name);
    agent = await start({ kube: agent.kube });
    await write(name, 'second');
    await shows(directory, name, 'second');
  });

  test('is forgotten when it is unmounted, and when its pod is gone', async () => {
    const name = await secret('first');
    const directory = await mounted(name);
    const left = await mounted(name);
    expect(readdirSync(records())).toHaveLength(2);
    expect(await bench.kv('unmount', directory)).toMatchObject({ code: 0, document: { status: 'Success' } });
    expect(readdirSync(records())).toHaveLength(1);
    // As it is where the driver was killed in mid-unmount.
    const [record = ''] = readdirSync(records());
    const text = readFileSync(join(records(), record), 'utf8');
    expect(await bench.kv('unmount', left)).toMatchObject({ code: 0, document: { status: 'Success' } });
    writeFileSync(join(records(), record), text);
    await eventually('it is known', async () => /azimuth_volumes_kept 1/.test(await agent.metrics()));
    expect(existsSync(join(records(), record))).toBe(true);
    await agent.kube.delete(podsType, { namespace: 'shop', name: 'web-0' });
    await eventually('it is forgotten', () => !existsSync(join(records(), record)));
  });
});

(canMount ? describe : describe.skip)('a workload that asks for it', () => {
  const owner = (kind: string, name: string, uid = 'x') => [
    { apiVersion: 'apps/v1', kind, name, uid, controller: true },
  ];
  const restartable = { 'volumes.azimuth.dev/restart-on-change': 'true' };

  async function deployment(kube: LocalKube): Promise<KubeObject> {
    const metadata: KubeObject['metadata'] = { name: 'web', namespace: 'shop' };
    const made = await kube.create(deployments, { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: {} });
    const ownerReferences = owner('Deployment', 'web', made.metadata.uid);
    const set = { name: 'web-1', namespace: 'shop', ownerReferences };
    await kube.create(replicaSets, { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: set, spec: {} });
    return made;
  }
  const webOf = (kube: LocalKube) => kube.get(deployments, { namespace: 'shop', name: 'web' });

  test('is restarted once, however many of its pods ask', async () => {
    const kube = new LocalKube();
    agent = await start({ kube, args: ['--restart-namespaces=shop'] });
    await deployment(kube);
    const replicas = [];
    for (const name of ['web-1-a', 'web-1-b']) {
      replicas.push(
        await putPod(kube, { name, annotations: restartable, ownerReferences: owner('ReplicaSet', 'web-1') }),
      );
    }
    const name = await secret('first');
    const shared = [];
    for (const replica of replicas) shared.push(await mounted(name, { [volumeName]: 'shared' }, replica));
    const generation = (await webOf(kube)).metadata.generation ?? 0;
    await write(name, 'second');
    for (const directory of shared) await shows(directory, name, 'second');
    const both = () => events('VaultRestart').length === 2;
    await eventually('it was asked for twice', both);
    const after = await webOf(kube);
    expect(after['spec'].template.metadata.annotations).toEqual({
      'restarted-for.volumes.azimuth.dev/shared': expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(after.metadata.generation).toBe(generation + 1);
  });

  test.each([
    [
      'is not restarted in a namespace that does not admit it',
      'other',
      owner('ReplicaSet', 'web-1'),
      /may not restart workloads of the namespace shop/,
    ],
    [
      'is not restarted where nothing could restart it',
      'shop',
      owner('Job', 'j'),
      /no Deployment, StatefulSet or DaemonSet/,
    ],
  ])('%s, and an event reports that', async (_, namespace, ownerReferences, message) => {
    const kube = new LocalKube();
    agent = await start({ kube, args: [`--restart-namespaces=${namespace}`] });
    await deployment(kube);
    const replica = await putPod(kube, { name: 'web-1-c', annotations: restartable, ownerReferences });
    const name = await secret('first');
    const directory = await mounted(name, {}, replica);
    await write(name, 'second');
    await shows(directory, name, 'second');
    await eventually('it is reported', () => events('VaultRestartRefused').length > 0);
    expect(events('VaultRestartRefused')[0]?.['note']).toMatch(message);
    expect((await webOf(kube))['spec']).toEqual({});
  });

  test('is restarted later where the API server is away for a moment', async () => {
    const kube = new LocalKube();
    agent = await start({ kube, args: ['--restart-namespaces=shop'] });
    await deployment(kube);
    const replica = await putPod(kube, {
      name: 'web-1-d',
      annotations: restartable,
      ownerReferences: owner('ReplicaSet', 'web-1'),
    });
    const name = await secret('first');
    const directory = await mounted(name, {}, replica);
    kube.failNext('patch', new Error('connection refused'));
    await write(name, 'second');
    await shows(directory, name, 'second');
    await eventually('it is restarted', async () => (await webOf(kube))['spec'].template !== undefined);
  });
});
