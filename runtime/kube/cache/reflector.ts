import { unlessAborted } from '../../base/abort.ts';
import { messageOf } from '../../base/errors.ts';
import { mostWatchedNamespaces } from '../../base/flags/watched-namespaces.ts';
import type { Logger } from '../../base/observability/log.ts';
import type { KubeObject, ObjectKey, ResourceType } from '../client/types.ts';
import { ListWatch } from './list-watch.ts';
import { reflectorMetrics, resourceLabel } from './reflector-metrics.ts';
import { ObjectCache } from './store.ts';
import type { CacheHandler, IndexFunction, ReflectorOptions, Runtime, WatchedCache } from './types.ts';

/** A loop that did nothing for longer is stuck: watches end after five minutes at most, delays after half a minute. */
const stuckAfterMs = 10 * 60_000;

/**
 * Keeps a projected copy of one resource type in step with the API server: LIST in pages, WATCH from there, and a new
 * LIST whenever the position is lost. Between a LIST and its WATCH nothing can be missed, and changes while the
 * connection was down arrive as the difference to the cache, deletions included.
 */
export class Reflector<T extends KubeObject = KubeObject> implements WatchedCache<T> {
  readonly type: ResourceType;
  readonly #log: Logger;
  readonly #cache: ObjectCache<T>;
  #loops: readonly ListWatch<T>[];
  /** Lists and watches each namespace by itself; once the whole collection is known to be forbidden. */
  readonly #byNamespace: () => readonly ListWatch<T>[];
  readonly #whenSynced = Promise.withResolvers<void>();
  readonly #whenKnown = Promise.withResolvers<void>();
  readonly #onRestored = new Set<() => void>();

  constructor(runtime: Runtime, options: ReflectorOptions<T>) {
    this.type = options.type;
    this.#log = runtime.log.child({ resource: resourceLabel(options.type) });
    this.#cache = new ObjectCache<T>((error) => {
      this.#log.error({ error: messageOf(error) }, 'a handler or index function of the cache threw');
    });
    for (const [name, index] of Object.entries(options.indexes ?? {})) this.#cache.addIndex(name, index);
    const metrics = reflectorMetrics(runtime.metrics, options.type, () => this.size);
    const onListed = () => {
      if (!this.synced) return;
      this.#log.debug({ objects: this.size }, 'cache is synced');
      this.#whenKnown.resolve();
      this.#whenSynced.resolve();
    };
    const onMissing = () => this.#whenKnown.resolve();
    const onRestored = () => {
      for (const handler of this.#onRestored) handler();
    };
    const common = { cache: this.#cache, metrics, onListed, onMissing, onRestored };
    const loop = (target: ConstructorParameters<typeof ListWatch<T>>[2]) =>
      new ListWatch<T>({ ...runtime, log: this.#log }, options, target);
    const { namespaces = [undefined] } = options;
    this.#byNamespace = () => namespaces.map((namespace) => loop({ ...common, namespace }));
    const chosen = new Set<string | undefined>(namespaces);
    const whole = {
      ...common,
      namespace: undefined,
      keeps: ({ metadata }: KubeObject) => chosen.has(metadata.namespace),
      onForbidden: () => {
        this.#loops = this.#byNamespace();
      },
    };
    this.#loops = namespaces.length > mostWatchedNamespaces ? [loop(whole)] : this.#byNamespace();
  }

  get synced(): boolean {
    return this.#loops.every(({ listed }) => listed);
  }

  get size(): number {
    return this.#cache.size;
  }

  get(key: ObjectKey): T | undefined {
    return this.#cache.get(key);
  }

  list(namespace?: string): T[] {
    return this.#cache.list(namespace);
  }

  byIndex(index: string, value: string, most?: number): T[] {
    return this.#cache.byIndex(index, value, most);
  }

  addIndex(name: string, index: IndexFunction<T>): void {
    this.#cache.addIndex(name, index);
  }

  onChange(handler: CacheHandler<T>): () => void {
    return this.#cache.onChange(handler);
  }

  onRestored(handler: () => void): void {
    this.#onRestored.add(handler);
  }

  whenSynced(signal?: AbortSignal): Promise<void> {
    return this.#until(this.#whenSynced.promise, signal);
  }

  /** Resolves once `synced`, or once the API server has answered that it has no such type. */
  whenKnown(signal?: AbortSignal): Promise<void> {
    return this.#until(this.#whenKnown.promise, signal);
  }

  async #until(promise: Promise<void>, signal?: AbortSignal): Promise<void> {
    if (!this.synced) await (signal ? unlessAborted(promise, signal) : promise);
  }

  /** Lists and watches until the signal aborts; never rejects. Call once. */
  async run(signal: AbortSignal): Promise<void> {
    const loops = this.#loops;
    await Promise.all(loops.map((loop) => loop.run(signal)));
    // Others are in the place of one that the API server refused.
    if (this.#loops !== loops) await this.run(signal);
  }

  async refresh(signal: AbortSignal): Promise<void> {
    const loops = this.#loops;
    await unlessAborted(Promise.all(loops.map((loop) => loop.refresh())), signal);
    if (this.#loops !== loops) await this.refresh(signal);
  }

  /** Readiness: the reason that the cache is not synced. */
  notSynced(): string | undefined {
    if (this.synced || this.#loops.every(({ missing }) => missing)) return undefined;
    const error = this.#loops.map(({ health }) => health.lastError).find((text) => text !== undefined);
    return error ?? 'the first list is not complete yet';
  }

  trouble(): string | undefined {
    return this.#loops.map(({ health }) => health.trouble).find((text) => text !== undefined);
  }

  /** Liveness: reports a loop without progress. */
  stuck(): string | undefined {
    const quietMs = Math.max(...this.#loops.map(({ health }) => health.quietMs));
    return quietMs > stuckAfterMs ? `nothing happened for ${Math.round(quietMs / 1000)} s` : undefined;
  }
}
