import { type Clock, systemClock } from '../base/clock.ts';
import { AzimuthError } from '../base/errors.ts';
import { counter, createMetrics, gauge, histogram, type Metrics } from '../base/metrics.ts';
import type { Headers } from './retry-after.ts';
import type { ArmMethod } from './types.ts';

/** ARM counts reads, deletes and all other writes apart. */
export type RequestClass = 'reads' | 'writes' | 'deletes';

export interface BucketKey {
  /** '' for requests at tenant level. */
  readonly subscriptionId: string;
  /** '' where it is not known: then one bucket serves all regions of the subscription. */
  readonly region: string;
  readonly requestClass: RequestClass;
}

export interface BucketSize {
  readonly capacity: number;
  readonly refillPerSecond: number;
}

export interface RateLimiterOptions {
  /** @default reads 250 + 25/s, writes 200 + 10/s, deletes 200 + 10/s: ARM's own figures per principal */
  readonly sizes?: Partial<Record<RequestClass, BucketSize>>;
  /** Longest wait in milliseconds before a request fails with AZ_ARM_THROTTLED. @default 60000 */
  readonly maxWaitMs?: number;
  readonly clock?: Clock;
  readonly metrics?: Metrics;
}

const defaultSizes: Record<RequestClass, BucketSize> = {
  reads: { capacity: 250, refillPerSecond: 25 },
  writes: { capacity: 200, refillPerSecond: 10 },
  deletes: { capacity: 200, refillPerSecond: 10 },
};

interface Bucket {
  readonly size: BucketSize;
  tokens: number;
  refilledAt: number;
  pausedUntil: number;
  /** Requests in line; each starts after the one before has gone or given up. */
  tail: Promise<unknown>;
  /** How many wait, for the bound. */
  waiting: number;
}

/** A token bucket per subscription, region and request class that the answers of ARM correct. */
export class RateLimiter {
  readonly #buckets = new Map<string, Bucket>();
  readonly #sizes: Record<RequestClass, BucketSize>;
  readonly #maxWaitMs: number;
  readonly #clock: Clock;
  readonly #waits;
  readonly #paused;
  readonly #remaining;

