/** Which machines get a version of a ManagedSecret together, and in which order. */
import { type RolloutState, regionOf } from './rollout-state.ts';

/** `spec.rollout` with its defaults. Locations are in lower case. */
export interface RolloutRules {
  /** Regions in their order; the others follow in the order of the spec. */
  readonly regions: readonly string[];
  /** Names of machines, in their order within each region; the others follow together. */
  readonly consumers: readonly string[];
  /** Share of the machines of the first region that get a version before all others; none when undefined. */
  readonly canaryPercent: number | undefined;
  /** Milliseconds for which the machines of a step are well before the next one. */
  readonly bakeMs: number;
}

/** A machine that names the ManagedSecret, as this process saw it last. */
export interface RolloutMachine {
  readonly name: string;
  readonly location: string;
  /** Number of the version that it is to have, as of its last report; undefined before the first. */
  readonly number: number | undefined;
  /** Moving: each instance has the model, and Azure does not know the health of all yet. Held: nobody updates it. */
  readonly health: 'Unknown' | 'Rolling' | 'Moving' | 'Well' | 'Ill' | 'Held';
  readonly message: string;
}

/** The regions in the order in which a version goes out. */
export function orderOf(rules: Pick<RolloutRules, 'regions'>, locations: readonly string[]): readonly string[] {
  const first = rules.regions.filter((each) => locations.includes(each));
  return [...new Set([...first, ...locations])];
}

/** The machines of each step of a region, but for its last step, which is the whole region with callers of the endpoint. */
export function stepsIn(
  region: string,
  { rules, state, machines, locations }: StepsInput,
): readonly ReadonlySet<string>[] {
  const here = machines.filter((each) => regionOf(state, each.location) === region).map(({ name }) => name);
  const named = rules.consumers.filter((name) => here.includes(name));
  const sorted = [...new Set([...named, ...here.toSorted()])];
  const { canaryPercent } = rules;
  const isFirst = orderOf(rules, locations)[0] === region;
  const canaries = isFirst && canaryPercent !== undefined ? Math.ceil((sorted.length * canaryPercent) / 100) : 0;
  const canary = sorted.slice(0, canaries);
  const others = named.filter((name) => !canary.includes(name));
  return [...(canary.length > 0 ? [canary] : []), ...others.map((name) => [name])].map((names) => new Set(names));
}

/** The input of `stepsIn`. */
export interface StepsInput {
  readonly rules: RolloutRules;
  readonly state: Pick<RolloutState, 'home' | 'regions'>;
  readonly machines: readonly RolloutMachine[];
  /** The regions of the spec in its order, that of the home vault first. */
  readonly locations: readonly string[];
}

/** Names of the machines that get the version of the step before the rest of their region. */
export function earlyMachines(input: StepsInput & { readonly state: RolloutState }): ReadonlySet<string> {
  const { step } = input.state;
  if (!step || input.state.regions[step.location] === step.number) return new Set();
  const begun = stepsIn(step.location, input).slice(0, step.index + 1);
  return new Set(begun.flatMap((names) => [...names]));
}

/** Gives the number of the version that a machine is to have. */
export function numbering(
  input: StepsInput & { readonly state: RolloutState },
): (machine: Pick<RolloutMachine, 'name' | 'location'>) => number {
  const { state } = input;
  const early = earlyMachines(input);
  return ({ name, location }) => {
    const region = regionOf(state, location);
    const isEarly = state.step?.location === region && early.has(name);
    return isEarly && state.step ? state.step.number : (state.regions[region] ?? 0);
  };
}
