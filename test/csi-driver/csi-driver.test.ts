/** The CSI provider of the node agent, called by the real Secrets Store CSI driver, which mounts and writes the files. */
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { Applier, definitionsEstablished } from '../../runtime/cli/demo/apply.ts';
import { createKubeClient } from '../../runtime/kube/client/client.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { podsType } from '../../runtime/volumes/agent/pods.ts';
import { isMounted } from '../../runtime/volumes/mount/mounts.ts';
import { type EmbeddedKube, startEmbeddedKube } from '../../sandbox/kube/index.ts';
import { type AgentHarness, startAgent } from '../volumes/agent/harness.ts';
import { listed, secret } from '../volumes/csi/provider-world.ts';
import { filesOf, startVolumeBench, type VolumeBench, vaultName } from '../volumes/support.ts';
import { CsiDriver, type PublishedVolume } from './csi-driver.ts';

const module = process.env['AZIMUTH_CSI_DRIVER_MODULE'] ?? '';
const podHead = { apiVersion: 'v1', kind: 'Pod' } as const;
const group = 'secrets-store.csi.x-k8s.io';
const statuses: ResourceType = {
  group,
  version: 'v1',
  plural: 'secretproviderclasspodstatuses',
  kind: 'SecretProviderClassPodStatus',
  namespaced: true,
};

let bench: VolumeBench;
let kube: EmbeddedKube;
let client: KubeClient;
let applier: Applier;
let agent: AgentHarness;
let driver: CsiDriver;

