import { AzimuthError } from '../base/errors.ts';

/** States of a block, and of a node as a whole. */
export type State = 'Pending' | 'Blocked' | 'Running' | 'Polling' | 'Succeeded' | 'Failed' | 'Cancelled';

/**
 * All transitions. Pending: not decided yet, or to be tried again. Blocked: waits for another node. Running: an effect
 * is announced, under way, or interrupted. Polling: an operation is under way elsewhere. Failed: no retry can help for
 * this desired state. Cancelled: replaced by a newer desired state.
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

/** Returns `to`; throws AZ_ILLEGAL_TRANSITION if the table has no such transition. Staying is always legal. */
export function transition(what: string, from: State, to: State): State {
  if (from !== to && !transitions[from].includes(to)) {
    throw new AzimuthError('AZ_ILLEGAL_TRANSITION', `${what} cannot go from ${from} to ${to}`);
  }
  return to;
}