  constructor(options: RateLimiterOptions = {}) {
    this.#sizes = { ...defaultSizes, ...options.sizes };
    this.#maxWaitMs = options.maxWaitMs ?? 60_000;
    this.#clock = options.clock ?? systemClock;
    const metrics = options.metrics ?? createMetrics();
    this.#waits = histogram(metrics, {
      name: 'azimuth_arm_throttle_wait_seconds',
      help: 'Time that requests waited for their rate-limit bucket.',
      labelNames: ['class'],
      buckets: [0.01, 0.1, 1, 5, 15, 60],
    });
    this.#paused = counter(metrics, {
      name: 'azimuth_arm_throttled_total',
      help: 'Answers 429 that stopped a rate-limit bucket.',
      labelNames: ['class'],
    });
    this.#remaining = gauge(metrics, {
      name: 'azimuth_arm_remaining_requests',
      help: 'What ARM last said to be left of a limit (subscription, tenant or resource provider policy).',
      labelNames: ['subscription', 'limit'],
    });
  }

  /**
   * Resolves when a request may be sent, in order of arrival. Throws AZ_ARM_THROTTLED, with `retryAfterMs`, at once if
   * the wait would exceed the bound, and the signal's reason when it aborts.
   */
  async acquire(key: BucketKey, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const bucket = this.#bucket(key);
    const expectedWait = this.#waitOf(bucket, bucket.waiting + 1);
    if (expectedWait > this.#maxWaitMs) {
      throw new AzimuthError(
        'AZ_ARM_THROTTLED',
        `The budget of ${key.requestClass} of subscription ${key.subscriptionId || '(none)'} is used up for ` +
          `${Math.ceil(expectedWait / 1000)} s; the request was not sent`,
        { retryAfterMs: Math.ceil(expectedWait) },
      );
    }
    const started = this.#clock.now();
    const turn = bucket.tail.then(() => this.#take(bucket, signal));
    bucket.tail = turn.catch(() => undefined);
    bucket.waiting++;
    try {
      await abortable(turn, signal);
    } finally {
      bucket.waiting--;
    }
    this.#waits.observe({ class: key.requestClass }, Math.max(0, this.#clock.now() - started) / 1000);
  }

  async #take(bucket: Bucket, signal?: AbortSignal): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      const wait = this.#waitOf(bucket, 1);
      if (wait <= 0) break;
      await this.#clock.sleep(Math.ceil(wait), signal);
    }
    bucket.tokens--;
  }

  /** Milliseconds until the bucket can give `count` tokens. */
  #waitOf(bucket: Bucket, count: number): number {
    const now = this.#clock.now();
    const { capacity, refillPerSecond } = bucket.size;
    const elapsed = Math.max(0, now - bucket.refilledAt);
    bucket.tokens = Math.min(capacity, bucket.tokens + (elapsed / 1000) * refillPerSecond);
    bucket.refilledAt = now;
    const forTokens = bucket.tokens >= count ? 0 : ((count - bucket.tokens) / refillPerSecond) * 1000;
    return Math.max(forTokens, bucket.pausedUntil - now);
  }

  /**
   * Takes over what an answer says is left: x-ms-ratelimit-remaining-(subscription|tenant)[-global]-(reads|writes|deletes)
   * caps the bucket; a policy of x-ms-ratelimit-remaining-resource that is at 0 empties it.
   */
  observe(key: BucketKey, headers: Headers): void {
    const bucket = this.#bucket(key);
    for (const [name, value] of Object.entries(headers)) {
      const limit = /^x-ms-ratelimit-remaining-((?:subscription|tenant)(?:-global)?-(?:reads|writes|deletes))$/.exec(
        name,
      )?.[1];
      const left = Number.parseInt(value, 10);
      if (limit && Number.isFinite(left)) {
        this.#remaining.set({ subscription: key.subscriptionId, limit }, left);
        if (limit.endsWith(key.requestClass)) this.#cap(bucket, left);
      }
    }
    for (const [policy, left] of remainingResource(headers)) {
      this.#remaining.set({ subscription: key.subscriptionId, limit: policy }, left);
      if (left <= 0) this.#cap(bucket, 0);
    }
  }

  /** After a 429 about the budget: nothing more of this class goes out for `ms`. */
  pause(key: BucketKey, ms: number): void {
    const bucket = this.#bucket(key);
    bucket.pausedUntil = Math.max(bucket.pausedUntil, this.#clock.now() + ms);
    this.#cap(bucket, 0);
    this.#paused.inc({ class: key.requestClass });
  }

  #cap(bucket: Bucket, tokens: number): void {
    this.#waitOf(bucket, 0);
    bucket.tokens = Math.min(bucket.tokens, Math.max(0, tokens));
  }

  #bucket(key: BucketKey): Bucket {
    const id = `${key.subscriptionId}/${key.region}/${key.requestClass}`.toLowerCase();
    let bucket = this.#buckets.get(id);
    if (!bucket) {
      const size = this.#sizes[key.requestClass];
      const refilledAt = this.#clock.now();
      bucket = { size, tokens: size.capacity, refilledAt, pausedUntil: 0, tail: Promise.resolve(), waiting: 0 };
      this.#buckets.set(id, bucket);
    }
    return bucket;
  }
}

/** Rejects as soon as the signal aborts, though the promise itself may take longer. */
async function abortable(promise: Promise<void>, signal?: AbortSignal): Promise<void> {
  if (!signal) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** `Microsoft.Compute/PutVM3Min;237,Microsoft.Compute/PutVM30Min;1198` as pairs. */
function remainingResource(headers: Headers): [string, number][] {
  return (headers['x-ms-ratelimit-remaining-resource'] ?? '').split(',').flatMap((part): [string, number][] => {
    const [policy, count] = part.trim().split(';');
    const left = Number(count);
    return policy && count && Number.isFinite(left) ? [[policy, left]] : [];
  });
}

export function requestClassOf(method: ArmMethod): RequestClass {
  if (method === 'GET' || method === 'HEAD') return 'reads';
  return method === 'DELETE' ? 'deletes' : 'writes';
}
