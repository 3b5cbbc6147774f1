/** Size and refill of a token bucket, in requests. */
export interface BucketSize {
  readonly capacity: number;
  readonly refillPerSecond: number;
}

/** A token bucket that a request takes from, such as that of a subscription and region. */
export interface BucketUse {
  /** Buckets with one key are one bucket. */
  readonly key: string;
  readonly size: BucketSize;
}

/** Sums of fractions may miss a whole token by less than this. */
const tolerance = 1e-9;

/**
 * The arithmetic of a token bucket that refills continuously. It has no clock: the caller passes the time in
 * milliseconds, always of the same clock. When that clock goes back, no token comes in until it moves on.
 */
export class TokenBucket {
  readonly #size: BucketSize;
  #tokens: number;
  #refilledAt: number;

  /** A bucket with so many tokens at that time. @default tokens full */
  constructor(size: BucketSize, now: number, tokens: number = size.capacity) {
    this.#size = size;
    this.#tokens = tokens;
    this.#refilledAt = now;
  }

  /** Whole milliseconds until `count` tokens have come in; 0 if they are there. More than the capacity may be asked for. */
  waitMs(now: number, count = 1): number {
    this.#refill(now);
    const lacking = count - this.#tokens;
    if (lacking <= tolerance) return 0;
    return Math.ceil(((lacking - tolerance / 2) / this.#size.refillPerSecond) * 1000);
  }

  /** Takes tokens. A caller that did not wait for them leaves a debt. */
  take(now: number, count = 1): void {
    this.#refill(now);
    this.#tokens -= count;
  }

  /** Leaves at most so many tokens. */
  cap(now: number, tokens: number): void {
    this.#refill(now);
    this.#tokens = Math.min(this.#tokens, Math.max(0, tokens));
  }

  /** Whether the bucket is full. */
  isFull(now: number): boolean {
    return this.waitMs(now, this.#size.capacity) === 0;
  }

  #refill(now: number): void {
    const { capacity, refillPerSecond } = this.#size;
    const elapsed = Math.max(0, now - this.#refilledAt);
    this.#tokens = Math.min(capacity, this.#tokens + (elapsed / 1000) * refillPerSecond);
    this.#refilledAt = now;
  }
}
