/** The upgrade policy of a scale set: settings that Azure refuses, and its values with their defaults. */
import { isObject, type JsonObject } from '../../base/json.ts';
import { type ComputeProblem, computeError, computeWarning, quoted } from '../problems/compute-problem.ts';

/** How a scale set brings a changed model to its instances. Manual when the policy names none. */
export type UpgradeMode = 'Automatic' | 'Manual' | 'Rolling';

/** A rolling upgrade policy with all values. */
export interface RollingPolicy {
  /** Percent of all instances in one batch, 5..100. @default 20 */
  readonly maxBatchInstancePercent: number;
  /** Percent of all instances that may be unhealthy before a batch, 5..100. @default 20 */
  readonly maxUnhealthyInstancePercent: number;
  /** Percent of the upgraded instances that may be unhealthy after a batch, 0..100. @default 20 */
  readonly maxUnhealthyUpgradedInstancePercent: number;
  /** Seconds between two batches. @default 0 */
  readonly pauseSeconds: number;
  /** Whether Azure gives the failed instances of a stopped upgrade their former model. @default false */
  readonly rollsBack: boolean;
}

const percents = [
  ['maxBatchInstancePercent', 5],
  ['maxUnhealthyInstancePercent', 5],
  ['maxUnhealthyUpgradedInstancePercent', 0],
] as const;
const defaultPercent = 20;

/** Sources of the health of a scale set's instances. */
export interface HealthSources {
  /** `networkProfile.healthProbe` of a load balancer; Flexible sets cannot use it. */
  readonly probe: boolean;
  /** The Application Health extension. */
  readonly extension: boolean;
  readonly orchestration: 'Uniform' | 'Flexible';
}

/** The mode of an upgradePolicy; Manual without one. Undefined for a mode that Azure does not know. */
export function upgradeModeOf(upgradePolicy: unknown): UpgradeMode | undefined {
  const mode = isObject(upgradePolicy) ? (upgradePolicy['mode'] ?? 'Manual') : 'Manual';
  return mode === 'Automatic' || mode === 'Manual' || mode === 'Rolling' ? mode : undefined;
}

/** The rolling policy of an upgradePolicy, with defaults for missing and wrong values. */
export function rollingPolicyOf(upgradePolicy: unknown): RollingPolicy {
  const policy = policyIn(upgradePolicy);
  const percent = (name: string, least: number) => (isPercent(policy[name], least) ? policy[name] : defaultPercent);
  const [batch, unhealthy, upgraded] = percents.map(([name, least]) => percent(name, least)) as [
    number,
    number,
    number,
  ];
  const pause = policy['pauseTimeBetweenBatches'];
  return {
    maxBatchInstancePercent: batch,
    maxUnhealthyInstancePercent: unhealthy,
    maxUnhealthyUpgradedInstancePercent: upgraded,
    pauseSeconds: (typeof pause === 'string' ? tryParseIsoDuration(pause) : undefined) ?? 0,
    rollsBack: policy['rollbackFailedInstancesOnPolicyBreach'] === true,
  };
}

/**
 * Problems of an upgradePolicy, defaults included: a batch of 100 alone fails against the default of 20 for unhealthy
 * instances. Azure compares the two in each mode. `path` is the path of the upgradePolicy.
 */
export function upgradePolicyProblems(upgradePolicy: unknown, health: HealthSources, path: string): ComputeProblem[] {
  const mode = upgradeModeOf(upgradePolicy);
  const problems = isObject(policyMember(upgradePolicy)) ? rangeProblems(policyIn(upgradePolicy), path) : [];
  if (mode === undefined) {
    const given = isObject(upgradePolicy) ? upgradePolicy['mode'] : upgradePolicy;
    problems.push(
      computeError('UpgradeModeInvalid', `${path}.mode`, `${quoted(given)}: set Automatic, Manual or Rolling`),
    );
  }
  if (mode === 'Automatic') {
    const text =
      'Azure may update every instance at once in mode Automatic; set Rolling or Manual to keep some in service';
    problems.push(computeWarning('UpgradeModeAutomatic', `${path}.mode`, text));
  }
  return mode === 'Rolling' ? [...problems, ...healthProblems(health, path)] : problems;
}

