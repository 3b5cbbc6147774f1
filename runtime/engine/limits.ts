import { FairSemaphore } from '../base/fairness/fair-semaphore.ts';

/**
 * Limits concurrent work under each key. Work waits for each key in turn: shares, such as namespaces, are served in
 * rotation, and within one the oldest work goes first.
 */
export class Limits {
  readonly #limitOf: (key: string) => number;
  /** Of the keys under which work runs or waits. */
  readonly #semaphores = new Map<string, FairSemaphore>();

  /** `limitOf` returns the limit of a key, at least 1. */
  constructor(limitOf: (key: string) => number) {
    this.#limitOf = limitOf;
  }

  /** The amount of work that runs under the key now. */
  inUse(key: string): number {
    return this.#semaphores.get(key)?.inUse ?? 0;
  }

  /**
   * Runs `work` once there is room under every key. Rejects with the signal's reason if it aborts while waiting.
   * `share`: whose work it is.
   */
  async run<T>(keys: readonly string[], work: () => Promise<T>, signal?: AbortSignal, share = ''): Promise<T> {
    // All callers take keys in the same order, so that no two of them wait for each other.
    const [key, ...rest] = [...new Set(keys)].sort();
    if (key === undefined) return work();
    const semaphore = this.#semaphores.get(key) ?? new FairSemaphore({ total: this.#limitOf(key) });
    this.#semaphores.set(key, semaphore);
    try {
      return await semaphore.run(share, signal, () => this.run(rest, work, signal, share));
    } finally {
      if (semaphore.isIdle && this.#semaphores.get(key) === semaphore) this.#semaphores.delete(key);
    }
  }
}
