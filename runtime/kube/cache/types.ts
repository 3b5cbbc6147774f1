import type { BackoffOptions } from '../../base/backoff.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/observability/log.ts';
import type { Metrics } from '../../base/observability/metrics.ts';
import type { KubeClient, KubeObject, ObjectKey, ResourceType } from '../client/types.ts';
import type { ReflectorMetrics } from './reflector-metrics.ts';

/** Dependencies of every long-running part of a program. */
export interface Runtime {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Finds an object under the values that the function returns. Pure: it is called again to take the object out. */
export type IndexFunction<T extends KubeObject = KubeObject> = (object: T) => readonly string[];

/** Read access to a synced, projected copy of one resource type. Objects are shared: never modify them. */
export interface Cache<T extends KubeObject = KubeObject> {
  readonly type: ResourceType;
  /** True after the first complete LIST. */
  readonly synced: boolean;
  readonly size: number;
  get(key: ObjectKey): T | undefined;
  list(namespace?: string): T[];
  /** Objects for which the index function of that name returned `value`, `most` of them at most. Throws for an unknown index. */
  byIndex(index: string, value: string, most?: number): T[];
}

/** Takes the objects that a list and its watch bring. */
export interface ObjectSink<T extends KubeObject = KubeObject> {
  /** Whether it keeps something of the object: then it has to know whether a later list has the object. */
  put(object: T): boolean;
  /** `last` is the final state of the object where the server sent it. */
  remove(key: ObjectKey, last?: T): void;
  /**
   * Of the objects that it keeps of one namespace (or of all): their number, and how many a list does not contain.
   * @default a list is not confirmed by a second one
   */
  missing?(
    namespace: string | undefined,
    listed: { has(object: Pick<T, 'metadata'>): boolean },
  ): { readonly kept: number; readonly missing: number };
  /** Removes what a complete list of one namespace (or of all) did not contain. */
  retain(namespace: string | undefined, listed: { has(object: Pick<T, 'metadata'>): boolean }): void;
}

/** What one LIST and WATCH feeds, and what it reports. */
export interface ListWatchTarget<T extends KubeObject = KubeObject> {
  readonly namespace: string | undefined;
  readonly cache: ObjectSink<T>;
  readonly metrics: ReflectorMetrics;
  readonly onListed: () => void;
  /** Called when the server refuses the first LIST; `run` then ends. @default retries */
  readonly onForbidden?: () => void;
  /** Called when the API server has no such type. */
  readonly onMissing?: () => void;
  /** Called after a LIST that is older than a former one: the cache has it, and what was known of its objects is wrong. */
  readonly onRestored?: () => void;
  /** Whether an object belongs into the cache. @default all do */
  readonly keeps?: (object: T) => boolean;
}

/** A change of an object in a cache. */
export type CacheChange<T extends KubeObject = KubeObject> =
  | { readonly type: 'added'; readonly object: T }
  | { readonly type: 'updated'; readonly object: T; readonly old: T }
  /** `old` is the last state seen; the deletion may have been found by a relist. */
  | { readonly type: 'deleted'; readonly old: T };

/** Called synchronously, after the cache shows the change; its errors are logged and go no further. */
export type CacheHandler<T extends KubeObject = KubeObject> = (change: CacheChange<T>) => void;

/** A cache that calls handlers with its changes. An object deleted and created again is two changes, never one update. */
export interface WatchedCache<T extends KubeObject = KubeObject> extends Cache<T> {
  /** Every handler sees every object: cached objects arrive at once as `added`. Returns the way to stop. */
  onChange(handler: CacheHandler<T>): () => void;
  /** Adds an index, filled from the cached objects. The same name with another function throws. */
  addIndex(name: string, index: IndexFunction<T>): void;
  /** Calls the handler after a LIST that is older than a former one, as after a restore of etcd. */
  onRestored(handler: () => void): void;
  /** Why the cache may be behind at this moment: the error since which nothing was heard from the server. */
  trouble(): string | undefined;
  /** Resolves once `synced`; rejects with the signal's reason. */
  whenSynced(signal?: AbortSignal): Promise<void>;
  /**
   * Lists again. Resolves when the cache has all that the API server had at the call, or when the API server has no such
   * type; rejects with the signal's reason.
   */
  refresh(signal: AbortSignal): Promise<void>;
}

/** The objects that a reflector lists and watches, and the part of them that it keeps. */
export interface ReflectorOptions<T extends KubeObject = KubeObject> {
  readonly type: ResourceType;
  /**
   * Only these namespaces: up to eight are listed and watched each by itself, of more the whole collection, if that is allowed.
   * @default all
   */
  readonly namespaces?: readonly string[];
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Holds apiVersion, kind and metadata only; nothing else is sent by the server. @default false */
  readonly metadataOnly?: boolean;
  /** Keeps only the needed members; may modify its argument. @default everything but metadata.managedFields */
  readonly project?: (object: T) => T;
  /** Named functions from an object to the values it is found under. */
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
  /** Page size of LIST. Larger pages outlive V8's young generation before they are projected. @default 250 */
  readonly pageSize?: number;
  /**
   * Where the first LIST is read from. 'quorum': the newest state, in pages. 'cache': the state that the API server has
   * in memory, in one answer; cheap for the server where many nodes each ask for their own pods, but it may lag behind.
   * After a 410 it is always 'quorum'. @default 'quorum'
   */
  readonly listFrom?: 'quorum' | 'cache';
  /**
   * Milliseconds without a byte on the watch before it is reopened. Servers send a bookmark about every minute, later
   * under load, so keep above that. @default 90000
   */
  readonly idleTimeoutMs?: number;
  /** Delays between failures. @default {initialMs: 800, maxMs: 30000, factor: 2, jitter: 0.5} */
  readonly backoff?: BackoffOptions;
}

/** Names one object for a reconciler; never carries content, so that reconciling stays level-based. */
export interface ReconcileKey extends ObjectKey {
  /** Stable identity of the work: kind and uid, or kind and key where the uid is unknown. */
  readonly key: string;
}

/** The result of a reconcile run that succeeded. */
export interface ReconcileResult {
  /** Ask to be called again after this many milliseconds, without counting as a failure. */
  readonly requeueAfterMs?: number;
}

/**
 * Drives one object towards its desired state. Called with the key only; reads the current state itself. A thrown error
 * means: again, after the key's backoff (or after the error's `retryAfterMs`); an error with `retryable === false` means
 * not again until the object, or something it is mapped from, changes. Never runs twice at the same time for one object.
 */
export type Reconciler = (request: ReconcileKey, signal: AbortSignal) => Promise<ReconcileResult | undefined>;
