import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { type FakeAnswer, FakeAzure } from '../../fakes/azure-server.ts';
import { eventually } from '../../fakes/eventually.ts';
import { startUnixProxy } from '../../fakes/unix-proxy.ts';
import { canMount, filesOf, startVolumeBench, type VolumeBench } from '../support.ts';
import { type AgentHarness, putPod, socketOf, startAgent } from './harness.ts';

let bench: VolumeBench;
let nmi: FakeAzure;
let nmiSocket: string;
let agent: AgentHarness;
let pod: KubeObject;
let answer: () => Promise<FakeAnswer>;
let vaultUri: string;
let writer: string;

beforeAll(async () => {
  bench = await startVolumeBench();
  // A wait within a version check would take longer than these tests.
  bench.settings({ agentSocket: socketOf(bench), deadlineSeconds: 120, machineIdentities: ['system'] });
  vaultUri = (await bench.client.arm('GET', bench.vaultId, '2023-07-01')).body.properties.vaultUri;
  writer = await bench.client.token('https://vault.localhost/.default');
  const machine = bench.azure.addIdentity({ systemAssigned: true });
  bench.azure.assignRole(machine.objectId, 'Key Vault Secrets User', bench.vaultId);
  nmi = await FakeAzure.start(() => answer(), { plain: true });
  nmiSocket = await startUnixProxy(join(bench.directory, 'nmi.sock'), nmi.port);
});
const volumes = new Set<string>();
beforeEach(async () => {
  answer = async () => {
    const access_token = await bench.client.token('https://vault.localhost/.default');
    const expires_on = String(Math.floor(Date.now() / 1000) + 3600);
    return {
      body: { token: { access_token, expires_on }, clientid: 'id', binding: { namespace: 'shop', name: 'web' } },
    };
  };
  agent = await start();
  pod = await putPod(agent.kube);
});
afterEach(async () => {
  bench.azure.faults.clear();
  for (const directory of volumes) await bench.kv('unmount', directory);
  volumes.clear();
  await agent.stop();
});
afterAll(async () => {
  await nmi?.[Symbol.asyncDispose]();
  await bench?.[Symbol.asyncDispose]();
});

const start = (kube?: AgentHarness['kube']) =>
  startAgent(bench, { ...(kube && { kube }), args: [`--nmi-socket=${nmiSocket}`], refresh: { intervalMs: 400 } });
/** Tokens that it has kept are of no more use. */
const restarted = async () => {
  await agent.stop();
  agent = await start(agent.kube);
};

let count = 0;
/** With a token from before, so that AAD may fail. */
async function write(name: string, value: string): Promise<void> {
  const url = `${vaultUri}secrets/${name}?api-version=7.4`;
  expect(await bench.client.send('PUT', url, { token: writer, body: { value } })).toMatchObject({ status: 200 });
}
const unlike = { 'kubernetes.io/secret/clientid': undefined, 'kubernetes.io/secret/clientsecret': undefined };
const asMachine = { ...unlike, usevmmanagedidentity: 'true' };
const asPod = { ...unlike, usepodidentity: 'true' };
async function mounted(name: string, change: Record<string, string | undefined>, by = pod): Promise<string> {
  const { uid, name: podName, namespace } = by.metadata;
  const directory = bench.volume(`v${count++}`, uid);
  volumes.add(directory);
  const options = bench.options({
    keyvaultobjectnames: name,
    keyvaultobjecttypes: 'secret',
    'kubernetes.io/pod.uid': uid,
    'kubernetes.io/pod.name': podName,
    'kubernetes.io/pod.namespace': namespace,
    refresh: 'true',
    ...change,
  });
  expect(await bench.kv('mount', directory, options)).toMatchObject({ code: 0, document: { status: 'Success' } });
  return directory;
}
const shows = (directory: string, name: string, text: string) =>
  eventually(`${name} is ${text}`, () => filesOf(directory)[name] === text);
const failures = () =>
  agent
    .events()
    .filter(({ reason }) => reason === 'VaultRefreshFailed')
    .map(({ note }) => String(note));
const failed = (text: RegExp) => eventually(`there is ${text}`, () => failures().some((note) => text.test(note)));
const refusals = (answered: number) =>
  bench.azure.journal.entries().filter(({ service, status }) => service === 'aad' && status === answered);

