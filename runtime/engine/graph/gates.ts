import { type BucketSize, type BucketUse, TokenBucket } from '../../base/scheduling/token-bucket.ts';

/** A limit that an effect passes when it starts. */
export interface Gate {
  readonly id: string;
  /** Milliseconds until the gate may let one effect through: 0 for now, Infinity until an effect ends. */
  waitMs(now: number): number;
  /** Counts an effect that starts. */
  take(now: number): void;
}

/** Buckets in memory from which on full ones are dropped. */
const sweepAt = 1024;

/**
 * The token buckets of a process, by key. All are empty at the start, because the process before may have used them up:
 * whatever is killed and started again, no more requests are sent than one process might send.
 */
export class TokenBuckets {
  readonly #startedAt: number;
  readonly #buckets = new Map<string, TokenBucket>();
  #sweepAt = sweepAt;

  /** `startedAt` is the start of the process, milliseconds of the clock that the callers use. */
  constructor(startedAt: number) {
    this.#startedAt = startedAt;
  }

  /** Buckets in memory. */
  get size(): number {
    return this.#buckets.size;
  }

  /** The gate of a bucket. */
  gate({ key, size }: BucketUse): Gate {
    return {
      id: key,
      waitMs: (now) => this.#bucket(key, size, now).waitMs(now),
      take: (now) => this.#bucket(key, size, now).take(now),
    };
  }

  #bucket(key: string, size: BucketSize, now: number): TokenBucket {
    const tokenBucket = this.#buckets.get(key);
    if (tokenBucket) return tokenBucket;
    if (this.#buckets.size >= this.#sweepAt) this.#sweep(now);
    const bucket = new TokenBucket(size, this.#startedAt, 0);
    this.#buckets.set(key, bucket);
    return bucket;
  }

  /** Drops full buckets: once a bucket is full, a new one is full too. */
  #sweep(now: number): void {
    for (const [key, bucket] of this.#buckets) if (bucket.isFull(now)) this.#buckets.delete(key);
    this.#sweepAt = Math.max(sweepAt, 2 * this.#buckets.size);
  }
}
