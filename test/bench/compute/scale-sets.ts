import { setSpec, setType } from '../../operator/machines/machine-world.ts';
import { condition, type World } from '../../operator/support.ts';
import type { Figure } from '../bench.ts';

/** Instances of each set. */
export const capacity = 1000;
/** Seconds between two reads of a set that rolls, at least. */
const readSeconds = 30;
/** The operator upgrades the instances of mode Manual. */
const metadata = { annotations: { 'azimuth.dev/instances': 'roll' } };

/** A scale set with the name of its region. */
export interface RegionSet {
  readonly location: string;
  readonly mode: 'Rolling' | 'Manual';
  readonly policy?: object;
}

/** Applies a set with a version of its image. */
export async function applySet(world: World, { location, mode, policy }: RegionSet, version: string): Promise<void> {
  const imageReference = { publisher: 'Canonical', offer: 'ubuntu', sku: '22', version };
  const options = { managedSecrets: [], mode, capacity, ...(policy && { policy }) };
  const { virtualMachineProfile, ...rest } = setSpec(options);
  const profile = { ...virtualMachineProfile, storageProfile: { imageReference } };
  await world.apply(setType, location, { ...rest, location, virtualMachineProfile: profile }, metadata);
}

/** Whether all instances have what was applied last. */
export async function isReady(world: World, { location }: RegionSet): Promise<boolean> {
  const set = await world.get(setType, location);
  const ready = condition(set);
  return ready?.status === 'True' && ready.observedGeneration === set.metadata.generation;
}

/** The requests for a set since the journal was cleared. @param seconds The time since then. */
export function requestsOf({ azure }: World, { location, mode }: RegionSet, seconds: number): Figure {
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
    ok: pages > 0 && pages <= periods * pagesOfList && upgrades <= periods,
  };
}