(canMount ? describe : describe.skip)('an identity that Microsoft Entra ID throttles', () => {
  test.each([429, 503])(
    'waits alone (%i): other volumes of its vault go on, and it asks no more before its time',
    async (status) => {
      const name = `own-${status}`;
      await write(name, 'first');
      const stuck = [await mounted(name, {}), await mounted(name, {})];
      const other = await mounted(name, asMachine);
      const body = { error: 'temporarily_unavailable', error_description: 'AADSTS90055: m' };
      bench.azure.faults.add({ service: 'aad', status, headers: { 'retry-after': '600' }, times: 0, body });
      await restarted();
      await write(name, 'second');
      await failed(new RegExp(`HTTP ${status}`));
      await shows(other, name, 'second');
      await write(name, 'third');
      await shows(other, name, 'third');
      // Volumes of one identity share its pause, whenever their own next check is. What they asked together stands.
      expect(refusals(status).length).toBeLessThanOrEqual(stuck.length);
      expect(failures().length).toBeLessThanOrEqual(stuck.length);
      for (const directory of stuck) expect(filesOf(directory)).toEqual({ [name]: 'first' });
    },
  );

  test('is the pod’s own, by way of the node daemon: nobody waits with it', async () => {
    await write('by-pod', 'first');
    const stuck = await mounted('by-pod', asPod);
    const other = await mounted('by-pod', {});
    const before = nmi.requests.length;
    answer = async () => ({ status: 503, headers: { 'retry-after': '600' }, body: 'AAD throttles' });
    await eventually('it has asked in vain', () => nmi.requests.length > before);
    await write('by-pod', 'second');
    await shows(other, 'by-pod', 'second');
    await failed(/503 .*AAD throttles/);
    const asked = nmi.requests.length;
    await write('by-pod', 'third');
    await shows(other, 'by-pod', 'third');
    expect(filesOf(stuck)).toEqual({ 'by-pod': 'first' });
    expect(nmi.requests.length).toBe(asked);
  });

  test('is kept waiting by the node daemon: volumes of the same vault in other namespaces go on', async () => {
    await write('waits', 'first');
    const neighbour = await putPod(agent.kube, { name: 'neighbour', namespace: 'other' });
    const other = await mounted('waits', asMachine, neighbour);
    const stuck = await Promise.all(Array.from({ length: 5 }, () => mounted('waits', asPod)));
    const released = Promise.withResolvers<void>();
    let waiting = 0;
    answer = async () => {
      waiting++;
      await released.promise;
      return { status: 404, body: 'no identity' };
    };
    await eventually('it waits for the daemon', () => waiting > 0);
    await write('waits', 'second');
    await shows(other, 'waits', 'second');
    for (const directory of stuck) expect(filesOf(directory)).toEqual({ waits: 'first' });
    released.resolve();
  });

  test('is asked again at once by a pod that is mounted', async () => {
    await write('again', 'first');
    let asked = 0;
    const granted = answer;
    answer = async () => (asked++ === 0 ? { status: 503, headers: { 'retry-after': '1' }, body: 'wait' } : granted());
    const directory = await mounted('again', { ...asPod, refresh: 'false' });
    expect(filesOf(directory)).toEqual({ again: 'first' });
  });
});

(canMount ? describe : describe.skip)('a vault that throttles', () => {
  test('is left alone by all identities for as long as it says', async () => {
    await write('shared', 'first');
    await mounted('shared', {});
    await mounted('shared', asMachine);
    const body = { error: { code: 'Throttled', message: 'm' } };
    bench.azure.faults.add({ service: 'vault', status: 429, headers: { 'retry-after': '600' }, times: 0, body });
    await failed(/429 Throttled/);
    // What was under way ends; then nothing happens in the time of five checks.
    await eventually('nothing is asked', async () => {
      bench.azure.journal.clear();
      await new Promise((resolve) => setTimeout(resolve, 2000));
      return bench.azure.journal.entries().length === 0;
    });
  });
});

(canMount ? describe : describe.skip)('the memory of refreshed files', () => {
  test('is shared by namespace: one that has used its share keeps its files, and others are refreshed', async () => {
    await agent.stop();
    agent = await startAgent(bench, { kube: agent.kube, refresh: { intervalMs: 400, mostRefreshedBytes: 7000 } });
    const neighbour = await putPod(agent.kube, { name: 'neighbour', namespace: 'other' });
    await write('large', 'a'.repeat(2000));
    const [first, second] = [await mounted('large', asMachine), await mounted('large', asMachine)];
    const other = await mounted('large', asMachine, neighbour);
    await write('large', 'b'.repeat(2000));
    await shows(other, 'large', 'b'.repeat(2000));
    await failed(/take all the memory that the node agent has for them/);
    const texts = [first, second].map((directory) => filesOf(directory)['large']?.[0]).sort();
    expect(texts).toEqual(['a', 'b']);
  });
});
