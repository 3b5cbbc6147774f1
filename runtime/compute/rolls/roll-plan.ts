/**
 * How the instances of a scale set come to its newest model, decided from Azure's answers. There is no record of a
 * roll: a program that starts again reads the instances and goes on.
 */
import { roughDuration } from '../../base/duration.ts';
import { nextManualBatch, thresholdCodes } from './batches.ts';
import {
  afterBatchCode,
  beforeBatchCode,
  countInstances,
  describe,
  type InstanceCounts,
  type RollInstance,
} from './instance-counts.ts';
import type { RollingPolicy, UpgradeMode } from './rolling-policy.ts';

/** Azure's answer about `rollingUpgrades/latest`. */
export interface RollingUpgradeState {
  /** `RollingForward`, `Cancelled`, `Completed`, `Faulted`, or a word that Azure added since. */
  readonly code: string;
  /** Code and message of the threshold that stopped it. */
  readonly error?: { readonly code: string; readonly message: string };
}

/**
 * Who brings instances to the model: `operator` in each mode but Automatic, `azure` with the operator completing upgrades
 * of mode Rolling, or `nobody` here: the operator only reads.
 */
export type RollDriver = 'operator' | 'azure' | 'nobody';

/** The state of a scale set whose model is as declared. Times in milliseconds since the epoch. */
export interface RollObservation {
  readonly now: number;
  readonly mode: UpgradeMode;
  readonly policy: RollingPolicy;
  readonly driver: RollDriver;
  /** Whether Service Fabric orchestrates the set. */
  readonly serviceFabric: boolean;
  readonly instances: readonly RollInstance[];
  /** The newest upgrade of mode Rolling; undefined before the first. */
  readonly upgrade?: RollingUpgradeState | undefined;
  /** When instances were first seen behind the model with no upgrade under way. */
  readonly behindSince?: number | undefined;
  /** When the last batch of the operator ended. */
  readonly batchEndedAt?: number | undefined;
  /** The closed maintenance window of the set; undefined where batches may start. */
  readonly closed?: ClosedWindow | undefined;
}

/** A maintenance window that lets no batch start, and when it may: in milliseconds since the epoch. */
export interface ClosedWindow {
  readonly until: number;
  /** What happens then, for the message. */
  readonly opening: string;
}

/** Reasons of the conditions Ready and SecretsDelivered that a roll gives. */
export const rollReasons = {
  delivered: 'Delivered',
  rolling: 'Rolling',
  window: 'MaintenanceWindow',
  stopped: 'RollStopped',
  cancelled: 'RollCancelled',
  manual: 'UpgradeModeManual',
  automatic: 'UpgradeModeAutomatic',
  serviceFabric: 'ServiceFabricSet',
  unhealthy: 'InstancesUnhealthy',
} as const;

/**
 * The next step of a roll, and its message for the condition. `applied`: each instance has the model. `well`: it does, and
 * the instances are healthy within the limits of the policy.
 */
export type RollStep = { readonly applied: boolean; readonly well: boolean } & (
  | {
      readonly do: 'Nothing';
      readonly reason: string;
      readonly message: string;
      /** When a closed maintenance window lets the roll go on. */
      readonly until?: number;
    }
  /** An empty PATCH starts the upgrade of mode Rolling again. */
  | { readonly do: 'Resume'; readonly reason: string; readonly message: string }
  /** `manualupgrade` of these instances. */
  | { readonly do: 'Upgrade'; readonly ids: readonly string[]; readonly reason: string; readonly message: string }
);

/** Milliseconds in which Azure starts the upgrade by itself after a new model. */
const startMs = 60_000;

/**
 * Decides the next step. An instance that is newer than the model has it from the start. No batch starts, and no upgrade
 * is resumed, while the maintenance window of the set is closed.
 */
