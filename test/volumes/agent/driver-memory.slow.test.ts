/** The memory of CSI volumes with real mounts, which a test writes as the driver does. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bytesOfFiles } from '../../../runtime/volumes/agent/driver-memory.ts';
import { ProviderClient } from '../csi/client.ts';
import { mountAsDriver } from '../csi/driver.ts';
import { listed, secret } from '../csi/provider-world.ts';
import { canMount, startVolumeBench, type VolumeBench, vaultName } from '../support.ts';
import { type AgentHarness, putPod, startAgent } from './harness.ts';

let bench: VolumeBench;
let agent: AgentHarness;
let client: ProviderClient;
const socket = () => join(bench.directory, 'providers', 'azure.sock');
/** Room for seven volumes of `large`. */
const args = () => [`--csi-socket=${socket()}`, '--csi-node-volume-bytes=16000000'];

beforeAll(async () => {
  bench = await startVolumeBench();
  await bench.write({ secrets: [{ name: 'big', value: 'x'.repeat(24_000) }] });
  agent = await startAgent(bench, { args: args() });
  client = new ProviderClient(socket());
});
afterAll(async () => {
  client?.close();
  await agent?.[Symbol.asyncDispose]();
  await bench?.[Symbol.asyncDispose]();
});

const large = listed(...Array.from({ length: 40 }, (_, index) => secret('big', { objectAlias: `file-${index}` })));

/** Mounts a volume as kubelet and the driver do; resolves to its target path, or rejects with gRPC's error. */
async function mount(namespace: string, name: string, objects: string): Promise<string> {
  const { metadata } = await putPod(agent.kube, { name, namespace });
  const target = join(bench.directory, 'pods', metadata.uid ?? '', 'volumes', 'kubernetes.io~csi', 'v', 'mount');
  mkdirSync(target, { recursive: true });
  writeFileSync(join(dirname(target), 'vol_data.json'), '{"driverName":"secrets-store.csi.k8s.io"}');
  run('mount', '-t', 'tmpfs', 'tmpfs', target);
  try {
    await mountAsDriver(client, target, attributes(metadata, objects), principal());
    return target;
  } catch (error) {
    run('umount', target);
    throw error;
  }
}

const principal = () => ({ secrets: { clientid: bench.app.clientId, clientsecret: bench.app.secret } });
const attributes = (
  { name, namespace, uid }: { name?: string; namespace?: string | undefined; uid?: string | undefined },
  objects: string,
) => ({
  keyvaultName: vaultName,
  tenantId: bench.azure.tenantId,
  objects,
  'csi.storage.k8s.io/pod.name': name ?? '',
  'csi.storage.k8s.io/pod.namespace': namespace ?? '',
  'csi.storage.k8s.io/pod.uid': uid ?? '',
});

function run(...[command = '', ...rest]: string[]): void {
  const { status, stderr } = spawnSync(command, rest);
  if (status !== 0) throw new Error(stderr.toString());
}

(canMount ? describe : describe.skip)('the memory of the CSI volumes of a node', () => {
  test('files, directories and links count as the kernel has them, twice', async () => {
    const names = ['a', 'b/c/d', 'b/c/e', `long-${'x'.repeat(115)}`, `long-${'x'.repeat(116)}`];
    const objects = listed(...names.map((objectAlias) => secret('big', { objectAlias })));
    const target = await mount('shop', 'counted', objects);
    const { files } = await client.mount(attributes({ name: 'p', namespace: 'shop' }, objects), principal());
    const tmpfs = statfsSync(target);
    const entries = (tmpfs.files - tmpfs.ffree) * 1536 + (tmpfs.blocks - tmpfs.bfree) * tmpfs.bsize;
    expect(bytesOfFiles(files)).toBe(16 * 1024 + 2 * entries);
    run('umount', target);
  });

  test('a namespace gets a half, also after a restart of the agent, and another one mounts its own', async () => {
    const targets: string[] = [];
    const refusal = { code: 8, details: expect.stringMatching(/^AZ_VOLUME_MOUNT: .*namespace greedy take 6\d{6} on /) };
    for (let count = 0; count < 3; count++) targets.push(await mount('greedy', `greedy-${count}`, large));
    await expect(mount('greedy', 'more', large)).rejects.toMatchObject(refusal);
    expect(await mount('shop', 'web', large)).toContain('/pods/');

    client.close();
    await agent.stop();
    agent = await startAgent(bench, { kube: agent.kube, args: args() });
    client = new ProviderClient(socket());
    await expect(mount('greedy', 'again', large)).rejects.toMatchObject(refusal);
    for (const target of targets.splice(1)) run('umount', target);
    expect(await mount('greedy', 'later', large)).toContain('/pods/');
  });
});
