import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setType } from '../../operator/machines/machine-world.ts';
import { startWorld, types, type World } from '../../operator/support.ts';
import type { Figure } from '../bench.ts';
import { operatorImage } from '../operator/operator-process.ts';
import { applySet, capacity, isReady, type RegionSet, requestsOf } from './scale-sets.ts';

const regions: readonly RegionSet[] = [
  { location: 'westeurope', mode: 'Rolling' },
  { location: 'northeurope', mode: 'Rolling' },
];
/** Azure's time for one of the five batches. */
const batchMs = 10_000;
const goalMb = 30;
const limitMs = 15 * 60_000;

/** Two scale sets of 1,000 instances, each in a region of its own, roll to a new image at once. */
export async function twoRegions(): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-rolls-'));
  const world = await startWorld({ kinds: `${setType.group}/${setType.kind}` });
  const { azure, kubeconfigFile: kubeconfig } = world;
  azure.settings.rollingBatchMs = batchMs;
  const start = await operatorImage({ directory, kubeconfig, azure });
  const operator = await start();
  try {
    await operator.rest();
    const idle = operator.memory();
    await world.apply(types.group, 'rg', { location: 'westeurope' });
    await applySets(world, '1.0.0');
    azure.journal.clear();
    const began = Date.now();
    await applySets(world, '2.0.0');
    const seconds = (Date.now() - began) / 1000;
    const { peak } = operator.memory();
    const above = peak - idle.rss;
    return [
      ...regions.map((region) => requestsOf(world, region, seconds)),
      {
        what: `memory at its most while 2 sets of ${capacity} instances roll`,
        ours: `${peak.toFixed(0)} MB`,
        theirs: `${idle.rss.toFixed(0)} MB with nothing to do`,
        goal: `at most ${goalMb} MB more`,
        ok: above <= goalMb,
      },
    ];
  } finally {
    await operator.stop();
    await world.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Applies the sets with an image; resolves when all instances have it. */
async function applySets(world: World, version: string): Promise<void> {
  for (const region of regions) await applySet(world, region, version);
  for (const deadline = Date.now() + limitMs; ; ) {
    if ((await Promise.all(regions.map((region) => isReady(world, region)))).every(Boolean)) return;
    if (Date.now() > deadline) throw new Error(`The image ${version} is not everywhere after ${limitMs / 60_000} min`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
