import type { Condition } from '../../api/common-schemas.ts';
import type { Problem } from './validity.ts';

/** What was found about an object; no reason means that it can be used. */
export interface Verdict {
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

export const usable = (message: string): Verdict => ({ status: 'True', reason: 'Accepted', message });

export const unusable = ({ reason, message }: Problem): Verdict => ({ status: 'False', reason, message });

/** The list with the condition Ready as found, or undefined when it says so already. Others' conditions stay. */
export function withVerdict(
  conditions: readonly Condition[] = [],
  { status, reason, message }: Verdict,
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
