import { FairQueue } from '../base/fairness/fair-queue.ts';

/**
 * Limits concurrent work under each key. Work waits in a queue per key: shares, such as namespaces, are served in
 * rotation, and within one the oldest work goes first.
 */
export class Limits {
  readonly #limitOf: (key: string) => number;
  readonly #inUse = new Map<string, number>();
  readonly #waiting = new Map<string, FairQueue<() => void>>();

  /** `limitOf` returns the limit of a key, at least 1. */
  constructor(limitOf: (key: string) => number) {
    this.#limitOf = limitOf;
  }

  /** The amount of work that runs under the key now. */
  inUse(key: string): number {
    return this.#inUse.get(key) ?? 0;
  }

  /**
   * Runs `work` once there is room under every key. Rejects with the signal's reason if it aborts while waiting.
   * `share`: whose work it is.
   */
  async run<T>(keys: readonly string[], work: () => Promise<T>, signal?: AbortSignal, share = ''): Promise<T> {
    const held: string[] = [];
    try {
      // All callers take keys in the same order, so that no two of them wait for each other.
      for (const key of [...new Set(keys)].sort()) {
        await this.#acquire(key, share, signal);
        held.push(key);
      }
      return await work();
    } finally {
      for (const key of held) this.#release(key);
    }
  }

  #acquire(key: string, share: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.inUse(key) < this.#limitOf(key)) {
      this.#inUse.set(key, this.inUse(key) + 1);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const queue = this.#waiting.get(key) ?? new FairQueue<() => void>();
      this.#waiting.set(key, queue);
      const give = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const abort = () => {
        queue.delete(share, give);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      queue.add(share, give);
    });
  }

  /** Gives the place to the next in the queue, or frees it. */
  #release(key: string): void {
    const queue = this.#waiting.get(key);
    const next = queue?.take();
    if (queue?.size === 0) this.#waiting.delete(key);
    const left = this.inUse(key) - 1;
    if (next) next();
    else if (left > 0) this.#inUse.set(key, left);
    else this.#inUse.delete(key);
  }
}
