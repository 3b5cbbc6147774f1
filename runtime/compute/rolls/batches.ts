/**
 * Batches of instances that get a new model: Azure's arithmetic for mode Rolling, and ours for mode Manual, where the
 * operator picks the instances itself.
 */
import { expected } from '../../base/errors.ts';

/** Sets of at most this many instances are upgraded one by one. */
const smallSet = 5;

/**
 * Instances in one batch of Azure: a share of all instances, rounded down, and one at least. Azure documents "at most",
 * and no rounding. 0 for an empty set.
 */
export function batchSize(instances: number, percent: number): number {
  if (instances <= smallSet) return Math.min(instances, 1);
  return Math.max(1, Math.floor((instances * percent) / 100));
}

/** Batches until each instance has the model once. */
export function batchCount(instances: number, percent: number): number {
  return instances === 0 ? 0 : Math.ceil(instances / batchSize(instances, percent));
}

/** Whether a share is strictly more than the limit; Azure goes on at equality. Of nothing, nothing is unhealthy. */
export function exceedsPercent(part: number, whole: number, percent: number): boolean {
  return part * 100 > percent * whole;
}

/** Azure's codes for an upgrade that stops, by the threshold. */
export const thresholdCodes = {
  beforeFirstBatch: 'MaxUnhealthyInstancePercentExceededBeforeRollingUpgrade',
  beforeBatch: 'MaxUnhealthyInstancePercentExceededInRollingUpgrade',
  afterBatch: 'MaxUnhealthyUpgradedInstancePercentExceededInRollingUpgrade',
} as const;

/** The code with which a rolling upgrade stops before a batch; undefined if it goes on. */
export function stopBeforeBatch(
  count: { readonly instances: number; readonly unhealthy: number; readonly upgraded: number },
  maxUnhealthyInstancePercent: number,
): string | undefined {
  if (!exceedsPercent(count.unhealthy, count.instances, maxUnhealthyInstancePercent)) return undefined;
  return count.upgraded === 0 ? thresholdCodes.beforeFirstBatch : thresholdCodes.beforeBatch;
}

/** The code with which a rolling upgrade stops after a batch; undefined if it goes on. */
export function stopAfterBatch(
  count: { readonly upgraded: number; readonly unhealthyUpgraded: number },
  maxUnhealthyUpgradedInstancePercent: number,
): string | undefined {
  const stops = exceedsPercent(count.unhealthyUpgraded, count.upgraded, maxUnhealthyUpgradedInstancePercent);
  return stops ? thresholdCodes.afterBatch : undefined;
}

/** Instances that a percentage allows, as Kubernetes rounds: surge up, unavailable down. */
export function roundedPercent(replicas: number, percent: number): { maxSurge: number; maxUnavailable: number } {
  const share = (replicas * percent) / 100;
  return { maxSurge: Math.ceil(share), maxUnavailable: Math.floor(share) };
}

/**
 * Instances that may be out of service at a time: a count, or a percentage rounded down and one at least, as nothing could
 * move otherwise. Throws AZ_CONFIG_INVALID for anything else, 0 and 0 % included.
 */
export function unavailableLimit(instances: number, maxUnavailable: number | string): number {
  if (typeof maxUnavailable === 'number' && Number.isInteger(maxUnavailable) && maxUnavailable >= 1)
    return maxUnavailable;
  const percent = typeof maxUnavailable === 'string' ? Number(/^(\d{1,3})%$/.exec(maxUnavailable)?.[1]) : Number.NaN;
  if (percent >= 1 && percent <= 100) return Math.max(1, roundedPercent(instances, percent).maxUnavailable);
  throw expected('maxUnavailable', 'a count of 1 or more, or a percentage such as "20%"', maxUnavailable);
}

/** An instance of a scale set, as its instance view shows it. */
export interface InstanceState {
  /** `0` for a Uniform set, the VM's name for a Flexible one. */
  readonly id: string;
  readonly latestModelApplied: boolean;
  readonly healthy: boolean;
  /** Whether a batch that was sent is not finished for it. */
  readonly upgrading?: boolean;
}

/** The next call of manualupgrade. */
export interface ManualBatch {
  readonly ids: readonly string[];
  /** `Done` when each instance has the model; `Waiting` for the batch under way; `Stopped` when too many are unhealthy. */
  readonly state: 'Done' | 'Send' | 'Waiting' | 'Stopped';
  /** Instances that are out of service or on their way now. */
  readonly unavailable: number;
}

/** Instances in one call at most, so that one refusal or timeout concerns a part of a large set only. */
const maxIdsPerCall = 200;

/**
 * The next batch for mode Manual. Unhealthy instances without the model go first and take nothing from the limit, as they
 * serve nobody. Healthy ones follow while fewer than `maxUnavailable` are out of service. Order of the input otherwise.
 */
export function nextManualBatch(instances: readonly InstanceState[], maxUnavailable: number | string): ManualBatch {
  const limit = unavailableLimit(instances.length, maxUnavailable);
  const unavailable = instances.filter(({ healthy, upgrading }) => !healthy || upgrading === true).length;
  const waiting = instances.filter(({ latestModelApplied, upgrading }) => !latestModelApplied && upgrading !== true);
  const sick = waiting.filter(({ healthy }) => !healthy);
  const well = waiting.filter(({ healthy }) => healthy);
  const chosen = [...sick, ...well.slice(0, Math.max(0, limit - unavailable))].slice(0, maxIdsPerCall);
  const moving = instances.some(({ upgrading }) => upgrading === true);
  const open = waiting.length > 0 || moving;
  const state = chosen.length > 0 ? 'Send' : !open ? 'Done' : moving ? 'Waiting' : 'Stopped';
  return { ids: chosen.map(({ id }) => id), state, unavailable };
}
