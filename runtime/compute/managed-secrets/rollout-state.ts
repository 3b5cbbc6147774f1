/**
 * How far a version of a ManagedSecret with `spec.rollout` is: the content of the secret `<name>-rollout` in the home
 * vault, which operator and secret endpoint read (docs/adr/0053). It has no value.
 */
import { isObject, tryParseJson } from '../../base/json.ts';

/** The step that is under way: a version for some machines of one region, or for the whole region. */
export interface RolloutStep {
  /** Number of the version that goes out. */
  readonly number: number;
  readonly location: string;
  /** Counted from 0 among the steps of the region; the last one is the whole region. */
  readonly index: number;
  /** Since when its machines are well without a break; milliseconds since the epoch. */
  readonly wellSince?: number;
  /** Names of machines that were well when the version went out: they stop it even before their own step. */
  readonly wellBefore: readonly string[];
}

/** The state of the rollouts of one ManagedSecret. Locations are in lower case. */
export interface RolloutState {
  /** Region of the home vault, which serves it, and every region without a vault of its own. */
  readonly home: string;
  /** Number of the version that each region has. */
  readonly regions: Readonly<Record<string, number>>;
  /** Undefined while every region has the current version. */
  readonly step?: RolloutStep;
  /** When the state changed last; milliseconds since the epoch. */
  readonly at: number;
}

/** Most characters of a state: a secret of Key Vault has 25 KB. */
const mostCharacters = 24_000;
const location = /^[a-z0-9]{1,64}$/;
const mostNumber = 1_000_000;
/** Characters of the names of machines in a state. */
const mostNameCharacters = 12_000;

/** Name of the secret with the state. */
export function rolloutSecretName(name: string): string {
  return `${name.slice(0, 118)}-rollout`;
}

/** The text of a state. */
export function encodeRollout(state: RolloutState): string {
  const { step } = state;
  const kept = step && { ...step, wellBefore: fitting(step.wellBefore) };
  return JSON.stringify({ ...state, ...(kept && { step: kept }) });
}

/** The state in a text; undefined for an empty one, and for any text that no operator has written. */
export function decodeRollout(text: string): RolloutState | undefined {
  const found = text.length > mostCharacters ? undefined : tryParseJson(text);
  if (!isObject(found)) return undefined;
  const { home, regions, step, at } = found;
  if (!isLocation(home) || !isObject(regions) || !isTime(at)) return undefined;
  const entries = Object.entries(regions).filter((entry): entry is [string, number] => {
    return isLocation(entry[0]) && isNumber(entry[1]);
  });
  const under = stepIn(step);
  return { home, regions: Object.fromEntries(entries), at, ...(under && { step: under }) };
}

function fitting(names: readonly string[]): readonly string[] {
  let left = mostNameCharacters;
  return names.filter((name) => {
    left -= name.length + 3;
    return left >= 0;
  });
}

function stepIn(step: unknown): RolloutStep | undefined {
  if (!isObject(step)) return undefined;
  const { number, location: where, index, wellSince, wellBefore } = step;
  if (!isNumber(number) || !isLocation(where) || !Number.isSafeInteger(index) || Number(index) < 0) return undefined;
  const names = Array.isArray(wellBefore) ? wellBefore.filter((name) => typeof name === 'string') : [];
  return {
    number,
    location: where,
    index: Number(index),
    wellBefore: names,
    ...(isTime(wellSince) && { wellSince }),
  };
}

const isLocation = (value: unknown): value is string => typeof value === 'string' && location.test(value);
const isTime = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isNumber = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= mostNumber;

/** The region whose vault serves machines of a location: its own, or that of the home vault. */
export function regionOf({ home, regions }: Pick<RolloutState, 'home' | 'regions'>, place: string): string {
  return regions[place] === undefined ? home : place;
}

/** Numbers of the versions that any region still has or gets. */
export function numbersOf({ regions, step }: RolloutState): ReadonlySet<number> {
  return new Set([...Object.values(regions), ...(step ? [step.number] : [])]);
}

/** Number of the version that the vault of a region needs: the one that goes out, once it is the region's turn. */
export function numberInVault({ regions, step }: RolloutState, place: string): number | undefined {
  return step?.location === place ? Math.max(step.number, regions[place] ?? 0) : regions[place];
}
