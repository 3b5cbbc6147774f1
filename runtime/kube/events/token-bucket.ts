import type { Clock } from '../../base/clock.ts';

/** Size and refill of a token bucket. */
export interface TokenBucketOptions {
  readonly clock: Clock;
  /** Tokens that come in per second. */
  readonly perSecond: number;
  /** Tokens there are at first and at most. */
  readonly burst: number;
}

/** Lets a burst through at once and the rest at a steady rate. For one taker at a time. */
export class TokenBucket {
  readonly #options: TokenBucketOptions;
  #tokens: number;
  #filled: number;

  constructor(options: TokenBucketOptions) {
    this.#options = options;
    this.#tokens = options.burst;
    this.#filled = options.clock.monotonic();
  }

  /** Waits for a token; rejects with the signal's reason. */
  async take(signal?: AbortSignal): Promise<void> {
    const { clock, perSecond, burst } = this.#options;
    for (;;) {
      signal?.throwIfAborted();
      const now = clock.monotonic();
      this.#tokens = Math.min(burst, this.#tokens + ((now - this.#filled) / 1000) * perSecond);
      this.#filled = now;
      if (this.#tokens >= 1) break;
      await clock.sleep(Math.ceil(((1 - this.#tokens) / perSecond) * 1000), signal);
    }
    this.#tokens -= 1;
  }
}