beforeAll(async () => {
  bench = await startVolumeBench();
  await bench.write({
    secrets: [
      { name: 'one', value: 'first' },
      { name: 'big', value: 'x'.repeat(24_000) },
    ],
  });
  const providers = join(bench.directory, 'providers');
  // Room for seven volumes of forty large files.
  agent = await startAgent(bench, {
    args: [`--csi-socket=${providers}/azure.sock`, '--csi-node-volume-bytes=16000000'],
  });
  kube = await startEmbeddedKube();
  const kubeconfig = join(bench.directory, 'kubeconfig');
  writeFileSync(kubeconfig, kube.adminKubeconfig, { mode: 0o600 });
  client = createKubeClient(loadKubeConnection({ kubeconfig }));
  applier = new Applier(client);
  const definitions = globSync(join(module, 'config/crd/bases/*.yaml')).map((file) =>
    parse(readFileSync(file, 'utf8')),
  );
  for (const definition of definitions) await applier.apply(definition);
  await definitionsEstablished(
    client,
    definitions.map(({ metadata }) => metadata.name),
  );
  for (const name of ['shop', 'greedy']) {
    await applier.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  const program = process.env['AZIMUTH_CSI_DRIVER'] ?? '';
  driver = await CsiDriver.start({ program, directory: bench.directory, kubeconfig: kube.adminKubeconfig, providers });
});
afterAll(async () => {
  await driver?.[Symbol.asyncDispose]();
  await client?.close();
  await kube?.close();
  await agent?.[Symbol.asyncDispose]();
  await bench?.[Symbol.asyncDispose]();
});

/** A pod with a SecretProviderClass of its own name; its volume, as kubelet has it published. */
async function volumeOf(namespace: string, name: string, objects: string): Promise<PublishedVolume> {
  const parameters = { keyvaultName: vaultName, tenantId: bench.azure.tenantId, objects };
  const spec = { provider: 'azure', parameters };
  const head = { apiVersion: `${group}/v1`, kind: 'SecretProviderClass', metadata: { namespace, name } };
  await applier.apply({ ...head, spec } as KubeObject);
  const pod = {
    ...podHead,
    metadata: { namespace, name },
    spec: { nodeName: 'n1', containers: [{ name, image: name }] },
  };
  // The driver's records belong to the pod, and go with it.
  const { metadata } = await client.create(podsType, pod as KubeObject);
  const uid = metadata.uid ?? '';
  const targetPath = join(bench.directory, 'pods', uid, 'volumes', 'kubernetes.io~csi', 'v', 'mount');
  mkdirSync(dirname(targetPath), { recursive: true });
  writeFileSync(join(dirname(targetPath), 'vol_data.json'), '{"driverName":"secrets-store.csi.k8s.io"}');
  return {
    targetPath,
    secrets: { clientid: bench.app.clientId, clientsecret: bench.app.secret },
    context: {
      secretProviderClass: name,
      'csi.storage.k8s.io/pod.name': name,
      'csi.storage.k8s.io/pod.namespace': namespace,
      'csi.storage.k8s.io/pod.uid': uid,
      'csi.storage.k8s.io/serviceAccount.name': 'default',
      'csi.storage.k8s.io/ephemeral': 'true',
    },
  };
}

/** Two fifths of what a namespace may have alone. */
const large = listed(...Array.from({ length: 40 }, (_, index) => secret('big', { objectAlias: `file-${index}` })));

async function published(namespace: string, name: string, objects: string): Promise<PublishedVolume> {
  const volume = await volumeOf(namespace, name, objects);
  await driver.publish(volume);
  return volume;
}

test('the driver mounts the objects of a class, and records their versions', async () => {
  const objects = listed(secret('one'), secret('one', { objectAlias: 'below/alias', filePermission: '"0400"' }));
  const { targetPath } = await published('shop', 'web', objects);
  expect(isMounted(targetPath)).toBe(true);
  expect(readFileSync(join(targetPath, 'one'), 'utf8')).toBe('first');
  const alias = join(targetPath, 'below', 'alias');
  expect([readFileSync(alias, 'utf8'), statSync(alias).mode & 0o777]).toEqual(['first', 0o400]);
  const { items } = await client.list(statuses, { namespace: 'shop' });
  const versions = expect.arrayContaining([expect.objectContaining({ id: 'secret/one' })]);
  expect(items).toMatchObject([{ status: { podName: 'web', mounted: true, objects: versions } }]);
  await driver.unpublish(targetPath);
  expect(existsSync(targetPath)).toBe(false);
});

test('a new version of a secret is in the volume when kubelet publishes it again', async () => {
  const volume = await published('shop', 'rotated', listed(secret('one')));
  await bench.write({ secrets: [{ name: 'one', value: 'second' }] });
  await driver.publish(volume);
  expect(filesOf(volume.targetPath)).toEqual({ one: 'second' });
  await driver.unpublish(volume.targetPath);
});

test('what the provider refuses reaches kubelet with its reason, and leaves no mount', async () => {
  const volume = await volumeOf('shop', 'absent', listed(secret('absent')));
  await expect(driver.publish(volume)).rejects.toMatchObject({
    details: expect.stringMatching(/AZ_.*objectName:absent/),
  });
  expect(isMounted(volume.targetPath)).toBe(false);
  expect(driver.output).not.toContain(bench.app.secret);
});

test('one namespace gets a half of the memory, others mount theirs, and what is unmounted is free', async () => {
  const volumes: PublishedVolume[] = [];
  for (const name of ['first', 'second', 'third']) volumes.push(await published('greedy', name, large));
  const refused = { details: expect.stringMatching(/AZ_VOLUME_MOUNT: .*--csi-node-volume-bytes/) };
  await expect(published('greedy', 'fourth', large)).rejects.toMatchObject(refused);
  volumes.push(await published('shop', 'large', large));
  // Published again, as for a rotation, they take no more than before.
  for (const volume of volumes) await driver.publish(volume);
  expect(agent.log.filter(({ msg }) => msg === 'a CSI volume is refused')).toHaveLength(2);
  await driver.unpublish(volumes.shift()?.targetPath ?? '');
  await driver.unpublish(volumes.shift()?.targetPath ?? '');
  volumes.push(await published('greedy', 'fifth', large));
  for (const { targetPath } of volumes) await driver.unpublish(targetPath);
});