function rangeProblems(policy: JsonObject, path: string): ComputeProblem[] {
  const at = `${path}.rollingUpgradePolicy`;
  const problems: ComputeProblem[] = [];
  for (const [name, least] of percents) {
    const value = policy[name];
    if (value === undefined || isPercent(value, least)) continue;
    const fix = `${quoted(value)} is outside ${least} to 100; set a whole number in that range`;
    problems.push(computeError('PercentOutOfRange', `${at}.${name}`, fix, { when: 'Request', status: 400 }));
  }
  const pause = policy['pauseTimeBetweenBatches'];
  if (pause !== undefined && (typeof pause !== 'string' || tryParseIsoDuration(pause) === undefined)) {
    const fix = `${quoted(pause)} is no ISO 8601 duration; write 60 seconds as PT60S or PT1M`;
    problems.push(computeError('PauseInvalid', `${at}.pauseTimeBetweenBatches`, fix, { when: 'Request', status: 400 }));
  }
  const batch = policy['maxBatchInstancePercent'] ?? defaultPercent;
  const unhealthy = policy['maxUnhealthyInstancePercent'] ?? defaultPercent;
  if (isPercent(batch, 5) && isPercent(unhealthy, 5) && batch > unhealthy) {
    const fix = `${batch} % in a batch exceed ${unhealthy} % that may be unhealthy; lower maxBatchInstancePercent or raise maxUnhealthyInstancePercent`;
    problems.push(
      computeError('BatchAboveUnhealthy', `${at}.maxBatchInstancePercent`, fix, {
        when: 'Request',
        status: 409,
        code: 'OperationNotAllowed',
        message: `The property upgradePolicy.rollingUpgradePolicy.batchInstancePercent has value '${batch}' and is greater than the property upgradePolicy.rollingUpgradePolicy.maxUnhealthyInstancePercent with value '${unhealthy}'.`,
      }),
    );
  }
  return problems;
}

function healthProblems({ probe, extension, orchestration }: HealthSources, path: string): ComputeProblem[] {
  const usable = extension || (probe && orchestration === 'Uniform');
  if (usable && !(probe && extension)) return [];
  if (usable) {
    const text =
      'has a health probe and the Application Health extension; remove one, as Azure accepts one health source';
    return [computeError('HealthSourceTwice', `${path}.mode`, text, { when: 'Request', status: 400 })];
  }
  const sources =
    orchestration === 'Uniform'
      ? 'a health probe or the Application Health extension'
      : 'the Application Health extension';
  return [
    computeError('HealthSourceMissing', `${path}.mode`, `Rolling needs ${sources}; add it, or set mode Manual`, {
      when: 'Request',
      status: 400,
      message:
        'Rolling Upgrade mode is not supported for this Virtual Machine Scale Set because a health probe or health extension was not provided.',
    }),
  ];
}

function policyMember(upgradePolicy: unknown): unknown {
  return isObject(upgradePolicy) ? upgradePolicy['rollingUpgradePolicy'] : undefined;
}

function policyIn(upgradePolicy: unknown): JsonObject {
  const policy = policyMember(upgradePolicy);
  return isObject(policy) ? policy : {};
}

function isPercent(value: unknown, least: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= 100;
}

const secondsOf = { D: 86_400, H: 3600, M: 60, S: 1 } as const;

/**
 * Seconds of an ISO 8601 duration of days, hours, minutes and seconds, such as PT1M30S; undefined for another text. Years
 * and months have no fixed length, so they are refused.
 */
export function tryParseIsoDuration(text: string): number | undefined {
  if (text.length > 64) return undefined;
  const parts = /^P(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?)?$/.exec(text);
  if (!parts || text.endsWith('P') || text.endsWith('T')) return undefined;
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  return Number(days) * secondsOf.D + Number(hours) * secondsOf.H + Number(minutes) * secondsOf.M + Number(seconds);
}
