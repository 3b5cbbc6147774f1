import { backoff } from '../../base/backoff.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import { paginate } from '../client/paginate.ts';
import { isForbidden, isNotFound } from '../client/status-error.ts';
import type { KubeObject } from '../client/types.ts';
import { LineBudget } from './line-budget.ts';
import { withoutManagedFields } from './projection.ts';
import type { ReflectorMetrics } from './reflector-metrics.ts';
import type { ObjectCache } from './store.ts';
import type { ReflectorOptions, Runtime } from './types.ts';

/** A watch that ends sooner counts as a failure, whatever it brought: otherwise a broken server is asked in a tight loop. */
const shortWatchMs = 1000;
/** A watch that lived this long shows that the server is well again. */
const healthyWatchMs = 5000;
/** After so many failures in a row the position itself may be at fault, as after a restore of etcd: list anew. */
const failuresBeforeRelist = 5;
/** The longest Retry-After that is believed. */
const longestAskedMs = 5 * 60_000;

/** One LIST + WATCH position over a collection: all namespaces or one of them. Feeds a cache until its signal aborts. */
export class ListWatch<T extends KubeObject> {
  readonly namespace: string | undefined;
  readonly #runtime: Runtime;
  readonly #options: ReflectorOptions<T>;
  readonly #cache: ObjectCache<T>;
  readonly #metrics: ReflectorMetrics;
  readonly #onListed: () => void;
  readonly #onForbidden: (() => void) | undefined;
  readonly #onMissing: (() => void) | undefined;
  #missing = false;
  readonly #keeps: (object: T) => boolean;
  #listed = false;
  #position: string | undefined;
  #failures = 0;
  #lastTurn: number;
  #lastError: string | undefined;
  #trouble: string | undefined;
  /** When the server accepted the watch that is under way, on the monotonic clock. */
  #opened: number | undefined;

  constructor(
    runtime: Runtime,
    options: ReflectorOptions<T>,
    target: {
      readonly namespace: string | undefined;
      readonly cache: ObjectCache<T>;
      readonly metrics: ReflectorMetrics;
      readonly onListed: () => void;
      /** Where the collection may not be listed as a whole: `run` then ends before its first list. @default it keeps trying */
      readonly onForbidden?: () => void;
      /** Called when the API server has no such type. */
      readonly onMissing?: () => void;
      /** Whether an object belongs into the cache. @default all do */
      readonly keeps?: (object: T) => boolean;
    },
  ) {
    this.namespace = target.namespace;
    this.#runtime = runtime;
    this.#options = options;
    this.#cache = target.cache;
    this.#metrics = target.metrics;
    this.#onListed = target.onListed;
    this.#onForbidden = target.onForbidden;
    this.#onMissing = target.onMissing;
    this.#keeps = target.keeps ?? (() => true);
    this.#lastTurn = runtime.clock.monotonic();
  }

  /** True after the first complete LIST. */
  get listed(): boolean {
    return this.#listed;
  }

  /** What the last attempt failed with; undefined while all is well. */
  /** The API server has no such type. */
  get missing(): boolean {
    return this.#missing;
  }

  get lastError(): string | undefined {
    return this.#lastError;
  }

