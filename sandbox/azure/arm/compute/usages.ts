import { refuse } from '../../exchange.ts';
import { at, type Json, stringOf } from '../../json.ts';
import type { SandboxState, StoredResource } from '../../state.ts';
import type { BehaviourContext, WriteContext } from '../behaviour.ts';
import { normalLocation } from '../write-checks.ts';
import { powerOf } from './instances.ts';
import { instanceType, isScaleSet, machineType } from './profile.ts';
import { instancesOf, setOf } from './scale-set-model.ts';

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Cores of a size: Standard_D2s_v3 has 2, Standard_E4-2s_v5 has 2 of 4. */
function coresOf(size: string): number {
  const [, all, constrained] = /^(?:Standard|Basic)_[A-Z]+(\d+)(?:-(\d+))?/i.exec(size) ?? [];
  return Number(constrained ?? all ?? 1);
}

const sizeOf = (resource: StoredResource | undefined): string =>
  stringOf(at(resource?.body, 'properties.hardwareProfile.vmSize') ?? at(resource?.body, 'sku.name'));

/** Cores in use in a region of a subscription; machines that are deallocated use none. */
function usedCores(subscriptionId: string, location: string, state: SandboxState): number {
  let cores = 0;
  for (const resource of Object.values(state.resources)) {
    const uniform = same(resource.type, instanceType);
    if (!uniform && !same(resource.type, machineType)) continue;
    if (!same(resource.subscriptionId, subscriptionId) || powerOf(resource) === 'deallocated') continue;
    const owner = uniform ? setOf(resource, state) : resource;
    if (normalLocation(stringOf(owner?.body['location'])) === location) cores += coresOf(sizeOf(owner));
  }
  return cores;
}

/** `locations/{location}/usages` of Microsoft.Compute. */
export function usages(subscriptionId: string, location: string, { state, settings }: BehaviourContext): Json[] {
  const where = normalLocation(location);
  const count = (type: string) =>
    Object.values(state.resources).filter(
      (resource) =>
        same(resource.type, type) &&
        same(resource.subscriptionId, subscriptionId) &&
        normalLocation(stringOf(resource.body['location'])) === where,
    ).length;
  const usage = (value: string, localizedValue: string, currentValue: number, limit: number): Json => ({
    name: { value, localizedValue },
    currentValue,
    limit,
    unit: 'Count',
  });
  return [
    usage('availabilitySets', 'Availability Sets', count('Microsoft.Compute/availabilitySets'), 2500),
    usage('cores', 'Total Regional vCPUs', usedCores(subscriptionId, where, state), settings.coreQuota),
    usage('virtualMachines', 'Virtual Machines', count(machineType), 25_000),
    usage(
      'virtualMachineScaleSets',
      'Virtual Machine Scale Sets',
      count('Microsoft.Compute/virtualMachineScaleSets'),
      2500,
    ),
  ];
}

/** Refuses a machine, or instances of a set, for which the region has no cores left. */
export function checkQuota({ path, request, existing, state, settings }: WriteContext): void {
  const set = isScaleSet(path.type);
  const size = stringOf(at(request, set ? 'sku.name' : 'properties.hardwareProfile.vmSize'));
  const present = set && existing ? instancesOf(existing, state).length : Number(existing !== undefined);
  const wanted = set ? Number(at(request, 'sku.capacity') ?? 0) : 1;
  const additional = (wanted - present) * coresOf(size);
  if (additional <= 0) return;
  const location = normalLocation(stringOf(request['location']));
  const used = usedCores(path.subscriptionId ?? '', location, state);
  if (used + additional <= settings.coreQuota) return;
  throw refuse(
    409,
    'OperationNotAllowed',
    `Operation results in exceeding quota limits of Core. Maximum allowed: ${settings.coreQuota}, Current in use: ${used}, Additional requested: ${additional}.`,
  );
}
