import type { WatchedCache } from '../../kube/cache/types.ts';
import type { KubeObject, ObjectKey } from '../../kube/client/types.ts';

/** The caches of the kinds that the operator watches. A kind may come while the operator runs. */
export class KindCaches {
  /** The definitions that bring the kinds; undefined where settings name the kinds. */
  definitions: WatchedCache | undefined;
  readonly #byKind = new Map<string, WatchedCache>();
  readonly #handlers: ((cache: WatchedCache) => void)[] = [];

  constructor(caches: readonly WatchedCache[] = []) {
    for (const cache of caches) this.add(cache);
  }

  /** Adds the cache of a kind, once for each kind, and calls the handlers with it. */
  add(cache: WatchedCache): void {
    this.#byKind.set(`${cache.type.group}/${cache.type.kind}`, cache);
    for (const handler of this.#handlers) handler(cache);
  }

  /** Calls the handler for each cache that is here, and for each that comes. */
  onAdded(handler: (cache: WatchedCache) => void): void {
    this.#handlers.push(handler);
    for (const cache of this.#byKind.values()) handler(cache);
  }

  of(group: string, kind: string): WatchedCache | undefined {
    return this.#byKind.get(`${group}/${kind}`);
  }

  get(group: string, kind: string, key: ObjectKey): KubeObject | undefined {
    return this.of(group, kind)?.get(key);
  }

  [Symbol.iterator](): IterableIterator<WatchedCache> {
    return this.#byKind.values();
  }
}
