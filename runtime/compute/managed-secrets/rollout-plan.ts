/** The next step of a rollout, decided from its state, the vaults and the health of machines alone (docs/adr/0053). */
import { numberInVault, type RolloutState, type RolloutStep, regionOf } from './rollout-state.ts';
import { numbering, orderOf, type RolloutMachine, type StepsInput, stepsIn } from './rollout-steps.ts';

/** All that a decision depends on. Times in milliseconds since the epoch. */
export interface RolloutObservation extends Omit<StepsInput, 'state'> {
  readonly now: number;
  /** Since when this process follows the machines. */
  readonly watchedSince: number;
  /** When this process last decided on another phase than Baking: the write of a break may be lost. */
  readonly brokenAt: number;
  /** As the home vault has it; undefined before the first rollout. */
  readonly state: RolloutState | undefined;
  /** Region of the home vault. */
  readonly home: string;
  /** Number of the version that every region is to have: the pinned one, or the newest. */
  readonly target: number;
  /** Number of the newest enabled version in the vault of each region that was read, up to the target. */
  readonly copies: ReadonlyMap<string, number | undefined>;
}

/** Why a rollout does not go on. */
export interface RolloutStop {
  readonly location: string;
  /** Name of the machine. */
  readonly machine: string;
  readonly message: string;
}

/** A decision. `state` differs from the observed one only where `changed`; it is written before anything follows it. */
export interface RolloutDecision {
  readonly state: RolloutState;
  readonly changed: boolean;
  readonly phase: 'Done' | 'Rolling' | 'Baking' | 'Stopped';
  /** With phase Stopped: the ill machine. With phase Rolling: the first machine that lacks the version. */
  readonly waitsFor?: RolloutStop;
  /** With phase Baking: when the next step may follow. */
  readonly nextAt?: number;
}

/** Milliseconds that a process sees the machines of a step before it goes on, however long they are well already. */
const leastWatchMs = 60_000;

/**
 * The next decision. Backwards at once: a region with a later version than the target, such as after a pin, gets the
 * target. Forwards by order: one region after another, and within it one step after another.
 */
export function nextRollout(observed: RolloutObservation): RolloutDecision {
  const before = observed.state ?? firstState(observed);
  const state = withRegions(before, observed);
  const { step } = state;
  if (!step) return begun(state, observed);
  const numberOf = numbering({ ...observed, state });
  const machines = observed.machines.filter(({ health }) => health !== 'Held');
  const ill = machines.find((each) => stops(each, step, numberOf(each)));
  if (ill) return held({ ...state, step: unwell(step) }, observed, 'Stopped', stopOf(ill));
  const part = machines.filter(
    (each) => regionOf(state, each.location) === step.location && numberOf(each) === step.number,
  );
  const late = lacking(state, step, part, observed.copies);
  if (late && (late.isBreak || step.wellSince === undefined)) {
    return held({ ...state, step: unwell(step) }, observed, 'Rolling', late.stop);
  }
  const { now, rules, watchedSince, brokenAt } = observed;
  const { wellSince: stored = now } = step;
  const wellSince = stored <= now && stored >= brokenAt ? stored : now;
  const bakedAt = Math.max(wellSince + rules.bakeMs, watchedSince + Math.min(rules.bakeMs, leastWatchMs));
  if (late || now < bakedAt) {
    const baking = { ...state, step: { ...step, wellSince } };
    return { ...held(baking, observed, 'Baking', late?.stop), nextAt: bakedAt };
  }
  return advanced(state, step, observed);
}

/** Before the first rollout each region has what its vault has; a region with an empty vault gets the target. */
function firstState({ now, home, target, locations, copies }: RolloutObservation): RolloutState {
  const numbers = [...copies.values()].flatMap((number) => number ?? []);
  const least = Math.min(target, ...numbers);
  const regions = locations.map((each) => [each, copies.has(each) ? (copies.get(each) ?? target) : least] as const);
  return { home, regions: Object.fromEntries(regions), at: now };
}

