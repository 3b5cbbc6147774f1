/** The instances of a scale set, counted for the limits of its upgrade policy. */
import { type InstanceState, stopAfterBatch, stopBeforeBatch } from './batches.ts';
import type { RollingPolicy } from './rolling-policy.ts';

/** An instance in a roll. */
export interface RollInstance extends InstanceState {
  /** Whether it runs; a stopped one serves nobody, and counts for no limit of unhealthy instances. */
  readonly running: boolean;
  /** Why it is unhealthy, in Azure's words; undefined where Azure gives no reason. */
  readonly problem?: string;
}

/** Counts of a set's instances. */
export interface InstanceCounts {
  readonly instances: number;
  readonly upToDate: number;
  /** Instances that lack the model and may get it. */
  readonly behind: number;
  /** Instances whose protection policy keeps the model from them. */
  readonly held: number;
  /** Instances that Azure updates, or whose health Azure does not know yet. */
  readonly moving: number;
  /** Running instances: all, unhealthy ones, those with the model, and unhealthy ones among these. */
  readonly total: number;
  readonly unhealthy: number;
  readonly upgraded: number;
  readonly unhealthyUpgraded: number;
  /** The first unhealthy one, those with the model before the others. */
  readonly firstUnhealthy: RollInstance | undefined;
}

/** Counts the instances of a set. */
export function countInstances(instances: readonly RollInstance[]): InstanceCounts {
  const running = instances.filter((each) => each.running);
  const upgraded = running.filter(({ latestModelApplied }) => latestModelApplied);
  const ill = (of: readonly RollInstance[]) => of.filter(({ healthy, upgrading }) => !healthy && upgrading !== true);
  const behind = instances.filter(({ latestModelApplied }) => !latestModelApplied);
  const illUpgraded = ill(upgraded);
  return {
    instances: instances.length,
    upToDate: instances.length - behind.length,
    behind: behind.filter((each) => each.held !== true).length,
    held: behind.filter((each) => each.held === true).length,
    moving: instances.filter(({ upgrading }) => upgrading === true).length,
    total: running.length,
    unhealthy: ill(running).length,
    upgraded: upgraded.length,
    unhealthyUpgraded: illUpgraded.length,
    firstUnhealthy: illUpgraded[0] ?? ill(running)[0],
  };
}

/** Azure's code where more instances with the model are unhealthy than the policy allows; undefined where not. */
export function afterBatchCode(counts: InstanceCounts, policy: RollingPolicy): string | undefined {
  return stopAfterBatch(counts, policy.maxUnhealthyUpgradedInstancePercent);
}

/** Azure's code where more of all running instances are unhealthy than the policy allows; undefined where not. */
export function beforeBatchCode(counts: InstanceCounts, policy: RollingPolicy): string | undefined {
  const { total, unhealthy, upgraded } = counts;
  return stopBeforeBatch({ instances: total, unhealthy, upgraded }, policy.maxUnhealthyInstancePercent);
}

/** The counts in words, with the first unhealthy instance. */
export function describe({ instances, upToDate, held, unhealthy, firstUnhealthy }: InstanceCounts): string {
  const parts = [`${upToDate} of ${instances} instances have the model`];
  if (held > 0) parts.push(`${held} are protected from it`);
  if (firstUnhealthy) {
    const { id, problem } = firstUnhealthy;
    parts.push(`${unhealthy} are unhealthy, first ${id}${problem === undefined ? '' : `: ${problem}`}`);
  }
  return parts.join(', ');
}
