import type { BackoffOptions } from '../../base/backoff.ts';
import type { CacheChange, Reconciler, WatchedCache } from '../cache/types.ts';
import type { KubeObject } from '../client/types.ts';
import type { Source } from './source.ts';

/** Options of a Controller. */
export interface ControllerOptions<T extends KubeObject = KubeObject> {
  /** Lower-case name for logs and metrics, such as `storageaccount`. Unique in a program. */
  readonly name: string;
  /** The objects that are reconciled. */
  readonly primary: WatchedCache<T>;
  readonly reconcile: Reconciler;
  readonly sources?: readonly Source[];
  /** Which changes of primary objects enqueue them; `wantedChanged` leaves out changes of status. @default all */
  readonly filter?: (change: CacheChange<T>) => boolean;
  /**
   * Concurrent reconcile runs for objects of one namespace. All namespaces together have twice as many, so that one
   * whose runs wait, such as for Azure, does not hold up the others. Minimum 1. @default 4
   */
  readonly concurrency?: number;
  /** Delays after errors. @default as WorkQueue */
  readonly backoff?: BackoffOptions;
  /** After a success without `requeueAfterMs`: reconcile again after so many milliseconds, +/-10 %. @default never */
  readonly resyncMs?: number;
  /**
   * Milliseconds after which a run is aborted with AZ_RUN_TOO_LONG and tried again: what an object waits for may be a
   * service of a tenant, and liveness must report a run that hangs, not one that waits. @default 480000
   */
  readonly maxRunMs?: number;
  /** How long running work may continue after `stop` aborts, before it is aborted. @default 30000 */
  readonly graceMs?: number;
}
