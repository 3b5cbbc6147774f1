/**
 * How the instances of a scale set come to its newest model, decided from Azure's answers. There is no record of a
 * roll: a program that starts again reads the instances and goes on.
 */
import { exceedsPercent, type InstanceState, nextManualBatch, stopAfterBatch, stopBeforeBatch } from './batches.ts';
import type { RollingPolicy, UpgradeMode } from './rolling-policy.ts';

/** An instance in a roll. */
export interface RollInstance extends InstanceState {
  /** Whether it runs; a stopped one serves nobody, and counts for no limit of unhealthy instances. */
  readonly running: boolean;
}

/** Azure's answer about `rollingUpgrades/latest`. */
export interface RollingUpgradeState {
  /** `RollingForward`, `Cancelled`, `Completed`, `Faulted`, or a word that Azure added since. */
  readonly code: string;
  /** Code and message of the threshold that stopped it. */
  readonly error?: { readonly code: string; readonly message: string };
}

/** The state of a scale set whose model is as declared. Times in milliseconds since the epoch. */
export interface RollObservation {
  readonly now: number;
  readonly mode: UpgradeMode;
  readonly policy: RollingPolicy;
  /** Whether Service Fabric orchestrates the set. */
  readonly serviceFabric: boolean;
  readonly instances: readonly RollInstance[];
  /** The newest upgrade of mode Rolling; undefined before the first. */
  readonly upgrade?: RollingUpgradeState | undefined;
  /** When instances were first seen behind the model with no upgrade under way. */
  readonly behindSince?: number | undefined;
  /** When the last batch of mode Manual ended. */
  readonly batchEndedAt?: number | undefined;
}

/** Reasons of the condition SecretsDelivered that a roll gives. */
export const rollReasons = {
  delivered: 'Delivered',
  rolling: 'Rolling',
  stopped: 'RollStopped',
  automatic: 'UpgradeModeAutomatic',
  serviceFabric: 'ServiceFabricSet',
} as const;

/** The next step of a roll, and its message for the condition. */
export type RollStep =
  | { readonly do: 'Nothing'; readonly done: true }
  | { readonly do: 'Nothing'; readonly done: false; readonly reason: string; readonly message: string }
  /** An empty PATCH starts the upgrade of mode Rolling again. */
  | { readonly do: 'Resume'; readonly reason: string; readonly message: string }
  /** `manualupgrade` of these instances. */
  | { readonly do: 'Upgrade'; readonly ids: readonly string[]; readonly reason: string; readonly message: string };

/** Milliseconds in which Azure starts the upgrade by itself after a new model. */
const startMs = 60_000;

/** Decides the next step. Done when each instance has the model: an instance that is newer than it has it from the start. */
export function nextRollStep(observed: RollObservation): RollStep {
  const { instances, mode, serviceFabric } = observed;
  const behind = instances.filter(({ latestModelApplied }) => !latestModelApplied).length;
  if (behind === 0) return { do: 'Nothing', done: true };
  const count = `${instances.length - behind} of ${instances.length} instances have the model`;
  if (serviceFabric) {
    return waiting(
      rollReasons.serviceFabric,
      `${count}; Service Fabric rolls the others, and the operator sends nothing`,
    );
  }
  if (mode === 'Automatic') {
    const message = `${count}; Azure updates the others by itself, perhaps all at once: set Rolling or Manual to keep some in service`;
    return waiting(rollReasons.automatic, message);
  }
  return mode === 'Rolling' ? rollingStep(observed, count) : manualStep(observed, count);
}

function rollingStep({ now, upgrade, behindSince = now, instances, policy }: RollObservation, count: string): RollStep {
  if (upgrade?.code === 'RollingForward') return waiting(rollReasons.rolling, `${count}; Azure rolls the others`);
  if (upgrade?.code === 'Cancelled') return resume(`${count}; the upgrade was cancelled and goes on`);
  if (upgrade?.code === 'Faulted') {
    const { total, unhealthy } = healthOf(instances);
    const { code = 'Faulted', message = 'Azure gives no reason' } = upgrade.error ?? {};
    if (exceedsPercent(unhealthy, total, policy.maxUnhealthyInstancePercent)) {
      const fix = `${unhealthy} of ${total} running instances are unhealthy; the operator resumes the upgrade below ${policy.maxUnhealthyInstancePercent} %`;
      return waiting(rollReasons.stopped, `${count}; ${code}: ${message.slice(0, 300)}; ${fix}`);
    }
    return {
      ...resume(`${count}; ${code} stopped the upgrade, and the operator resumes it`),
      reason: rollReasons.stopped,
    };
  }
  // In mode Rolling, the PUT of a model starts the upgrade.
  if (now - behindSince < startMs) return waiting(rollReasons.rolling, `${count}; Azure starts to roll the others`);
  return resume(`${count}; Azure rolls none of the others, and the operator starts the upgrade`);
}

function manualStep({ now, instances, policy, batchEndedAt }: RollObservation, count: string): RollStep {
  const { maxBatchInstancePercent, maxUnhealthyInstancePercent, maxUnhealthyUpgradedInstancePercent } = policy;
  const moving = instances.some(({ upgrading }) => upgrading === true);
  if (moving) return waiting(rollReasons.rolling, `${count}; a batch is under way`);
  const { total, unhealthy, upgraded, unhealthyUpgraded } = healthOf(instances);
  const code =
    stopAfterBatch({ upgraded, unhealthyUpgraded }, maxUnhealthyUpgradedInstancePercent) ??
    stopBeforeBatch({ instances: total, unhealthy, upgraded }, maxUnhealthyInstancePercent);
  if (code !== undefined) {
    const message = `${count}; ${code}: ${unhealthy} of ${total} running instances are unhealthy, ${unhealthyUpgraded} of them with the new model`;
    return waiting(
      rollReasons.stopped,
      `${message}; the operator goes on when they are within the limits of the policy`,
    );
  }
  const nextAt = batchEndedAt === undefined ? now : batchEndedAt + policy.pauseSeconds * 1000;
  if (now < nextAt) return waiting(rollReasons.rolling, `${count}; the policy pauses between two batches`);
  const { ids } = nextManualBatch(instances, `${maxBatchInstancePercent}%`);
  if (ids.length > 0) {
    return {
      do: 'Upgrade',
      ids,
      reason: rollReasons.rolling,
      message: `${count}; a batch of ${ids.length} is under way`,
    };
  }
  const message = `${count}; as many instances are out of service as a batch may have; the operator goes on when some are back`;
  return waiting(rollReasons.stopped, message);
}

function healthOf(instances: readonly RollInstance[]) {
  const running = instances.filter((each) => each.running);
  const upgraded = running.filter(({ latestModelApplied }) => latestModelApplied);
  const ill = (of: readonly RollInstance[]) => of.filter(({ healthy }) => !healthy).length;
  return {
    total: running.length,
    unhealthy: ill(running),
    upgraded: upgraded.length,
    unhealthyUpgraded: ill(upgraded),
  };
}

function waiting(reason: string, message: string): RollStep {
  return { do: 'Nothing', done: false, reason, message };
}

function resume(message: string): RollStep & { readonly do: 'Resume' } {
  return { do: 'Resume', reason: rollReasons.rolling, message };
}
