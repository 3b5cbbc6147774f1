/** The executable with real mounts, in a mount namespace that has no volumes of other tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { mountedVolumes } from '../../../runtime/volumes/mount/volume-memory.ts';
import { eventually } from '../../fakes/eventually.ts';
import { canMount, filesOf, startVolumeBench, type VolumeBench } from '../support.ts';
import { type AgentHarness, putPod, socketOf, startAgent } from './harness.ts';

const nodeVolumeBytes = 8 * 1024 * 1024;
/** A volume of 40 files of six pages counts 1.2 MB. */
const aliases = Array.from({ length: 40 }, (_, index) => `file-${index}`);
const mostOfOne = 3;

let bench: VolumeBench;
let agent: AgentHarness;
let node: ChildProcess;
let count = 0;

beforeAll(async () => {
  bench = await startVolumeBench();
  await bench.write({ secrets: [{ name: 'big', value: 'x'.repeat(24_000) }] });
  bench.settings({ agentSocket: socketOf(bench), nodeVolumeBytes });
  agent = await startAgent(bench);
});
beforeEach(async () => {
  node?.kill();
  const others = `sed -n 's/^[^ ]* [^ ]* [^ ]* [^ ]* \\([^ ]*\\) .* - tmpfs azimuth-kv:.*/\\1/p' /proc/self/mountinfo`;
  const script = `${others} | xargs -r umount -l && echo ready && exec sleep 600`;
  node = spawn('unshare', ['-m', '--propagation', 'private', 'sh', '-c', script]);
  await once(node.stdout as NodeJS.ReadableStream, 'data');
});
afterAll(async () => {
  node?.kill();
  await agent?.[Symbol.asyncDispose]();
  await bench?.[Symbol.asyncDispose]();
});

const volumes = () => mountedVolumes(readFileSync(`/proc/${node.pid}/mountinfo`, 'utf8'));
const namespaces = () => volumes().map(({ namespace }) => namespace);

/** Mounts a volume of a new pod; resolves to its directory, or to the message. */
async function mount({ metadata }: KubeObject, change: Record<string, string> = {}) {
  const directory = bench.volume(`v${count++}`, metadata.uid);
  const options = bench.options({
    keyvaultobjectnames: aliases.map(() => 'big').join(';'),
    keyvaultobjecttypes: aliases.map(() => 'secret').join(';'),
    keyvaultobjectaliases: aliases.join(';'),
    'kubernetes.io/pod.name': metadata.name,
    'kubernetes.io/pod.uid': metadata.uid,
    // Its author may write any namespace there.
    'kubernetes.io/pod.namespace': `invented-${count}`,
    ...change,
  });
  const driver = await bench.driver();
  const call = await bench.run(['nsenter', '-t', String(node.pid), '-m', driver], ['mount', directory, options]);
  const { status, message = '' } = call.document;
  return { directory: `/proc/${node.pid}/root${directory}`, mounted: status === 'Success', message: message as string };
}

(canMount ? describe : describe.skip)('the memory of the volumes of a node', () => {
  test('a namespace that mounts many volumes at once gets a half, and another one mounts its own', async () => {
    const greedy = await Promise.all(
      Array.from({ length: 10 }, (_, index) => putPod(agent.kube, { name: `greedy-${index}`, namespace: 'greedy' })),
    );
    const shop = await putPod(agent.kube, { name: 'web', namespace: 'shop' });
    await eventually('the pods are known', () => agent.agent.pods.get(shop.metadata.uid ?? '') !== undefined);
    const attack = await Promise.all(greedy.map((pod) => mount(pod)));
    expect(attack.filter(({ mounted }) => mounted)).toHaveLength(mostOfOne);
    for (const { mounted, message } of attack) {
      if (!mounted)
        expect(message).toMatch(/^AZ_VOLUME_MOUNT: .*namespace greedy take \d+ here.*raise nodeVolumeBytes/);
    }
    const own = await mount(shop);
    expect(own).toMatchObject({ mounted: true, message: '' });
    expect(filesOf(own.directory)['file-7']).toHaveLength(24_000);
    expect(namespaces().sort()).toEqual(['greedy', 'greedy', 'greedy', 'shop']);
  });

  test('without the agent, all namespaces have one share together, and what the agent knows has another', async () => {
    await agent.stop();
    const pod = await putPod(agent.kube, { name: 'alone', namespace: 'shop' });
    const attack = await Promise.all(Array.from({ length: 6 }, () => mount(pod)));
    expect(attack.filter(({ mounted }) => mounted)).toHaveLength(mostOfOne);
    expect(attack.map(({ message }) => message).join()).toContain('volumes mounted without the node agent take');
    agent = await startAgent(bench, { kube: agent.kube });
    expect(await mount(pod)).toMatchObject({ mounted: true });
    expect(namespaces().sort()).toEqual(['', '', '', 'shop']);
  });
});
