import type { Condition } from '../../api/common-schemas.ts';
import type { Problem } from './validity.ts';

/** Status, reason and message of the condition Ready of an object. */
export interface ReadyState {
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

export const usable = (message: string): ReadyState => ({ status: 'True', reason: 'Accepted', message });

export const unusable = ({ reason, message }: Problem): ReadyState => ({ status: 'False', reason, message });

/** The list with this condition Ready, or undefined when it has that already. Conditions of others stay. */
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
