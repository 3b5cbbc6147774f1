/** The quota that the machines of a plan need together, by subscription and region. */
import { annotations } from '../../arm-kinds/names.ts';
import { tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import { someOf } from '../../base/text/some-of.ts';
import { locationKey } from '../features/features.ts';
import { additionalDemand, type Demand, demandOf, exceededUsages, type Usage } from '../limits/quota.ts';
import { textIn } from '../machines/machine-model.ts';
import { machineKind } from '../machines/machine-of.ts';
import type { AzureAnswer } from './azure-changes.ts';
import type { AzureTarget } from './azure-targets.ts';
import type { PlannedChange, PlanProblem } from './change.ts';

/** Quota that a virtual machine or scale set of a plan needs. */
export interface MachineNeed {
  /** `VirtualMachine.compute.azure.com/web` */
  readonly key: string;
  /** Lower case. */
  readonly subscription: string;
  /** As paths of Azure have it: letters and digits. */
  readonly location: string;
  /** Beyond its present demand; spot cores are apart. Undefined where nobody knows it before the request. */
  readonly additional: Demand | undefined;
}

/** The need of a planned machine; undefined where nothing new is needed or sent. `target` is of a machine. */
export function machineNeed(change: PlannedChange, target: AzureTarget, answer: AzureAnswer): MachineNeed | undefined {
  const { model, object, id, key } = target;
  const isSkipped = object.metadata.annotations?.[annotations.reconcilePolicy] === 'skip';
  if (isSkipped || change.action === 'None' || change.action === 'Delete') return undefined;
  const live = answer.state === 'Present' ? answer.body : undefined;
  // Fields that are left to others stay as they are.
  const wanted = (live && target.compared) ?? target.body;
  const location = locationKey(textIn(wanted, 'location') ?? textIn(target.body, 'location') ?? '');
  const subscription = tryParseResourceId(id)?.subscriptionId?.toLowerCase() ?? '';
  const need = { key, subscription, location };
  // The location is text of a manifest, and becomes a part of a path.
  if (answer.state === 'Unknown' || subscription === '' || !/^[a-z0-9]{1,64}$/.test(location))
    return { ...need, additional: undefined };
  const kind = machineKind(model.armType(object));
  const demand = demandOf(kind, wanted);
  const isSameRegion = live !== undefined && locationKey(textIn(live, 'location') ?? '') === location;
  const present = isSameRegion ? demandOf(kind, live) : new Map<string, number>();
  if (!demand || !present) return { ...need, additional: undefined };
  const additional = additionalDemand(demand, present);
  return additional.size === 0 ? undefined : { ...need, additional };
}

/** Shortages of quota for the machines of one region, and the limits that Azure does not name. */
export interface QuotaFindings {
  readonly problems: readonly PlanProblem[];
  /** Such as `standardxfamily`. */
  readonly unnamed: readonly string[];
}

/**
 * Compares the summed needs of the machines of one subscription and region with the region's usages. Quota that the
 * plan would free does not count: deletions come last. `placeOf`: where an object stands in the files, by its key.
 */
export function quotaFindings(
  needs: readonly MachineNeed[],
  usages: readonly Usage[],
  placeOf: (key: string) => string,
): QuotaFindings {
  const total = new Map<string, number>();
  for (const { additional = new Map() } of needs)
    for (const [name, number] of additional) total.set(name, (total.get(name) ?? 0) + number);
  const problems = exceededUsages(total, usages).map(({ name, current, limit }): PlanProblem => {
    const parts = needs
      .map(({ key, additional }) => ({ key, number: additional?.get(name) ?? 0 }))
      .filter(({ number }) => number > 0)
      // Machines are compared at once, and `needs` has them as their answers came.
      .sort((a, b) => b.number - a.number || a.key.localeCompare(b.key));
    const [largest] = parts;
    const where = `${needs[0]?.location} of the subscription ${needs[0]?.subscription}`;
    const which = someOf(parts.map(({ key, number }) => `${key} (${number})`));
    const message =
      `${where} has ${current} of ${limit} ${name} in use, and this plan needs ${total.get(name)} more, for ${which}: ` +
      'ask Azure for more quota, free some, or choose other sizes or fewer instances';
    return { path: `${placeOf(largest?.key ?? '')} ${largest?.key}`.trim(), message };
  });
  const named = new Set(usages.map(({ name }) => name));
  return { problems, unnamed: [...total.keys()].filter((name) => !named.has(name)) };
}
