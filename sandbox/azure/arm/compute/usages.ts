import { refuse } from '../../exchange.ts';
import { at, type Json, stringOf } from '../../json.ts';
import type { SandboxState } from '../../state.ts';
import type { ArmSettings, BehaviourContext, WriteContext } from '../behaviour.ts';
import { normalLocation } from '../write-checks.ts';
import { powerOf } from './instances.ts';
import { instanceType, isScaleSet, machineType } from './profile.ts';
import { instancesOf, setOf } from './scale-set-model.ts';
import { coresByUsage } from './sizes.ts';

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Cores in use in a region of a subscription, by the name of the usage; machines that are deallocated use none. */
function usedCores(subscriptionId: string, location: string, state: SandboxState): Map<string, number> {
  const used = new Map([
    ['cores', 0],
    ['lowPriorityCores', 0],
  ]);
  for (const resource of [instanceType, machineType].flatMap((type) => state.resources.ofType(type))) {
    const uniform = same(resource.type, instanceType);
    if (!same(resource.subscriptionId, subscriptionId) || powerOf(resource) === 'deallocated') continue;
    const owner = uniform ? setOf(resource, state) : resource;
    if (!owner || normalLocation(stringOf(owner.body['location'])) !== location) continue;
    for (const [name, cores] of coresByUsage(owner.type, owner.body, 1)) used.set(name, (used.get(name) ?? 0) + cores);
  }
  return used;
}

/** Cores that a subscription may use in a region under the name of a usage. */
const limitOf = (name: string, { coreQuota, familyQuota }: ArmSettings) =>
  /Family$/.test(name) ? (familyQuota[name] ?? coreQuota) : coreQuota;

/** `locations/{location}/usages` of Microsoft.Compute. */
export function usages(subscriptionId: string, location: string, { state, settings }: BehaviourContext): Json[] {
  const where = normalLocation(location);
  const count = (type: string) =>
    state.resources
      .ofType(type)
      .filter(
        (resource) =>
          same(resource.subscriptionId, subscriptionId) &&
          normalLocation(stringOf(resource.body['location'])) === where,
      ).length;
  const usage = (value: string, localizedValue: string, currentValue: number, limit: number): Json => ({
    name: { value, localizedValue },
    currentValue,
    limit,
    unit: 'Count',
  });
  const used = usedCores(subscriptionId, where, state);
  const families = new Set(
    [...used.keys(), ...Object.keys(settings.familyQuota)].filter((name) => /Family$/.test(name)),
  );
  const ofCores = (name: string, localizedName: string) =>
    usage(name, localizedName, used.get(name) ?? 0, limitOf(name, settings));
  return [
    usage('availabilitySets', 'Availability Sets', count('Microsoft.Compute/availabilitySets'), 2500),
    ofCores('cores', 'Total Regional vCPUs'),
    usage('virtualMachines', 'Virtual Machines', count(machineType), 25_000),
    usage(
      'virtualMachineScaleSets',
      'Virtual Machine Scale Sets',
      count('Microsoft.Compute/virtualMachineScaleSets'),
      2500,
    ),
    ofCores('lowPriorityCores', 'Total Regional Low-priority vCPUs'),
    ...[...families].sort().map((name) => ofCores(name, `${name.replace(/Family$/, ' Family')} vCPUs`)),
  ];
}

/** Refuses a machine, or instances of a set, for which the region has no cores left, in all or of their family. */
export function checkQuota({ path, request, existing, state, settings }: WriteContext): void {
  const set = isScaleSet(path.type);
  const present = set && existing ? instancesOf(existing, state).length : Number(existing !== undefined);
  const wanted = coresByUsage(path.type, request, set ? Number(at(request, 'sku.capacity') ?? 0) : 1);
  const had = coresByUsage(path.type, existing?.body, present);
  const location = normalLocation(stringOf(request['location']));
  const used = usedCores(path.subscriptionId ?? '', location, state);
  for (const [name, cores] of wanted) {
    const additional = cores - (had.get(name) ?? 0);
    const current = used.get(name) ?? 0;
    const limit = limitOf(name, settings);
    if (additional > 0 && current + additional > limit) {
      const message = /Family$/.test(name)
        ? `Operation could not be completed as it results in exceeding approved ${name} Cores quota. Additional details - Deployment Model: Resource Manager, Location: ${location}, Current Limit: ${limit}, Current Usage: ${current}, Additional Required: ${additional}, (Minimum) New Limit Required: ${current + additional}.`
        : `Operation results in exceeding quota limits of Core. Maximum allowed: ${limit}, Current in use: ${current}, Additional requested: ${additional}.`;
      throw refuse(409, 'OperationNotAllowed', message);
    }
  }
}
