import type { ManagedSecretStatus } from '../../../api/machines/managed-secret.ts';
import { eventReasons, secretReasons } from '../../../arm-kinds/names.ts';
import type { RolloutStop } from '../../../compute/managed-secrets/rollout-plan.ts';
import type { Readiness } from '../../objects/conditions.ts';
import type { RolloutMemory, RolloutRound } from '../rollouts/rollout-memory.ts';
import { secretSeverity } from './secret-severity.ts';
import { timestamp } from './timestamp.ts';

/** `status.rollout`: the version of each region, and the step that is under way. */
export function rolloutStatus({ state, decision }: RolloutRound): ManagedSecretStatus['rollout'] {
  if (!state) return undefined;
  const { step, regions } = state;
  const { phase, waitsFor, nextAt } = decision ?? {};
  return {
    ...(phase && { phase }),
    ...(step && { version: step.number, location: step.location, step: step.index + 1 }),
    ...(step && nextAt !== undefined && { nextAt: timestamp(nextAt) }),
    ...(waitsFor && { message: textOf(waitsFor) }),
    regions: Object.entries(regions).map(([location, version]) => ({ location, version })),
  };
}

/** The Ready condition of a rollout that is under way, or whose state could not be read; undefined otherwise. */
export function rolloutReadiness({ state, decision, failure }: RolloutRound): Readiness | undefined {
  if (failure) return { severity: secretSeverity(failure.reason), ...failure };
  const { step } = state ?? {};
  if (!step || !decision) return undefined;
  const { phase, waitsFor, nextAt } = decision;
  const where = `Version ${step.number} goes out, and is in ${step.location}`;
  if (phase === 'Stopped' && waitsFor) {
    const fix = 'it goes on when the machine is well, or with another version or pin';
    const message = `Version ${step.number} stopped in ${step.location}, because of ${textOf(waitsFor)}; ${fix}`;
    return { severity: secretSeverity(secretReasons.rolloutStopped), reason: secretReasons.rolloutStopped, message };
  }
  const until = nextAt === undefined ? '' : ` until ${timestamp(nextAt)}`;
  const what = phase === 'Baking' ? `bakes there${until}` : 'its machines get it';
  const waits = waitsFor ? `; it waits for ${textOf(waitsFor)}` : '';
  return { severity: 'Info', reason: secretReasons.rollingOut, message: `${where}: ${what}${waits}` };
}

/** A machine with its region, and the reason in Azure's words. */
export function textOf({ location, machine, message }: RolloutStop): string {
  const what = machine === '' ? location : `${machine} in ${location}`;
  return message === '' ? what : `${what}: ${message.slice(0, 500)}`;
}

/** The events of a round: a step that begins, and a stop that was not reported yet. */
export function rolloutEvents(memory: Pick<RolloutMemory, 'reported'>, round: RolloutRound | undefined) {
  const { state, decision } = round ?? {};
  const { step } = state ?? {};
  if (!step || !decision) return [];
  const { phase, waitsFor } = decision;
  const where = `${step.number} ${step.location} ${step.index}`;
  const key = phase === 'Stopped' ? `${where} ${waitsFor?.machine}` : where;
  // A stop that ends is no step that begins.
  if (key === memory.reported || (phase !== 'Stopped' && memory.reported.startsWith(`${where} `))) return [];
  memory.reported = key;
  if (phase === 'Stopped' && waitsFor) {
    const note = `Version ${step.number} stopped in ${step.location}, because of ${textOf(waitsFor)}`;
    return [{ type: 'Warning', reason: eventReasons.secretRolloutStopped, note: note.slice(0, 900) }] as const;
  }
  const note = `Version ${step.number} goes to ${step.location}, step ${step.index + 1}`;
  return [{ type: 'Normal', reason: eventReasons.secretRolloutStep, note }] as const;
}
