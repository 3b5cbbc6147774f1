import type { Clock } from '../../base/clock.ts';
import type { WatchedCache } from '../../kube/cache/types.ts';

/** Milliseconds between two checks of the watches. */
const checkMs = 10_000;

/**
 * The time since which the endpoint may miss changes in the API server: consumers, approvals, deletions. Values
 * grow old while it is away, as they do while a vault is away. A connection that hangs is found within three minutes.
 */
export class ClusterContact {
  readonly #caches: readonly Pick<WatchedCache, 'synced' | 'trouble'>[];
  readonly #clock: Clock;
  #lastAt: number;

  constructor(caches: readonly Pick<WatchedCache, 'synced' | 'trouble'>[], clock: Clock) {
    this.#caches = caches;
    this.#clock = clock;
    this.#lastAt = clock.now();
  }

  /** When all watches were last known to work, milliseconds since the epoch, and the problem since then. */
  last(): { readonly at: number; readonly problem: string | undefined } {
    const problem = this.#problem();
    return { at: problem === undefined ? this.#clock.now() : this.#lastAt, problem };
  }

  /** Checks the watches until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.#problem() === undefined) this.#lastAt = this.#clock.now();
      await this.#clock.sleep(checkMs, signal).catch(() => undefined);
    }
  }

  #problem(): string | undefined {
    for (const cache of this.#caches) {
      const trouble = cache.trouble() ?? (cache.synced ? undefined : 'the first list is not complete yet');
      if (trouble !== undefined) return `the API server does not answer: ${trouble}`;
    }
    return undefined;
  }
}