function withRegions(state: RolloutState, { home, target, locations }: RolloutObservation): RolloutState {
  const { step } = state;
  const numbers = Object.values(state.regions);
  const other = step ? Math.min(target, ...numbers) : target;
  const regions = locations.map((each) => [each, Math.min(target, state.regions[each] ?? other)] as const);
  const isGoing = step?.number === target && locations.includes(step.location);
  const { step: _, ...rest } = state;
  return { ...rest, home, regions: Object.fromEntries(regions), ...(isGoing && { step }) };
}

/** Begins with the first region that lacks the target; Done where none does. */
function begun(state: RolloutState, observed: RolloutObservation): RolloutDecision {
  const { target, rules, locations, machines } = observed;
  const location = orderOf(rules, locations).find((each) => state.regions[each] !== target);
  if (location === undefined) return held(state, observed, 'Done');
  const wellBefore = machines.filter(({ health }) => health === 'Well').map(({ name }) => name);
  return held(entered(state, { number: target, location, index: 0, wellBefore }, observed), observed, 'Rolling');
}

/** The state at the beginning of a step: with its last step the whole region has the version. */
function entered(state: RolloutState, step: RolloutStep, observed: RolloutObservation): RolloutState {
  const isWhole = step.index >= stepsIn(step.location, { ...observed, state }).length;
  const regions = isWhole ? { ...state.regions, [step.location]: step.number } : state.regions;
  return { ...state, regions, step };
}

function advanced(state: RolloutState, step: RolloutStep, observed: RolloutObservation): RolloutDecision {
  const next = unwell(step);
  if (state.regions[step.location] !== step.number) {
    return held(entered(state, { ...next, index: step.index + 1 }, observed), observed, 'Rolling');
  }
  const location = orderOf(observed.rules, observed.locations).find((each) => state.regions[each] !== step.number);
  const { step: _, ...rest } = state;
  if (location === undefined) return held(rest, observed, 'Done');
  return held(entered(rest, { ...next, location, index: 0 }, observed), observed, 'Rolling');
}

/** An ill machine that has the version stops it, and so does one without it that was well when the version went out. */
function stops(machine: RolloutMachine, step: RolloutStep, number: number): boolean {
  if (machine.health !== 'Ill') return false;
  return number === step.number ? machine.number === number : step.wellBefore.includes(machine.name);
}

interface Lacking {
  readonly stop: RolloutStop;
  /** Whether the machines of the step must be well for the whole time again. */
  readonly isBreak: boolean;
}

/** What lacks the version of the step: the vault of its region, or a machine of `part`. */
function lacking(
  state: RolloutState,
  step: RolloutStep,
  part: readonly RolloutMachine[],
  copies: RolloutObservation['copies'],
): Lacking | undefined {
  const late = part.filter((each) => each.number !== step.number || each.health !== 'Well');
  const [first] = late;
  // A process that starts again has not seen the machines yet, and knows of no break.
  const isBreak = late.some(
    ({ number, health }) => health !== 'Unknown' && (number !== step.number || health === 'Rolling'),
  );
  if (copies.get(step.location) !== numberInVault(state, step.location)) {
    const stop = { location: step.location, machine: '', message: 'its vault lacks the version' };
    return { stop, isBreak };
  }
  return first && { stop: stopOf(first), isBreak };
}

function unwell({ wellSince: _, ...step }: RolloutStep): RolloutStep {
  return step;
}

function stopOf({ location, name, message }: RolloutMachine): RolloutStop {
  return { location, machine: name, message };
}

function held(
  state: RolloutState,
  { state: before, now }: RolloutObservation,
  phase: RolloutDecision['phase'],
  waitsFor?: RolloutStop,
): RolloutDecision {
  const changed = before === undefined || !same(state, before);
  return { state: changed ? { ...state, at: now } : before, changed, phase, ...(waitsFor && { waitsFor }) };
}

function same(a: RolloutState, b: RolloutState): boolean {
  const text = ({ home, regions, step }: RolloutState) =>
    JSON.stringify([
      home,
      Object.entries(regions).sort(),
      step && [step.number, step.location, step.index, step.wellSince ?? 0],
    ]);
  return text(a) === text(b);
}
