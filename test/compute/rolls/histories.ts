import { batchCount } from '../../../runtime/compute/rolls/batches.ts';
import { rollReasons } from '../../../runtime/compute/rolls/roll-plan.ts';
import type { UpgradeMode } from '../../../runtime/compute/rolls/rolling-policy.ts';
import type { RollCounts } from './roll-counts.ts';
import { type Loss, SimulatedOperator } from './simulated-operator.ts';
import { SimulatedSet } from './simulated-set.ts';

/** The result of one history; times in seconds. */
export interface HistoryResult {
  readonly violations: readonly string[];
  readonly duplicates: readonly string[];
  /** Whether each instance had the last, healthy version in the end. */
  readonly finished: boolean;
  readonly counts: RollCounts;
  /** Time of an undisturbed roll, and the time that the batches and pauses alone take. */
  readonly seconds: number;
  readonly ideal: number;
}

/** Numbers in [0, 1), the same for one seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A set of mode Rolling, with or without surge, or Manual, of 3 to `most` instances, that gets models, some of them broken, while instances fall
 * ill, are protected, and the operator is killed. Some sets have maintenance windows.
 */
export function disturbedHistory(seed: number, most = 300): HistoryResult {
  const random = randomOf(seed);
  const set = randomSet(random, most, { leastBatchSeconds: 10, mayRollBack: true, mayHaveWindows: true });
  const operator = new SimulatedOperator(set);
  const events = 6;
  for (let version = 2; version < 2 + events; version++) {
    const isLast = version === 1 + events;
    if (!isLast && random() < 0.5) set.broken.add(version);
    set.put(version);
    operator.newModel();
    const until = set.now + Math.floor(random() * 3000);
    while (set.now < until) {
      set.advance();
      if (random() < 0.002) operator.kill();
      if (random() < 0.004) pick(set, random).illUntil = set.now + Math.floor(random() * 600);
      if (random() < 0.001) pick(set, random).held = random() < 0.5;
      operator.run(lossOf(random));
    }
  }
  for (const each of set.instances) each.held = false;
  const { finished } = finish(set, operator);
  return { ...resultOf(set), finished, seconds: 0, ideal: 0 };
}

/** A roll that nothing disturbs. */
export function calmHistory(seed: number, most = 300): HistoryResult {
  const random = randomOf(seed);
  const set = randomSet(random, most);
  const operator = new SimulatedOperator(set);
  set.put(2);
  const { finished } = finish(set, operator);
  const { size, policy, batchSeconds } = set.settings;
  const batches = batchCount(size, policy.maxBatchInstancePercent);
  const ideal = batches * batchSeconds + (batches - 1) * policy.pauseSeconds;
  return { ...resultOf(set), finished, seconds: set.now, ideal };
}

function resultOf({ violations, duplicates, counts }: SimulatedSet) {
  return { violations, duplicates, counts };
}

/** The result of a history of mode Automatic, whose limits nobody can keep. */
export interface AutomaticResult {
  /** Requests of the operator to instances. */
  readonly requests: number;
  /** Whether the condition said at each read before the end that this mode keeps no limit. */
  readonly isReported: boolean;
  readonly finished: boolean;
}

/** A set of mode Automatic that gets a model. */
export function automaticHistory(seed: number, most = 300): AutomaticResult {
  const random = randomOf(seed);
  const { settings } = randomSet(random, most);
  const set = new SimulatedSet({ ...settings, mode: 'Automatic' });
  const operator = new SimulatedOperator(set);
  set.put(2);
  const reasons = new Set<string>();
  for (let seconds = 0; seconds < settings.batchSeconds - 1; seconds++) {
    set.advance();
    if (random() < 0.01) operator.kill();
    operator.run();
    reasons.add(operator.reason);
  }
  const { finished } = finish(set, operator);
  const isReported = reasons.size === 1 && reasons.has(rollReasons.automatic);
  return { requests: operator.requests, isReported, finished };
}

function lossOf(random: () => number): Loss {
  const chance = random();
  if (chance < 0.1) return 'request';
  return chance < 0.2 ? 'answer' : undefined;
}

function randomSet(
  random: () => number,
  most: number,
  { leastBatchSeconds = 120, mayRollBack = false, mayHaveWindows = false } = {},
): SimulatedSet {
  const percent = (least: number) => least + Math.floor(random() * (101 - least));
  const batch = percent(5);
  const mode: Exclude<UpgradeMode, 'Automatic'> = random() < 0.5 ? 'Rolling' : 'Manual';
  return new SimulatedSet({
    size: 3 + Math.floor(random() * (most - 2)),
    mode,
    batchSeconds: leastBatchSeconds + Math.floor(random() * 300),
    policy: {
      maxBatchInstancePercent: batch,
      maxUnhealthyInstancePercent: Math.max(batch, percent(5)),
      maxUnhealthyUpgradedInstancePercent: percent(0),
      pauseSeconds: random() < 0.5 ? 0 : Math.floor(random() * 120),
      rollsBack: mayRollBack && random() < 0.3,
    },
    surges: mode === 'Rolling' && random() < 0.4,
    ...(mayHaveWindows && random() < 0.3 && { windows: { every: 3600, open: 900 + Math.floor(random() * 1800) } }),
  });
}

const pick = ({ instances }: SimulatedSet, random: () => number) =>
  instances[Math.floor(random() * instances.length)] as (typeof instances)[number];

/** Simulated seconds after which a roll counts as stuck. */
const stuckSeconds = 300_000;

function finish(set: SimulatedSet, operator: SimulatedOperator): { readonly finished: boolean } {
  const until = set.now + stuckSeconds;
  while (set.now < until) {
    set.advance();
    if (operator.run()) return { finished: true };
    // Azure took the model back from instances that fell ill: the next model goes on.
    if (set.settings.policy.rollsBack && operator.reason === rollReasons.stopped) {
      set.put(set.version + 1);
      operator.newModel();
    }
  }
  return { finished: false };
}
