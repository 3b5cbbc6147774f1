import type { Clock } from './clock.ts';

/** Limits of a SharedCache. */
export interface SharedCacheOptions {
  readonly clock: Clock;
  /** Longest time an entry is kept, milliseconds; 0 keeps nothing. */
  readonly ttlMs: number;
  /** Entries kept; the one not used for longest goes. */
  readonly maxEntries: number;
}

interface Entry<T> {
  readonly value: T;
  readonly until: number;
}

/**
 * Loads a value once for all who wait for it, and keeps it for a short while. A load goes on when those who wait for it
 * leave: the next one will want it.
 */
export class SharedCache<T> {
  readonly #options: SharedCacheOptions;
  readonly #entries = new Map<string, Entry<T>>();
  readonly #loading = new Map<string, Promise<T>>();

  constructor(options: SharedCacheOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  peek(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    if (entry.until <= this.#options.clock.now()) return undefined;
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Until when the entry is given out, milliseconds since the epoch; undefined where there is none. */
  keptUntil(key: string): number | undefined {
    return this.#entries.get(key)?.until;
  }

  /** `usableUntil`: an instant after which the value must not be given out, whatever the time to live. */
  async get(key: string, load: () => Promise<T>, usableUntil: (value: T) => number): Promise<T> {
    const known = this.peek(key);
    if (known !== undefined) return known;
    const running = this.#loading.get(key);
    if (running) return running;
    const loading = load().then((value) => {
      // Dropped while it was loading: give it to those who wait, but do not keep it.
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

  /** Forgets all whose key begins so. */
  drop(prefix: string): void {
    for (const map of [this.#entries, this.#loading]) {
      for (const key of map.keys()) if (key.startsWith(prefix)) map.delete(key);
    }
  }

  #keep(key: string, value: T, usableUntil: number): void {
    const { clock, ttlMs, maxEntries } = this.#options;
    const until = Math.min(clock.now() + ttlMs, usableUntil);
    if (until <= clock.now()) return;
    this.#entries.set(key, { value, until });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= maxEntries) break;
      this.#entries.delete(oldest);
    }
  }
}