export function nextRollStep(observed: RollObservation): RollStep {
  const { closed, now, instances } = observed;
  const step = openStep(observed);
  if (!closed || step.do === 'Nothing') return step;
  const { until, opening } = closed;
  const wait = `${opening} at ${new Date(until).toISOString()}, in ${roughDuration(until - now)}`;
  return { ...waiting(rollReasons.window, `${describe(countInstances(instances))}; ${wait}`), until };
}

function openStep(observed: RollObservation): RollStep {
  const { mode, serviceFabric } = observed;
  const counts = countInstances(observed.instances);
  const text = describe(counts);
  if (counts.behind === 0) return stepWithModel(observed, counts, text);
  if (serviceFabric) {
    return waiting(
      rollReasons.serviceFabric,
      `${text}; Service Fabric rolls the others, and the operator sends nothing`,
    );
  }
  if (mode === 'Automatic') {
    const message = `${text}; Azure updates the others by itself, perhaps all at once: set Rolling or Manual to keep some in service`;
    return waiting(rollReasons.automatic, message);
  }
  return mode === 'Rolling' ? rollingStep(observed, counts, text) : manualStep(observed, counts, text);
}

function stepWithModel({ policy }: RollObservation, counts: InstanceCounts, text: string): RollStep {
  const applied = { do: 'Nothing', applied: true } as const;
  if (counts.moving > 0) {
    return { ...applied, well: false, reason: rollReasons.rolling, message: `${text}; ${counts.moving} of them start` };
  }
  const code = afterBatchCode(counts, policy) ?? beforeBatchCode(counts, policy);
  if (code === undefined) return { ...applied, well: true, reason: rollReasons.delivered, message: '' };
  const least = Math.min(policy.maxUnhealthyInstancePercent, policy.maxUnhealthyUpgradedInstancePercent);
  const message = `${text}; the upgrade policy allows ${least} % of unhealthy instances`;
  return { ...applied, well: false, reason: rollReasons.unhealthy, message };
}

function rollingStep(observed: RollObservation, counts: InstanceCounts, text: string): RollStep {
  const { now, upgrade, behindSince = now, policy, driver } = observed;
  if (upgrade?.code === 'RollingForward') return waiting(rollReasons.rolling, `${text}; Azure rolls the others`);
  if (counts.moving > 0) return waiting(rollReasons.rolling, `${text}; a batch is under way`);
  const { code: fault = upgrade?.code, message = 'Azure gives no reason' } = upgrade?.error ?? {};
  const because = upgrade?.code === 'Faulted' ? `${text}; ${fault}: ${message.slice(0, 300)}` : text;
  const isNewModel = now - behindSince < startMs;
  // One that ended before its first batch took nothing back.
  const tookBack = upgrade?.code === 'Faulted' && policy.rollsBack && fault !== thresholdCodes.beforeFirstBatch;
  if (tookBack && !isNewModel) {
    const fix = 'Azure gave the failed instances their former model; the operator goes on with another model';
    return waiting(rollReasons.stopped, `${because}; ${fix}`);
  }
  const stop = afterBatchCode(counts, policy);
  if (stop !== undefined) return waiting(rollReasons.stopped, `${because}; ${stop}; ${goesOn(counts, policy)}`);
  // The upgrade may be that of the model before, or of this one, which no instance gets again.
  if (tookBack) return waiting(rollReasons.rolling, `${because}; Azure starts the upgrade of a newer model by itself`);
  if (driver === 'nobody') return waiting(rollReasons.stopped, because);
  if (beforeBatchCode(counts, policy) !== undefined) return healingBatch(observed, counts, because);
  if (upgrade?.code === 'Cancelled' && driver !== 'operator') {
    const fix = 'somebody cancelled the upgrade; start it with az vmss rolling-upgrade start, or change the spec';
    return waiting(rollReasons.cancelled, `${text}; ${fix}`);
  }
  if (upgrade?.code === 'Cancelled') return resume(`${text}; the upgrade was cancelled and goes on`);
  if (upgrade?.code === 'Faulted') {
    return resume(`${text}; ${fault} stopped the upgrade, and the operator resumes it`);
  }
  // In mode Rolling, the PUT of a model starts the upgrade.
  if (isNewModel) return waiting(rollReasons.rolling, `${text}; Azure starts to roll the others`);
  return resume(`${text}; Azure rolls none of the others, and the operator starts the upgrade`);
}

