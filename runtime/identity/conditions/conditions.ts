import type { Condition } from '../../api/common-schemas.ts';
import { outcomeOf, type ReadyReason } from '../verification/ready-reasons.ts';

/** Reason and message of the condition Ready of an object; the reason decides on status and severity. */
export interface ReadyState {
  readonly reason: ReadyReason;
  readonly message: string;
}

/** Ready is True, with the reason Accepted. */
export const usable = (message: string): ReadyState => ({ reason: 'Accepted', message });

/**
 * The conditions with this Ready condition, and Stalled where somebody has to edit something, for tools that follow
 * kstatus; undefined where they have them already. Keeps conditions of other types.
 */
export function withReady(
  conditions: readonly Condition[] = [],
  { reason, message }: ReadyState,
  generation: number | undefined,
  now: number,
): Condition[] | undefined {
  const { status, severity } = outcomeOf(reason);
  const isStalled = severity === 'Error';
  const make = (type: string, itsStatus: Condition['status'], override?: Pick<Condition, 'severity'>): Condition => {
    const old = conditions.find((each) => each.type === type);
    const lastTransitionTime = old?.status === itsStatus ? old.lastTransitionTime : new Date(now).toISOString();
    const observed = generation !== undefined && { observedGeneration: generation };
    return { type, status: itsStatus, reason, message, lastTransitionTime, ...observed, ...override };
  };
  const next = [make('Ready', status, severity && { severity }), ...(isStalled ? [make('Stalled', 'True')] : [])];
  const former = conditions.filter(({ type }) => type === 'Ready' || type === 'Stalled');
  if (former.length === next.length && next.every((each) => isAmong(each, former))) return undefined;
  return [...next, ...conditions.filter((each) => !former.includes(each))];
}

function isAmong(condition: Condition, conditions: readonly Condition[]): boolean {
  const members = ['type', 'status', 'reason', 'message', 'observedGeneration', 'severity'] as const;
  return conditions.some((each) => members.every((member) => each[member] === condition[member]));
}
