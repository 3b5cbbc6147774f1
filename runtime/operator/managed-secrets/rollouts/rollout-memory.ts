import type { RolloutDecision } from '../../../compute/managed-secrets/rollout-plan.ts';
import type { RolloutState } from '../../../compute/managed-secrets/rollout-state.ts';
import type { PlaceFailure, Retry } from '../vaults/vault-readings.ts';

/** The memory of one rollout in this process. Losing it costs requests and time. */
export interface RolloutMemory {
  /** The state as the home vault has it; undefined until it was read. */
  state: RolloutState | undefined;
  /** When this process saw the ManagedSecret first, and its last break; milliseconds since the epoch. */
  watchedSince: number | undefined;
  brokenAt: number;
  /** Whether `state` is that of the vault, also where it has none. */
  isRead: boolean;
  /** Whether the vault may have a state of this object. */
  mayBeRecorded: boolean;
  /** The stop that was reported last. */
  reported: string;
  readonly retry: Retry;
}

/** The memory of a rollout that this process has not seen. */
export function newRolloutMemory(): RolloutMemory {
  return {
    state: undefined,
    watchedSince: undefined,
    brokenAt: 0,
    isRead: false,
    mayBeRecorded: false,
    reported: '',
    retry: { failures: 0, retryAt: 0 },
  };
}

/** The rollout in one round of a reconcile run. */
export interface RolloutRound {
  /** Undefined until it was read: no machine gets another version. */
  readonly state: RolloutState | undefined;
  readonly decision?: RolloutDecision;
  /** Names of the machines that have the version before their region. */
  readonly early: readonly string[];
  /** Whether this round wrote another state. */
  readonly changed: boolean;
  /** Why the state could not be read or written. */
  readonly failure?: PlaceFailure;
}
