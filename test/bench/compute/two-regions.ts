import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setSpec, setType } from '../../operator/machines/machine-world.ts';
import { condition, startWorld, types, type World } from '../../operator/support.ts';
import type { Figure } from '../bench.ts';
import { operatorImage } from '../operator/operator-process.ts';

const instances = 1000;
/** Half of a set at a time: the operator reads a set of mode Manual once for each batch. */
const halves = { maxBatchInstancePercent: 50, maxUnhealthyInstancePercent: 50 };
const regions = [
  { location: 'westeurope', mode: 'Rolling', capacity: instances, policy: undefined },
  { location: 'northeurope', mode: 'Rolling', capacity: instances, policy: undefined },
  { location: 'uksouth', mode: 'Manual', capacity: 200, policy: halves },
] as const;
type Region = (typeof regions)[number];
/** The operator upgrades the instances of mode Manual. */
const metadata = { annotations: { 'azimuth.dev/instances': 'roll' } };
/** Azure's time for one of the five batches. */
const batchMs = 10_000;
/** Seconds between two reads of a set that rolls, at least. */
const readSeconds = 30;
const goalMb = 30;
const limitMs = 15 * 60_000;

/** Two scale sets of 1,000 instances, each in a region of its own, and one of mode Manual roll to a new image at once. */
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
  const imageReference = { publisher: 'Canonical', offer: 'ubuntu', sku: '22', version };
  for (const { location, mode, capacity, policy } of regions) {
    const { virtualMachineProfile, ...rest } = setSpec({
      managedSecrets: [],
      mode,
      capacity,
      ...(policy && { policy }),
    });
    const profile = { ...virtualMachineProfile, storageProfile: { imageReference } };
    await world.apply(setType, location, { ...rest, location, virtualMachineProfile: profile }, metadata);
  }
  const isReady = async (location: string) => {
    const set = await world.get(setType, location);
    const ready = condition(set);
    return ready?.status === 'True' && ready.observedGeneration === set.metadata.generation;
  };
  for (const deadline = Date.now() + limitMs; ; ) {
    if ((await Promise.all(regions.map(({ location }) => isReady(location)))).every(Boolean)) return;
    if (Date.now() > deadline) throw new Error(`The image ${version} is not everywhere after ${limitMs / 60_000} min`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function requestsOf({ azure }: World, { location, mode, capacity }: Region, seconds: number): Figure {
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
  const pagesOfList = Math.ceil(capacity / azure.settings.pageSize);
  return {
    what: `requests for the set of mode ${mode} in ${location}`,
    ours: `${pages} pages of instances, ${upgrades} of the upgrade, ${others} others`,
    theirs: `${Math.round(seconds)} s, ${pagesOfList} pages in a list`,
    goal: `a list and an upgrade in ${readSeconds} s: at most ${periods * pagesOfList} and ${periods}`,
    ok: pages <= periods * pagesOfList && upgrades <= periods,
  };
}
