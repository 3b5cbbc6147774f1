import type { Clock } from '../../base/clock.ts';

interface Watched {
  onChange(handler: () => void): () => void;
}

/** Lets requests wait for the caches to change, without a timer that polls. */
export class Changes {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #scheduled = false;

  constructor(caches: readonly Watched[], clock: Clock) {
    this.#clock = clock;
    for (const cache of caches) cache.onChange(() => this.#notify());
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Asks `read` now and after changes, until it gives something, the time is over (undefined) or the signal aborts (its
   * reason is thrown). An error of `read` ends the wait.
   */
  async until<T>(read: () => T | undefined, ms: number, signal: AbortSignal): Promise<T | undefined> {
    signal.throwIfAborted();
    const first = read();
    if (first !== undefined || ms <= 0) return first;
    const over = new AbortController();
    const result = Promise.withResolvers<T | undefined>();
    const again = () => {
      try {
        const current = read();
        if (current !== undefined) result.resolve(current);
      } catch (error) {
        result.reject(error);
      }
    };
    const abort = () => result.reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    this.#waiting.add(again);
    this.#clock.sleep(ms, over.signal).then(
      () => result.resolve(undefined),
      () => undefined,
    );
    try {
      return await result.promise;
    } finally {
      this.#waiting.delete(again);
      over.abort();
      signal.removeEventListener('abort', abort);
    }
  }

  /** A list arrives as many changes at once; each waiting request looks once. */
  #notify(): void {
    if (this.#scheduled || this.#waiting.size === 0) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      for (const again of [...this.#waiting]) again();
    });
  }
}
