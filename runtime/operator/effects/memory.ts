import type { AccessToken, Operation } from '../../azure/types.ts';
import type { MaintenanceMemory, RollMemory } from '../machines/roll-memory.ts';

/** The process's memory of an object between two runs. Losing it costs requests, never correctness. */
export interface Memory {
  operation?: Operation;
  /** The operation's own token, for its polls. */
  token?: AccessToken | undefined;
  /** An action that must end before the PUT, with the token for its polls. */
  action?: { readonly path: string; readonly operation: Operation; readonly token: AccessToken };
  attempts: number;
  /** Azure refused the last try, or failed at it: a deployment does not wait for the next one. */
  isRefused?: boolean;
  /** Refusals in a row with a status that says that the request itself cannot be done. @default 0 */
  refusals?: number;
  /** The operation of the object's PUT ended without success in this run, for a reason that does not pass by itself. */
  hasFailedOperation?: boolean;
  /** The renewal of a key that is under way: the operation, and its own token for its polls. */
  renewal?: { readonly operation: Operation; readonly token?: AccessToken };
  renewalAttempts?: number;
  /** This process ran the object before: whether it writes is known, and its journal need not say it. */
  turnKnown?: boolean;
  /** A rotation of this object ran in this process. */
  rotationSeenInThisProcess?: boolean;
  /** The generation that the attempts are counted for. */
  generation?: number | undefined;
  /** Of a scale set: the roll of its instances. */
  roll?: RollMemory;
  /** Of a scale set: the maintenance configurations that are attached to it. */
  maintenance?: MaintenanceMemory;
  /** This process saw the object Ready at least once. */
  wasReady?: boolean;
  /** The unknown policy values that were reported last. */
  unknownValues?: string;
  /**
   * This process reconciled the object before. Otherwise it tries again the requests that an earlier process gave up.
   */
  seenInThisProcess?: boolean;
  /** Until when waits for ManagedSecrets and gates leave its conditions as they are, in milliseconds since the epoch. */
  loadsUntil?: number;
}
