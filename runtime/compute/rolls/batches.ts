/**
 * Batches of instances that get a new model: Azure's arithmetic for mode Rolling, and ours for batches whose instances the
 * operator picks itself.
 */

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

/** An instance of a scale set, as its instance view shows it. */
export interface InstanceState {
  /** `0` for a Uniform set, the VM's name for a Flexible one. */
  readonly id: string;
  readonly latestModelApplied: boolean;
  readonly healthy: boolean;
  /** Whether a batch that was sent is not finished for it, or Azure does not know its health yet. */
  readonly upgrading?: boolean;
  /** Whether its protection policy keeps the model from it. */
  readonly held?: boolean;
}

/** Instances in one call at most, so that one refusal or timeout concerns a part of a large set only. */
const maxIdsPerCall = 200;

/**
 * Ids of the next batch that the operator sends itself; empty while as many instances are out of service as a batch may
 * have. Unhealthy and stopped instances without the model go first, as they serve nobody. Healthy ones follow while fewer
 * than a batch are out of service. Order of the input otherwise; instances that are held get nothing, and count for
 * nothing: no batch can heal them.
 *
 * @param percent `maxBatchInstancePercent` of the policy.
 * @param total Instances of the set, where `instances` are a part of them. @default their number
 */
export function nextManualBatch(
  instances: readonly (InstanceState & { readonly running?: boolean })[],
  percent: number,
  total: number = instances.length,
): readonly string[] {
  const size = Math.min(maxIdsPerCall, batchSize(total, percent));
  const serves = ({ healthy, running = true }: (typeof instances)[number]) => healthy && running;
  const free = instances.filter((each) => each.held !== true);
  const outOfService = free.filter((each) => each.running !== false && (!each.healthy || each.upgrading === true));
  const waiting = free.filter((each) => !each.latestModelApplied && each.upgrading !== true);
  const idle = waiting.filter((each) => !serves(each));
  const serving = waiting.filter(serves).slice(0, Math.max(0, size - outOfService.length));
  return [...idle, ...serving].slice(0, size).map(({ id }) => id);
}
