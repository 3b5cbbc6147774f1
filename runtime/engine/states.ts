import { AzimuthError } from '../base/errors.ts';

/** States of a block, and of a node as a whole. */
export type State = 'Pending' | 'Blocked' | 'Running' | 'Polling' | 'Succeeded' | 'Failed' | 'Cancelled';

/**
 * Every transition there is. Pending: not decided yet, or to be tried again. Blocked: waits for another node. Running:
 * an effect is about to be performed, is being performed, or was interrupted. Polling: an operation goes on elsewhere.
 * Failed: no retry can help under this goal. Cancelled: given up for a newer goal.
 */
export const transitions: Readonly<Record<State, readonly State[]>> = {
  Pending: ['Blocked', 'Running', 'Succeeded', 'Failed', 'Cancelled'],
  Blocked: ['Pending', 'Cancelled'],
  Running: ['Pending', 'Polling', 'Succeeded', 'Failed', 'Cancelled'],
  Polling: ['Pending', 'Succeeded', 'Failed', 'Cancelled'],
  Succeeded: ['Pending', 'Cancelled'],
  Failed: ['Pending', 'Cancelled'],
  Cancelled: ['Pending'],
};

/** Returns `to`; throws AZ_ILLEGAL_TRANSITION where the table has no such transition. Staying is always legal. */
export function transition(what: string, from: State, to: State): State {
  if (from !== to && !transitions[from].includes(to)) {
    throw new AzimuthError('AZ_ILLEGAL_TRANSITION', `${what} cannot go from ${from} to ${to}`);
  }
  return to;
}
