import type { Clock } from '../clock.ts';
import { TokenBucket } from '../scheduling/token-bucket.ts';

/** The share of real time by which the credit of a namespace grows. */
const share = 0.25;
/** Milliseconds of credit with which a namespace may compute. */
const leastMs = 0.000_001;
/** Beyond this number of entries, full ones are dropped. */
const maxEntries = 1000;

/** The computing time that each namespace may still use: a token bucket of milliseconds. */
export class TimeCredit {
  readonly #clock: Clock;
  readonly #mostMs: number;
  readonly #buckets = new Map<string, TokenBucket>();

  /** `mostMs`: milliseconds of computing that a namespace may use at once. */
  constructor(clock: Clock, mostMs = 5000) {
    this.#clock = clock;
    this.#mostMs = mostMs;
  }

  /** Milliseconds until the namespace may compute again; 0 if it may now. */
  waitMs(namespace: string): number {
    const now = this.#clock.monotonic();
    const bucket = this.#buckets.get(namespace);
    // Once it has used up its credit, it waits for a whole millisecond.
    return !bucket || bucket.waitMs(now, leastMs) === 0 ? 0 : bucket.waitMs(now, 1);
  }

  /** Subtracts the used time; the credit may become negative. */
  spend(namespace: string, ms: number): void {
    const now = this.#clock.monotonic();
    const size = { capacity: this.#mostMs, refillPerSecond: 1000 * share };
    const bucket = this.#buckets.get(namespace) ?? new TokenBucket(size, now);
    this.#buckets.set(namespace, bucket);
    bucket.take(now, ms);
    if (this.#buckets.size <= maxEntries) return;
    for (const [each, other] of this.#buckets) if (other.isFull(now)) this.#buckets.delete(each);
  }
}
