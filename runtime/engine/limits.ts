/** Limits concurrent work under each key. Work waits in a queue per key, first come, first served. */
export class Limits {
  readonly #limitOf: (key: string) => number;
  readonly #inUse = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();

  /** `limitOf` returns the limit of a key, at least 1. */
  constructor(limitOf: (key: string) => number) {
    this.#limitOf = limitOf;
  }

  /** The amount of work that runs under the key now. */
  inUse(key: string): number {
    return this.#inUse.get(key) ?? 0;
  }

  /** Runs `work` once there is room under every key. Rejects with the signal's reason if it aborts while waiting. */
  async run<T>(keys: readonly string[], work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const held: string[] = [];
    try {
      // All callers take keys in the same order, so that no two of them wait for each other.
      for (const key of [...new Set(keys)].sort()) {
        await this.#acquire(key, signal);
        held.push(key);
      }
      return await work();
    } finally {
      for (const key of held) this.#release(key);
    }
  }

  #acquire(key: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.inUse(key) < this.#limitOf(key)) {
      this.#inUse.set(key, this.inUse(key) + 1);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const queue = this.#waiting.get(key) ?? [];
      this.#waiting.set(key, queue);
      const give = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const abort = () => {
        queue.splice(queue.indexOf(give), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      queue.push(give);
    });
  }

  /** Gives the place to the next in the queue, or frees it. */
  #release(key: string): void {
    const queue = this.#waiting.get(key);
    const next = queue?.shift();
    if (queue?.length === 0) this.#waiting.delete(key);
    const left = this.inUse(key) - 1;
    if (next) next();
    else if (left > 0) this.#inUse.set(key, left);
    else this.#inUse.delete(key);
  }
}
