import { backoff } from '../../base/backoff.ts';
import { AzimuthError } from '../../base/errors.ts';
import { isForbidden } from '../client/status-error.ts';
import type { KubeObject } from '../client/types.ts';
import { type CompleteList, collectList, identityOf, needsConfirmation, wentBack } from './collect-list.ts';
import { LineBudget } from './line-budget.ts';
import { isDisconnected, isMissingType, keepsPosition } from './list-watch-errors.ts';
import { LoopHealth } from './loop-health.ts';
import { withoutManagedFields } from './projection.ts';
import type { ReflectorMetrics } from './reflector-metrics.ts';
import { ServedTypes } from './served-types.ts';
import type { ListWatchTarget, ObjectSink, ReflectorOptions, Runtime } from './types.ts';

/** A shorter watch counts as a failure, whatever it returned: it would repeat in a tight loop. Milliseconds. */
const shortWatchMs = 1000;
/** After so many failures in a row the position may be the cause, as after a restore of etcd: list again. */
const failuresBeforeRelist = 5;
/** The longest Retry-After that counts, milliseconds. */
const maxRetryAfterMs = 5 * 60_000;

const restored = 'resource versions went back, as after a restore of etcd: everything was listed again';

/** One LIST + WATCH position over a collection: all namespaces or one of them. Feeds a cache until its signal aborts. */
export class ListWatch<T extends KubeObject> {
  readonly namespace: string | undefined;
  readonly #runtime: Runtime;
  readonly #options: ReflectorOptions<T>;
  readonly #cache: ObjectSink<T>;
  readonly #metrics: ReflectorMetrics;
  readonly #onListed: () => void;
  readonly #onForbidden: (() => void) | undefined;
  readonly #onMissing: (() => void) | undefined;
  readonly #onRestored: () => void;
  #missing = false;
  readonly #keeps: (object: T) => boolean;
  #listed = false;
  #position: string | undefined;
  /** The newest position that was known, also while the next LIST is still to come. */
  #newest: string | undefined;
  /** Whether the last watch broke. */
  #disconnected = false;
  readonly #health: LoopHealth;
  /** Ends the present LIST, WATCH or delay, so that a new LIST begins. */
  #interruption = new AbortController();
  /** Called after the next complete LIST. */
  #refreshed: (() => void)[] = [];
  #ended = false;

  constructor(runtime: Runtime, options: ReflectorOptions<T>, target: ListWatchTarget<T>) {
    this.namespace = target.namespace;
    this.#runtime = runtime;
    this.#options = options;
    this.#cache = target.cache;
    this.#metrics = target.metrics;
    this.#onListed = target.onListed;
    this.#onForbidden = target.onForbidden;
    this.#onMissing = target.onMissing;
    this.#onRestored = target.onRestored ?? (() => undefined);
    this.#keeps = target.keeps ?? (() => true);
    this.#health = new LoopHealth(() => runtime.clock.monotonic());
  }

  /** True after the first complete LIST. */
  get listed(): boolean {
    return this.#listed;
  }

  /** Whether the API server has no such type. */
  get missing(): boolean {
    return this.#missing;
  }

  /** The failures and the progress of the loop. */
  get health(): Pick<LoopHealth, 'lastError' | 'trouble' | 'quietMs'> {
    return this.#health;
  }

