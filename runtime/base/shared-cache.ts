import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

/** Limits of a SharedCache. */
export interface SharedCacheOptions {
  readonly clock: Clock;
  /** Longest time an entry is kept, milliseconds; 0 keeps nothing. */
  readonly ttlMs: number;
  /** Entries kept; the least recently used one is evicted. */
  readonly maxEntries: number;
}

interface Entry<T> {
  readonly value: T;
  readonly until: number;
}

/**
 * Loads a value once for all its callers (single flight), and caches it until an absolute instant, such as a token's end. A
 * load goes on when its callers are gone, since the next caller needs the value.
 */
export class SharedCache<T> {
  readonly #options: SharedCacheOptions;
  readonly #entries: LRUCache<string, Entry<T>>;
  readonly #loading = new Map<string, Promise<T>>();

  constructor(options: SharedCacheOptions) {
    this.#options = options;
    this.#entries = new LRUCache({ max: options.maxEntries });
  }

  /** Entries in the cache. */
  get size(): number {
    return this.#entries.size;
  }

  /** The entry where it is cached and still valid, without a load; counts as a use. */
  peek(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.until > this.#options.clock.now()) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** Milliseconds since the epoch until which the entry is valid; undefined where there is none. Not a use. */
  keptUntil(key: string): number | undefined {
    return this.#entries.peek(key)?.until;
  }

  /** The cached value, or the result of `load`. After `usableUntil` the value is not returned, whatever the time to live. */
  async get(key: string, load: () => Promise<T>, usableUntil: (value: T) => number): Promise<T> {
    const cached = this.peek(key);
    if (cached !== undefined) return cached;
    const running = this.#loading.get(key);
    if (running) return running;
    const loading = load().then((value) => {
      // Where the key was dropped during the load, callers get the value, and the cache does not.
      if (this.#loading.get(key) === loading) this.#keep(key, value, usableUntil(value));
      return value;
    });
    this.#loading.set(key, loading);
    try {
      return await loading;
    } finally {
      if (this.#loading.get(key) === loading) this.#loading.delete(key);
    }
  }

  /** Drops the entry of the key, and the result of its running load. */
  delete(key: string): void {
    this.#entries.delete(key);
    this.#loading.delete(key);
  }

  /** Drops the entries, and the results of running loads, whose key has this prefix. */
  drop(prefix: string): void {
    for (const map of [this.#entries, this.#loading]) {
      for (const key of map.keys()) if (key.startsWith(prefix)) map.delete(key);
    }
  }

  #keep(key: string, value: T, usableUntil: number): void {
    const { clock, ttlMs } = this.#options;
    const until = Math.min(clock.now() + ttlMs, usableUntil);
    if (until > clock.now()) this.#entries.set(key, { value, until });
  }
}