function manualStep(observed: RollObservation, counts: InstanceCounts, text: string): RollStep {
  const { instances, policy, driver } = observed;
  if (counts.moving > 0) return waiting(rollReasons.rolling, `${text}; a batch is under way`);
  if (driver !== 'operator') {
    const fix = 'mode Manual leaves the others to you: az vmss update-instances, or azimuth.dev/instances: roll';
    return waiting(rollReasons.manual, `${text}; ${fix}`);
  }
  const stop = afterBatchCode(counts, policy);
  if (stop !== undefined) return waiting(rollReasons.stopped, `${text}; ${stop}; ${goesOn(counts, policy)}`);
  if (beforeBatchCode(counts, policy) !== undefined) return healingBatch(observed, counts, text);
  if (isPaused(observed)) return waiting(rollReasons.rolling, `${text}; the policy pauses between two batches`);
  const ids = nextManualBatch(instances, policy.maxBatchInstancePercent);
  if (ids.length > 0) return batch(ids, text);
  const message = `${text}; as many instances are out of service as a batch may have; the operator goes on when some are back`;
  return waiting(rollReasons.stopped, message);
}

/**
 * More instances are unhealthy than the policy allows. Unhealthy ones that lack the model get it all the same, a batch at
 * a time: they serve nobody, and the model may heal them.
 */
function healingBatch(observed: RollObservation, counts: InstanceCounts, text: string): RollStep {
  const { instances, policy } = observed;
  const stopped = `${text}; ${beforeBatchCode(counts, policy)}`;
  const ill = instances.filter((each) => !each.healthy);
  const ids = nextManualBatch(ill, policy.maxBatchInstancePercent, instances.length);
  if (ids.length === 0) return waiting(rollReasons.stopped, `${stopped}; ${goesOn(counts, policy)}`);
  if (isPaused(observed)) return waiting(rollReasons.rolling, `${stopped}; the policy pauses between two batches`);
  return batch(ids, `${stopped}; unhealthy instances get the model first`);
}

function isPaused({ now, batchEndedAt = 0, behindSince = now, policy, mode }: RollObservation): boolean {
  // Azure's own last batch ended before the first read that showed no upgrade under way.
  const endedAt = mode === 'Rolling' ? Math.max(batchEndedAt, behindSince) : batchEndedAt;
  return now < endedAt + policy.pauseSeconds * 1000;
}

function goesOn({ total, unhealthy, upgraded, unhealthyUpgraded }: InstanceCounts, policy: RollingPolicy): string {
  const { maxUnhealthyInstancePercent: all, maxUnhealthyUpgradedInstancePercent: withModel } = policy;
  return (
    `${unhealthy} of ${total} running instances are unhealthy, and ${unhealthyUpgraded} of ${upgraded} with the model; ` +
    `the operator goes on at ${all} % and ${withModel} % at most, or with another model`
  );
}

function waiting(reason: string, message: string): RollStep & { readonly do: 'Nothing' } {
  return { do: 'Nothing', applied: false, well: false, reason, message };
}

function resume(message: string): RollStep & { readonly do: 'Resume' } {
  return { do: 'Resume', applied: false, well: false, reason: rollReasons.rolling, message };
}

function batch(ids: readonly string[], text: string): RollStep & { readonly do: 'Upgrade' } {
  const message = `${text}; a batch of ${ids.length} is under way`;
  return { do: 'Upgrade', applied: false, well: false, ids, reason: rollReasons.rolling, message };
}
