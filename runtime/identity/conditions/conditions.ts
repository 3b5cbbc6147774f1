import type { Condition } from '../../api/common-schemas.ts';
import type { Problem } from './validity.ts';

/** Status, reason and message of the condition Ready of an object. */
export interface ReadyState {
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/** Ready is True, with the reason Accepted. */
export const usable = (message: string): ReadyState => ({ status: 'True', reason: 'Accepted', message });

/** Ready is False, with the reason and message of a problem. */
export const unusable = ({ reason, message }: Problem): ReadyState => ({ status: 'False', reason, message });

/** The conditions with this Ready condition; undefined where they have it already. Keeps conditions of other types. */
export function withReady(
  conditions: readonly Condition[] = [],
  { status, reason, message }: ReadyState,
  generation: number | undefined,
  now: number,
): Condition[] | undefined {
  const old = conditions.find(({ type }) => type === 'Ready');
  const lastTransitionTime = old?.status === status ? old.lastTransitionTime : new Date(now).toISOString();
  const ready: Condition = {
    type: 'Ready',
    status,
    reason,
    message,
    lastTransitionTime,
    ...(generation !== undefined && { observedGeneration: generation }),
    ...(status !== 'True' && { severity: status === 'False' ? 'Error' : 'Warning' }),
  };
  const same =
    old !== undefined &&
    (['status', 'reason', 'message', 'observedGeneration', 'severity'] as const).every(
      (member) => old[member] === ready[member],
    );
  return same ? undefined : [ready, ...conditions.filter(({ type }) => type !== 'Ready')];
}