  /**
   * Lists again. Resolves when the cache has all that the API server had when this was called, when the API server
   * answers that it has no such type, or when the loop ends.
   */
  refresh(): Promise<void> {
    if (this.#ended) return Promise.resolve();
    return new Promise((resolve) => {
      this.#refreshed.push(resolve);
      this.#interruption.abort(new Error('A new LIST is wanted'));
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#loop(signal);
    this.#ended = true;
    this.#endRefreshes();
  }

  async #loop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#health.begun();
      const interruption = new AbortController();
      if (this.#refreshed.length > 0) this.#position = undefined;
      this.#interruption = interruption;
      const step = AbortSignal.any([signal, interruption.signal]);
      try {
        await this.#listAndWatch(step);
      } catch (error) {
        if (signal.aborted) return;
        if (interruption.signal.aborted) continue;
        if (this.#onForbidden && !this.#listed && isForbidden(error)) {
          this.#onForbidden();
          return;
        }
        await this.#recover(error, step);
      }
    }
  }

  async #listAndWatch(signal: AbortSignal): Promise<void> {
    await this.#checkPosition(signal);
    if (this.#position === undefined) await this.#list(signal);
    await this.#watch(signal);
    signal.throwIfAborted();
    this.#metrics.watch('ended');
    if (!this.#health.lasted(shortWatchMs)) {
      throw new AzimuthError('AZ_KUBE_UNREACHABLE', `The watch ended within ${shortWatchMs} ms of being opened`);
    }
    this.#health.ended();
  }

  async #list(signal: AbortSignal): Promise<void> {
    const fromCache = this.#options.listFrom === 'cache' && !this.#listed;
    let list = await this.#collect(fromCache, signal);
    const has = (object: Pick<T, 'metadata'>) => list.seen.has(identityOf(object));
    const lacking = this.#cache.missing?.(this.namespace, { has });
    if (lacking && needsConfirmation(lacking)) {
      this.#runtime.log.warn({ namespace: this.namespace, ...lacking }, 'a list lacks cached objects: listing again');
      list = await this.#collect(false, signal);
    }
    // A refresh that came with the last page wants a LIST that begins after it.
    signal.throwIfAborted();
    this.#cache.retain(this.namespace, { has });
    if (wentBack(this.#newest, list.position)) {
      this.#runtime.log.warn({ namespace: this.namespace, before: this.#newest, now: list.position }, restored);
      this.#onRestored();
    }
    this.#position = list.position;
    this.#newest = list.position;
    this.#disconnected = false;
    this.#missing = false;
    this.#health.listed();
    this.#metrics.list('ok');
    this.#endRefreshes();
    if (!this.#listed) {
      this.#listed = true;
      this.#onListed();
    }
  }

  #collect(fromCache: boolean, signal: AbortSignal): Promise<CompleteList> {
    const { type, labelSelector, fieldSelector, metadataOnly, pageSize = 250 } = this.#options;
    const query = {
      ...{ namespace: this.namespace, labelSelector, fieldSelector, metadataOnly, signal },
      // The API server ignores the page size when it answers from its memory.
      limit: fromCache ? 0 : pageSize,
      resourceVersion: fromCache ? '0' : undefined,
    };
    const put = (item: T) => {
      if (!this.#keeps(item)) return undefined;
      const object = this.#project(item);
      return this.#cache.put(object) ? identityOf(object) : undefined;
    };
    return collectList<T>(this.#runtime.client, type, query, { put, onPage: () => this.#health.progressed() });
  }

  /**
   * After a broken connection: whether the API server is still at the position or beyond. A watch from a version that is
   * still to come stays silent, as after a restore of etcd. The LIST selects one name in one namespace, for which the API
   * server reads one key of etcd. It is the watch's own name where it has one, as RBAC may allow no other.
   */
  async #checkPosition(signal: AbortSignal): Promise<void> {
    if (!this.#disconnected || this.#position === undefined) return;
    const { type, fieldSelector, metadataOnly } = this.#options;
    const namespace = this.namespace ?? (type.namespaced ? 'default' : undefined);
    const oneName = fieldSelector?.startsWith('metadata.name=') ? fieldSelector : 'metadata.name=position';
    const query = { namespace, fieldSelector: oneName, metadataOnly, limit: 1, signal };
    const { resourceVersion } = await this.#runtime.client.list<T>(type, query);
    if (wentBack(this.#position, resourceVersion)) this.#position = undefined;
    this.#disconnected = false;
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
      onOpen: () => this.#health.opened(),
      signal,
    });
    for await (const event of events) {
      this.#health.progressed();
      this.#metrics.event(event.type);
      if (event.type === 'BOOKMARK') {
        // An empty position starts the next watch anywhere, which hides deletions.
        if (event.resourceVersion !== '') this.#moveTo(event.resourceVersion);
        continue;
      }
      const position = event.object.metadata.resourceVersion;
      if (position !== undefined) this.#moveTo(position);
      if (!this.#keeps(event.object)) continue;
      const object = this.#project(event.object);
      if (event.type === 'DELETED') this.#cache.remove(object.metadata, object);
      else this.#cache.put(object);
    }
  }

  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#runtime;
    const failed = this.#position === undefined ? 'list' : 'watch';
    const attempt = this.#health.failed(error);
    const relist = !keepsPosition(error) || this.#health.failures % failuresBeforeRelist === 0;
    if (relist) this.#position = undefined;
    if (failed === 'watch' && isDisconnected(error)) this.#disconnected = true;
    if (failed === 'list') this.#metrics.list('failed');
    else this.#metrics.watch(relist ? 'relist' : 'failed');
    const bounds = { initialMs: 800, maxMs: 30_000, jitter: 0.5, ...this.#options.backoff };
    const retryAfterMs = error instanceof AzimuthError ? (error.retryAfterMs ?? 0) : 0;
    const delayMs = Math.max(backoff(attempt, bounds), Math.min(retryAfterMs, maxRetryAfterMs));
    const fields = { namespace: this.namespace, failed, relist, delayMs, error: this.#health.lastError };
    // A single failure is normal: an idle watch, a restart of the server, an expired position.
    const missing = isMissingType(error);
    if (missing) {
      const more = this.#missing ? undefined : LineBudget.of(this.#runtime).take(clock.monotonic());
      if (more) log.warn({ ...fields, ...more }, 'the definition of this kind is missing: waiting for it');
      this.#missing = true;
      this.#endRefreshes();
      this.#onMissing?.();
    } else {
      const more = attempt === 0 ? undefined : LineBudget.of(this.#runtime).take(clock.monotonic());
      if (more) log.warn({ ...fields, ...more }, 'listing or watching keeps failing');
      else log.debug(fields, 'listing or watching failed');
    }
    await clock.sleep(delayMs, signal).catch(() => undefined);
    this.#health.progressed();
    if (!missing) return;
    const waits = { delayMs: () => backoff(this.#health.failures, bounds), onDelay: () => this.#health.stillMissing() };
    await ServedTypes.of(this.#runtime).whenServed(this.#options.type, waits, signal);
    this.#health.progressed();
  }

  #moveTo(position: string): void {
    this.#position = position;
    this.#newest = position;
  }

  #endRefreshes(): void {
    for (const resolve of this.#refreshed.splice(0)) resolve();
  }

  #project(object: T): T {
    return (this.#options.project ?? withoutManagedFields)(object);
  }
}
