import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { KubeClient, KubeObject, ObjectKey, ResourceType } from './types.ts';

/** What every long-running part of a program is given. */
export interface Runtime {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Read access to a synced, projected copy of one resource type. Objects are shared: never modify them. */
export interface Cache<T extends KubeObject = KubeObject> {
  readonly type: ResourceType;
  /** True after the first complete LIST. */
  readonly synced: boolean;
  get(key: ObjectKey): T | undefined;
  list(namespace?: string): T[];
  /** Objects for which the index function of that name returned `value`. Throws for an unknown index. */
  byIndex(index: string, value: string): T[];
}

export type CacheChange<T extends KubeObject = KubeObject> =
  | { readonly type: 'added'; readonly object: T }
  | { readonly type: 'updated'; readonly object: T; readonly old: T }
  /** `old` is the last state seen; the deletion may have been found by a relist. */
  | { readonly type: 'deleted'; readonly old: T };

export interface ReflectorOptions<T extends KubeObject = KubeObject> {
  readonly type: ResourceType;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Keeps only what is needed. @default everything but metadata.managedFields */
  readonly project?: (object: T) => T;
  /** Named functions from an object to the values it is found under. */
  readonly indexes?: Readonly<Record<string, (object: T) => readonly string[]>>;
  /** Page size of LIST. @default 500 */
  readonly pageSize?: number;
  /** Milliseconds without a byte on the watch before it is reopened. @default 60000 (servers send bookmarks about every minute) */
  readonly idleTimeoutMs?: number;
}

/** Names one object for a reconciler; never carries content, so that reconciling stays level-based. */
export interface ReconcileRequest extends ObjectKey {
  /** Stable identity of the work: kind and uid, or kind and key where the uid is unknown. */
  readonly key: string;
}

export interface ReconcileResult {
  /** Ask to be called again after this many milliseconds, without counting as a failure. */
  readonly requeueAfterMs?: number;
}

/**
 * Drives one object towards what it declares. Called with the key only; reads the current state itself. A thrown error
 * means: again, after the key's backoff (or after the error's `retryAfterMs`); an error with `retryable === false` means
 * not again until the object changes. Never runs twice at the same time for one key.
 */
export type Reconciler = (request: ReconcileRequest, signal: AbortSignal) => Promise<ReconcileResult | undefined>;