  /**
   * The error since which the server has accepted no watch; undefined again as soon as it does. A watch that ends after a while is
   * none: old servers send nothing at all where nothing changes, so that such a watch is opened anew every 90 seconds.
   */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Milliseconds since the loop last did anything. */
  get quietMs(): number {
    return this.#runtime.clock.monotonic() - this.#lastTurn;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#turn();
      this.#opened = undefined;
      try {
        if (this.#position === undefined) await this.#list(signal);
        await this.#watch(signal);
        this.#metrics.watch('ended');
        if (this.#livedFor(shortWatchMs)) {
          this.#failures = 0;
          this.#lastError = undefined;
          continue;
        }
        throw new AzimuthError('AZ_KUBE_UNREACHABLE', `The watch ended within ${shortWatchMs} ms of being opened`);
      } catch (error) {
        if (signal.aborted) return;
        if (this.#onForbidden && !this.#listed && isForbidden(error)) {
          this.#onForbidden();
          return;
        }
        await this.#recover(error, signal);
      }
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { type, labelSelector, fieldSelector, metadataOnly, pageSize = 250, listFrom = 'quorum' } = this.#options;
    const { client } = this.#runtime;
    const fromCache = listFrom === 'cache' && !this.#listed;
    const pages = paginate<T>(client, type, {
      namespace: this.namespace,
      labelSelector,
      fieldSelector,
      metadataOnly,
      // The API server ignores the page size when it answers from its memory.
      limit: fromCache ? 0 : pageSize,
      resourceVersion: fromCache ? '0' : undefined,
      signal,
    });
    const seen = new Set<string>();
    let position: string | undefined;
    for await (const page of pages) {
      this.#turn();
      if (page.fresh) {
        seen.clear();
        // Should a later page be newer than the first, watching from the first repeats changes but loses none.
        position = page.resourceVersion;
      }
      for (const item of page.items) {
        if (!this.#keeps(item)) continue;
        const object = this.#project(item);
        seen.add(identity(object));
        this.#cache.put(object);
      }
    }
    this.#cache.retain(this.namespace, { has: (object) => seen.has(identity(object)) });
    this.#position = position;
    this.#missing = false;
    this.#lastError = undefined;
    this.#metrics.list('ok');
    if (!this.#listed) {
      this.#listed = true;
      this.#onListed();
    }
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { type, labelSelector, fieldSelector, metadataOnly, idleTimeoutMs = 90_000 } = this.#options;
    const events = this.#runtime.client.watch<T>(type, {
      namespace: this.namespace,
      labelSelector,
      fieldSelector,
      metadataOnly,
      idleTimeoutMs,
      // Spread out, so that the watches of many replicas do not end together.
      timeoutSeconds: 240 + Math.floor(Math.random() * 61),
      resourceVersion: this.#position ?? '',
      onOpen: () => {
        this.#opened = this.#runtime.clock.monotonic();
        this.#trouble = undefined;
      },
      signal,
    });
    for await (const event of events) {
      this.#turn();
      this.#metrics.event(event.type);
      if (event.type === 'BOOKMARK') {
        // An empty one would make the next watch begin anywhere, and hide deletions.
        if (event.resourceVersion !== '') this.#position = event.resourceVersion;
        continue;
      }
      const position = event.object.metadata.resourceVersion;
      if (position !== undefined) this.#position = position;
      if (!this.#keeps(event.object)) continue;
      const object = this.#project(event.object);
      if (event.type === 'DELETED') this.#cache.remove(object.metadata, object);
      else this.#cache.put(object);
    }
  }

  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#runtime;
    const failed = this.#position === undefined ? 'list' : 'watch';
    const wasWell = this.#livedFor(healthyWatchMs);
    if (wasWell) this.#failures = 0;
    const attempt = this.#failures++;
    const relist = !positionSurvives(error) || this.#failures % failuresBeforeRelist === 0;
    if (relist) this.#position = undefined;
    if (failed === 'list') this.#metrics.list('failed');
    else this.#metrics.watch(relist ? 'relist' : 'failed');
    this.#lastError = messageOf(error);
    if (!wasWell) this.#trouble = this.#lastError;
    this.#turn();
    const bounds = { initialMs: 800, maxMs: 30_000, jitter: 0.5, ...this.#options.backoff };
    const asked = error instanceof AzimuthError ? (error.retryAfterMs ?? 0) : 0;
    const delayMs = Math.max(backoff(attempt, bounds), Math.min(asked, longestAskedMs));
    const fields = { namespace: this.namespace, failed, relist, delayMs, error: this.#lastError };
    // One failure is everyday life: a quiet watch that went idle, a restart of the server, an expired position.
    if (isMissing(error)) {
      if (!this.#missing) log.warn(fields, 'the definition of this kind is missing: it is left out until it is there');
      this.#missing = true;
      this.#onMissing?.();
    } else {
      const more = attempt === 0 ? undefined : LineBudget.of(this.#runtime).take(clock.monotonic());
      if (more) log.warn({ ...fields, ...more }, 'listing or watching keeps failing');
      else log.debug(fields, 'listing or watching failed');
    }
    await clock.sleep(delayMs, signal).catch(() => undefined);
    this.#turn();
  }

  #livedFor(ms: number): boolean {
    return this.#opened !== undefined && this.#runtime.clock.monotonic() - this.#opened >= ms;
  }

  #project(object: T): T {
    return (this.#options.project ?? withoutManagedFields)(object);
  }

  #turn(): void {
    this.#lastTurn = this.#runtime.clock.monotonic();
  }
}

/** The API server has no such type, which the name of an object would say too. */
function isMissing(error: unknown): boolean {
  return isNotFound(error) && error.subject.verb === 'list';
}

/** No answer and a refusal leave the position valid. 410 and a garbled answer do not: something may have been missed. */
function positionSurvives(error: unknown): boolean {
  return error instanceof AzimuthError && (error.code === 'AZ_KUBE_UNREACHABLE' || error.code === 'AZ_KUBE_STATUS');
}

function identity({ metadata }: KubeObject): string {
  return metadata.uid ?? `${metadata.namespace ?? ''}/${metadata.name}`;
}
