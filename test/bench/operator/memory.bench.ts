import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crdManifest } from '../../../runtime/api/crd.ts';
import { allKinds } from '../../../runtime/api/kinds.ts';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import type { KubeClient, KubeObject } from '../../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import { startApiServer } from '../../../tools/clusters/envtest.ts';
import { customResourceDefinitions } from '../../conformance/resources.ts';
import { secrets } from '../../operator/support.ts';
import type { Bench, Figure } from '../bench.ts';
import { allReady, inTurns, liftLimits, makeResources } from './many-resources.ts';
import { type OperatorProcess, operatorImage, type Resident } from './operator-process.ts';

const resources = Number(process.env['AZIMUTH_MEMORY_RESOURCES'] ?? 5000);
const foreignSecrets = Number(process.env['AZIMUTH_MEMORY_SECRETS'] ?? 20_000);
/** What the operator must not exceed, in RSS. */
const goalMb = 150;
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
    liftLimits(azure);
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

      await makeResources(client, resources);
      await allReady(operator, resources);
      note('first pass over the resources', operator.memory());
      await operator.rest();
      note('idle after it', operator.memory());

      await operator.stop();
      operator = await start();
      await allReady(operator, resources);
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
