import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crdManifest } from '../../../runtime/api/crd.ts';
import { operatorKinds } from '../../../runtime/api/kinds.ts';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import { startEmbeddedKube } from '../../../sandbox/kube/index.ts';
import { customResourceDefinitions } from '../../conformance/resources.ts';
import type { Bench, Figure } from '../bench.ts';
import { allReady, liftLimits, makeResources } from './many-resources.ts';
import { type OperatorProcess, operatorImage } from './operator-process.ts';

const sizes = (process.env['AZIMUTH_GROWTH_RESOURCES'] ?? '1000,3000,10000,20000').split(',').map(Number);
/** Of the cost of a resource with the fewest of them. */
const mostGrowth = 1.25;
const kinds = operatorKinds.filter(({ kind }) => /^(ResourceGroup|UserAssignedIdentity|StorageAccount)$/.test(kind));

/** What one resource costs the operator. */
interface Costs {
  /** CPU until it is Ready, milliseconds. */
  readonly create: number;
  /** CPU to read and check it after a restart, and every hour. */
  readonly check: number;
  /** Own memory after the restart above that of the operator without resources, kB. */
  readonly memory: number;
}

export const bench: Bench = {
  name: 'growth',
  description: `what a resource costs the operator of the image among ${sizes.join(', ')} (AZIMUTH_GROWTH_RESOURCES); Azure answers at once`,
  async run() {
    const figures: Figure[] = [];
    let first: Costs | undefined;
    for (const size of sizes) {
      const costs = await costsOf(size);
      first ??= costs;
      const least = first;
      const figure = (what: string, member: keyof Costs, unit: string): Figure => ({
        what: `${what}, ${size} resources`,
        ours: `${costs[member].toFixed(1)} ${unit}`,
        theirs: `${least[member].toFixed(1)} ${unit}`,
        ratio: least[member] / costs[member],
        goal: `at most ${mostGrowth} of the fewest`,
        ok: costs[member] <= mostGrowth * least[member],
      });
      figures.push(
        figure('CPU until Ready', 'create', 'ms'),
        figure('CPU of a check, as after a restart', 'check', 'ms'),
        figure('own memory', 'memory', 'kB'),
      );
      for (const { what, ours } of figures.slice(-3)) console.log(`  ${what}: ${ours}`);
    }
    return figures;
  },
};

async function costsOf(resources: number): Promise<Costs> {
  await using stack = new AsyncDisposableStack();
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-growth-'));
  stack.defer(() => rmSync(directory, { recursive: true, force: true }));
  const kube = await startEmbeddedKube();
  stack.defer(() => kube.close());
  const azure = await startEmbeddedAzure({ arm: { operationMs: 0, retryAfterSeconds: 0, alwaysRetryAfter: true } });
  stack.defer(() => azure.close());
  liftLimits(azure);
  const kubeconfig = join(directory, 'kubeconfig');
  writeFileSync(kubeconfig, kube.adminKubeconfig, { mode: 0o600 });
  const client = createKubeClient(loadKubeConnection({ kubeconfig }));
  stack.defer(() => client.close());
  for (const kind of kinds) await client.create(customResourceDefinitions, crdManifest(kind) as KubeObject);
  const start = await operatorImage({ directory, kubeconfig, azure });
  let operator: OperatorProcess | undefined = await start();
  stack.defer(async () => operator?.stop());
  await operator.rest();
  const empty = { seconds: operator.cpuSeconds(), memory: operator.memory().anonymous };
  await makeResources(client, resources);
  await allReady(operator, resources);
  await operator.rest();
  const created = operator.cpuSeconds() - empty.seconds;
  await operator.stop();
  operator = undefined;
  operator = await start();
  await allReady(operator, resources);
  await operator.rest();
  const checked = operator.cpuSeconds() - empty.seconds;
  return {
    create: (created * 1000) / resources,
    check: (checked * 1000) / resources,
    memory: ((operator.memory().anonymous - empty.memory) * 1000) / resources,
  };
}
