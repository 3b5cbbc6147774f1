import { locationKey } from '../../../compute/features/features.ts';
import { home } from '../../../compute/managed-secrets/plan.ts';
import { nextRollout, type RolloutDecision } from '../../../compute/managed-secrets/rollout-plan.ts';
import type { RolloutState } from '../../../compute/managed-secrets/rollout-state.ts';
import {
  earlyMachines,
  type RolloutMachine,
  type RolloutRules,
} from '../../../compute/managed-secrets/rollout-steps.ts';
import { versionInUse, versionUpTo } from '../../../compute/managed-secrets/version-in-use.ts';
import { rolloutOf } from '../secret-object.ts';
import { versionsOf } from '../secret-situation.ts';
import type { OpenVault, SecretContext } from '../vaults/vault-places.ts';
import { failed, type PlaceReading } from '../vaults/vault-readings.ts';
import type { RolloutMemory, RolloutRound } from './rollout-memory.ts';
import { readRollout, writeRollout } from './rollout-record.ts';

const pollMs = 30_000;

/** The input of `followRollout`. */
export interface RolloutInput {
  readonly memory: RolloutMemory;
  readonly readings: readonly PlaceReading[];
  /** The machines that name the ManagedSecret; undefined until all of the namespace are planned. */
  readonly machines: readonly RolloutMachine[] | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Decides the next step of the rollout, and writes it into the home vault before anything follows it. Undefined for a
 * ManagedSecret without `spec.rollout`.
 */
export async function followRollout(context: SecretContext, input: RolloutInput): Promise<RolloutRound | undefined> {
  const { memory, readings, now } = input;
  const atHome = readings.find(({ place }) => place.location === home)?.open;
  const rules = rolloutOf(context.object.spec);
  memory.watchedSince ??= now;
  try {
    if (!rules) return await withoutRollout(context, memory, atHome);
    if (!atHome || memory.retry.retryAt > now) return roundOf(rules, input, memory.state);
    if (!memory.isRead) memory.state = await readRollout(context, atHome);
    memory.isRead = true;
    memory.mayBeRecorded = true;
    const decision = decide(context, rules, input, atHome);
    if (!decision) return roundOf(rules, input, memory.state);
    if (decision.phase !== 'Baking') memory.brokenAt = now;
    if (decision.changed) {
      // After a write without an answer the vault alone knows the state.
      memory.isRead = false;
      await writeRollout(context, atHome, decision.state);
      memory.isRead = true;
    }
    memory.state = decision.state;
    Object.assign(memory.retry, { failures: 0, retryAt: 0, failure: undefined });
    return roundOf(rules, input, decision.state, decision);
  } catch (error) {
    if (context.signal.aborted) throw error;
    failed(memory.retry, error, now);
    return rules && roundOf(rules, input, memory.state);
  }
}

/** Empties the state of a rollout that the spec has no more, so that it means nothing for a later one. */
async function withoutRollout(
  context: SecretContext,
  memory: RolloutMemory,
  atHome: OpenVault | undefined,
): Promise<undefined> {
  // The status is a hint for a process that starts again: it leads to one more request at most.
  memory.mayBeRecorded ||= context.object.status?.rollout !== undefined;
  if (!memory.mayBeRecorded || !atHome) return undefined;
  memory.isRead = false;
  if (await readRollout(context, atHome)) await writeRollout(context, atHome, undefined);
  memory.mayBeRecorded = false;
  memory.state = undefined;
  return undefined;
}

function roundOf(
  rules: RolloutRules,
  input: RolloutInput,
  state: RolloutState | undefined,
  decision?: RolloutDecision,
): RolloutRound {
  const { failure } = input.memory.retry;
  const early = state
    ? [...earlyMachines({ rules, state, ...followed(input, state), locations: locationsOf(input, state.home) })]
    : [];
  const changed = decision?.changed === true;
  return { state, early, changed, ...(decision && { decision }), ...(failure && { failure }) };
}

function decide(
  { object }: SecretContext,
  rules: RolloutRules,
  input: RolloutInput,
  { location }: OpenVault,
): RolloutDecision | undefined {
  const { memory, readings, now } = input;
  const atHome = readings.find(({ place }) => place.location === home);
  const target = versionInUse(versionsOf(atHome?.reading), object.spec.pinnedVersion)?.number;
  if (target === undefined) return undefined;
  const locations = locationsOf(input, location);
  const copies = new Map<string, number | undefined>();
  for (const each of locations) {
    const { reading } = readings.find(({ place }) => place.location === each) ?? atHome ?? {};
    if (reading?.state === 'Ours' || reading?.state === 'Absent')
      copies.set(each, versionUpTo(versionsOf(reading), target)?.number);
  }
  const { state, watchedSince = now, brokenAt } = memory;
  const { machines } = followed(input, state);
  return nextRollout({
    now,
    watchedSince,
    brokenAt,
    state,
    home: location,
    target,
    copies,
    rules,
    locations,
    machines,
  });
}

function locationsOf({ readings }: RolloutInput, homeLocation: string): string[] {
  const regions = readings.map(({ place }) => locationKey(place.location)).filter((each) => each !== home);
  return [...new Set([homeLocation, ...regions])];
}

/** A step whose machines are not known waits as for an unseen machine. */
function followed(
  { machines }: RolloutInput,
  state: RolloutState | undefined,
): { machines: readonly RolloutMachine[] } {
  if (machines) return { machines };
  const location = state?.step?.location ?? state?.home ?? '';
  const message = 'the operator has not read every machine of the namespace yet, or does not watch their kinds';
  return { machines: [{ name: '', location, number: undefined, health: 'Unknown', message }] };
}

/** Whether a version that is made now could go everywhere: how far the rollout is has not been read yet. */
export function isRolloutUnread(round: RolloutRound | undefined, readings: readonly PlaceReading[]): boolean {
  const atHome = readings.find(({ place }) => place.location === home);
  return round !== undefined && round.state === undefined && versionsOf(atHome?.reading).length > 0;
}

/** Milliseconds to the next read of a rollout that waits; machines that change enqueue its ManagedSecret too. */
export function rolloutPollMs(round: RolloutRound | undefined): number {
  const { phase } = round?.decision ?? {};
  return phase === 'Rolling' || phase === 'Stopped' ? pollMs : Number.POSITIVE_INFINITY;
}
