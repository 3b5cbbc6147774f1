import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setSpec, setType } from '../../operator/machines/machine-world.ts';
import { condition, startWorld, types, type World } from '../../operator/support.ts';
import type { Figure } from '../bench.ts';
import { operatorImage } from '../operator/operator-process.ts';

const instances = 1000;
const locations = ['westeurope', 'northeurope'] as const;
/** Azure's time for one of the five batches. */
const batchMs = 10_000;
/** Seconds between two reads of a set that rolls, at least. */
const readSeconds = 30;
const goalMb = 30;
const limitMs = 15 * 60_000;

/** Two scale sets of 1,000 instances, each in a region of its own, roll to a new image at the same time. */
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
      ...locations.map((location) => requestsOf(world, location, seconds)),
      {
        what: `memory at its most while 2 sets of ${instances} instances roll`,
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
  const { virtualMachineProfile, ...rest } = setSpec({ managedSecrets: [], mode: 'Rolling', capacity: instances });
  const imageReference = { publisher: 'Canonical', offer: 'ubuntu', sku: '22', version };
  const profile = { ...virtualMachineProfile, storageProfile: { imageReference } };
  for (const location of locations)
    await world.apply(setType, location, { ...rest, location, virtualMachineProfile: profile });
  const isReady = async (location: string) => {
    const set = await world.get(setType, location);
    const ready = condition(set);
    return ready?.status === 'True' && ready.observedGeneration === set.metadata.generation;
  };
  for (const deadline = Date.now() + limitMs; ; ) {
    if ((await Promise.all(locations.map(isReady))).every(Boolean)) return;
    if (Date.now() > deadline) throw new Error(`The image ${version} is not everywhere after ${limitMs / 60_000} min`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function requestsOf({ azure }: World, location: string, seconds: number): Figure {
  const sent = azure.journal.entries({
    service: 'arm',
    path: new RegExp(`/virtualMachineScaleSets/${location}(/|$)`, 'i'),
  });
  const count = (method: string, end: RegExp) =>
    sent.filter((each) => each.method === method && end.test(each.path)).length;
  const pages = count('GET', /\/virtualMachines$/i);
  const upgrades = count('GET', /\/rollingUpgrades\/latest$/i);
  const others = sent.length - pages - upgrades;
  const periods = Math.floor(seconds / readSeconds) + 1;
  const pagesOfList = Math.ceil(instances / azure.settings.pageSize);
  return {
    what: `requests for the set in ${location}`,
    ours: `${pages} pages of instances, ${upgrades} of the upgrade, ${others} others`,
    theirs: `${Math.round(seconds)} s, ${pagesOfList} pages in a list`,
    goal: `a list and an upgrade in ${readSeconds} s: at most ${periods * pagesOfList} and ${periods}`,
    ok: pages <= periods * pagesOfList && upgrades <= periods,
  };
}
