import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crdManifest } from '../../../runtime/api/crd.ts';
import { allKinds } from '../../../runtime/api/kinds.ts';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import { isAlreadyExists } from '../../../runtime/kube/client/status-error.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import { startApiServer } from '../../../tools/clusters/envtest.ts';
import { customResourceDefinitions } from '../../conformance/resources.ts';
import { secrets, types } from '../../operator/support.ts';
import type { Bench, Figure } from '../bench.ts';
import { type OperatorProcess, operatorImage, pollMs, type Resident } from './operator-process.ts';

const resources = Number(process.env['AZIMUTH_MEMORY_RESOURCES'] ?? 5000);
const foreignSecrets = Number(process.env['AZIMUTH_MEMORY_SECRETS'] ?? 20_000);
const groups = Math.ceil(resources / 20);
/** What the operator must not exceed, in RSS. */
const goalMb = 150;
const limitMs = 30 * 60_000;
/** Enough of them that Azure's rates, which are by region, are not what is measured. */
const regions = ['westeurope', 'northeurope', 'uksouth', 'ukwest', 'francecentral', 'swedencentral', 'norwayeast']
  .concat(['eastus', 'eastus2', 'westus2', 'westus3', 'centralus', 'japaneast', 'australiaeast', 'southeastasia'])
  .concat(['northcentralus', 'southcentralus', 'canadacentral', 'canadaeast', 'brazilsouth', 'koreacentral']);

/** The operator as it is deployed, bundle and Node flags included, beside a real API server and an embedded Azure. */
export const bench: Bench = {
  name: 'memory',
  description: `memory of \`azimuth operator\` with every kind watched, ${resources} custom resources and ${foreignSecrets} foreign Secrets of 4 KB`,
  async run() {
    const assets = process.env['KUBEBUILDER_ASSETS'];
    if (!assets) throw new Error('Set KUBEBUILDER_ASSETS to a directory with etcd and kube-apiserver');
    const directory = mkdtempSync(join(tmpdir(), 'azimuth-memory-'));
    const server = await startApiServer(assets);
    const azure = await startEmbeddedAzure({ arm: { operationMs: 0, retryAfterSeconds: 0, alwaysRetryAfter: true } });
    const endless = { size: 1e9, refillPerSecond: 1e9 };
    for (const bucket of Object.values(azure.throttle.limits)) Object.assign(bucket, endless);
    const client = createKubeClient(loadKubeConnection({ kubeconfig: server.kubeconfig }));
    const figures: Figure[] = [];
    const began = performance.now();
    const note = (what: string, { rss, anonymous, file, peak }: Resident) => {
      const parts = `${anonymous.toFixed(0)} of its own, ${file.toFixed(0)} of files`;
      const ours = `${rss.toFixed(0)} MB (${parts}), at most ${peak.toFixed(0)} MB`;
      figures.push({ what, ours, theirs: '', goal: `<= ${goalMb} MB`, ok: peak <= goalMb });
      console.log(`  ${Math.round((performance.now() - began) / 1000)} s: ${what}: ${ours}`);
    };
    let operator: OperatorProcess | undefined;
    try {
      const start = await operatorImage({ directory, kubeconfig: server.kubeconfig, azure });
      await inTurns(allKinds, (kind) =>
        client.create(customResourceDefinitions, crdManifest(kind, { cel: false, versions: 'newest' }) as KubeObject),
      );
      operator = await start();
      await operator.rest();
      note('every kind watched, nothing there', operator.memory());

      await makeSecrets(client);
      await operator.rest();
      note('with the Secrets', operator.memory());

      await inTurns([...wanted()], ([type, name, spec]) => create(client, type, name, spec));
      await allReady(operator);
      note('first pass over the resources', operator.memory());
      await operator.rest();
      note('idle after it', operator.memory());

      await operator.stop();
      operator = await start();
      await allReady(operator);
      await operator.rest();
      note('after a restart', operator.memory());
      return figures;
    } finally {
      await operator?.stop();
      await Promise.all([client.close(), azure.close()]);
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

/** Sixteen at a time; a server that is too busy to answer is asked again. */
async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  let next = 0;
  const insist = async (item: T, triesLeft = 20): Promise<unknown> => {
    try {
      return await work(item);
    } catch (error) {
      if (isAlreadyExists(error)) return undefined;
      if (triesLeft === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
      return insist(item, triesLeft - 1);
    }
  };
  const worker = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await insist(item);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

async function makeSecrets(client: KubeClient): Promise<void> {
  const value = Buffer.alloc(3000, 'x').toString('base64');
  await inTurns(
    Array.from({ length: foreignSecrets }, (_, index) => index + 1),
    (index) =>
      client.create<KubeObject>(secrets, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { namespace: 'default', name: `foreign-${index}`, labels: { app: `service-${index % 200}` } },
        data: { value },
      }),
  );
}

function create(client: KubeClient, type: ResourceType, name: string, spec: object): Promise<KubeObject> {
  return client.create<KubeObject>(type, {
    apiVersion: `${type.group}/${type.version}`,
    kind: type.kind,
    metadata: { namespace: 'default', name, labels: { team: `team-${name.length}` } },
    spec,
  });
}

function* wanted(): Generator<readonly [type: ResourceType, name: string, spec: object]> {
  const locationOf = (index: number) => regions[index % regions.length];
  for (let index = 0; index < groups; index++) {
    yield [types.group, `group-${index}`, { location: locationOf(index), tags: { team: `team-${index % 10}` } }];
  }
  for (let index = 0; index < resources - groups; index++) {
    const tags = { index: String(index), 'cost-center': `cc-${index % 30}` };
    const common = { location: locationOf(index), tags, owner: { name: `group-${index % groups}` } };
    if (index % 2 === 0) yield [types.identity, `identity-${index}`, common];
    else {
      const own = { kind: 'StorageV2', sku: { name: 'Standard_LRS' }, accessTier: 'Hot', minimumTlsVersion: 'TLS1_2' };
      yield [types.account, `azm${index}`, { ...common, ...own, supportsHttpsTrafficOnly: true }];
    }
  }
}

/** Waits until the operator has found every resource as declared. */
async function allReady(operator: OperatorProcess): Promise<void> {
  for (const deadline = Date.now() + limitMs; ; ) {
    const ready = (await operator.metrics())('azimuth_operator_resources', 'state="Succeeded"');
    if (ready === resources) return;
    if (Date.now() > deadline) throw new Error(`Only ${ready} of ${resources} are ready after ${limitMs / 60_000} min`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
