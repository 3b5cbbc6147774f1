import { MachineWorld } from '../../operator/machines/machine-world.ts';
import type { Figure } from '../bench.ts';
import { applySet, isReady, type RegionSet, requestsOf } from './scale-sets.ts';

/** The operator sends 200 instances in a call at most, fewer than half of the set. */
const set: RegionSet = {
  location: 'uksouth',
  mode: 'Manual',
  policy: { maxBatchInstancePercent: 50, maxUnhealthyInstancePercent: 50 },
};
/** Simulated seconds. Azure takes the pages of a list only once a minute, and the operator reads a list for each batch. */
const limitSeconds = 1800;

/** A set of mode Manual that the operator rolls to a new image, in simulated time. */
export async function manualSet(): Promise<Figure[]> {
  const machines = await MachineWorld.start();
  const { world, clock } = machines;
  const roll = async (version: string) => {
    await applySet(world, set, version);
    await machines.waitFor(`all instances have ${version}`, () => isReady(world, set), limitSeconds);
  };
  try {
    await roll('1.0.0');
    world.azure.journal.clear();
    const began = clock.now();
    await roll('2.0.0');
    return [requestsOf(world, set, (clock.now() - began) / 1000)];
  } finally {
    await machines.close();
  }
}
