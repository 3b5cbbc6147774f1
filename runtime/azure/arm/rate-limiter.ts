import { type Clock, systemClock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import type { Headers } from '../../base/http/retry-after.ts';
import { counter, createMetrics, gauge, histogram, type Metrics } from '../../base/observability/metrics.ts';
import type { ArmMethod } from '../types.ts';

/** ARM counts reads, deletes and all other writes apart. */
export type RequestClass = 'reads' | 'writes' | 'deletes';

/** The requests that share a token bucket, as ARM counts them. */
export interface BucketKey {
  /** '' for requests at tenant level. */
  readonly subscriptionId: string;
  /** '' where it is not known: then one bucket serves all regions of the subscription. */
  readonly region: string;
  readonly requestClass: RequestClass;
}

/** Size and refill of a token bucket, in requests. */
export interface BucketSize {
  readonly capacity: number;
  readonly refillPerSecond: number;
}

/** Options of a RateLimiter. */
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

/** One token in so many goes to the oldest request, so that a rush delays periodic reads and does not starve them. */
const fairEvery = 8;
/** Buckets from which on those are looked for that are as good as new. */
const sweepAt = 64;

/** Options of one request for a token. */
export interface AcquireOptions {
  readonly signal?: AbortSignal | undefined;
  /** A periodic read that no caller waits for: lets other requests go first. @default false */
  readonly background?: boolean | undefined;
}

interface Turn {
  readonly background: boolean;
  readonly go: () => void;
}

interface Bucket {
  readonly key: BucketKey;
  readonly size: BucketSize;
  tokens: number;
  refilledAt: number;
  pausedUntil: number;
  /** Who waits, in order of arrival. */
  line: Turn[];
  taken: number;
  /** Ends the sleep until the next token; present while requests wait. */
  serving: AbortController | undefined;
  /** Limits whose remaining requests ARM has reported. */
  readonly reported: Set<string>;
}

/** A token bucket per subscription, region and request class that the answers of ARM correct. */
export class RateLimiter {
  readonly #buckets = new Map<string, Bucket>();
  #sweepAt = sweepAt;
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
      help: 'Requests that ARM last reported as left of a limit (subscription, tenant or resource provider policy).',
      labelNames: ['subscription', 'limit'],
    });
  }

  /**
   * Resolves when a request may be sent: in order of arrival, but what is in the background comes after the rest. Throws
   * AZ_ARM_THROTTLED, with `retryAfterMs`, at once if the wait would exceed the bound, and the signal's reason when it aborts.
   */
  async acquire(key: BucketKey, { signal, background = false }: AcquireOptions = {}): Promise<void> {
    signal?.throwIfAborted();
    const bucket = this.#bucket(key);
    const ahead = background ? bucket.line : bucket.line.filter((turn) => !turn.background);
    const expectedWait = this.#waitOf(bucket, ahead.length + 1);
    if (expectedWait > this.#maxWaitMs) {
      throw new AzimuthError(
        'AZ_ARM_THROTTLED',
        `The budget of ${key.requestClass} of subscription ${key.subscriptionId || '(none)'} is used up for ` +
          `${Math.ceil(expectedWait / 1000)} s; the request was not sent`,
        { retryAfterMs: Math.ceil(expectedWait) },
      );
    }
    const started = this.#clock.now();
    await this.#turn(bucket, background, signal);
    this.#waits.observe({ class: key.requestClass }, Math.max(0, this.#clock.now() - started) / 1000);
  }

  #turn(bucket: Bucket, background: boolean, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn: Turn = {
        background,
        go: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = () => {
        bucket.line = bucket.line.filter((other) => other !== turn);
        if (bucket.line.length === 0) {
          bucket.serving?.abort();
          bucket.serving = undefined;
        }
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      bucket.line.push(turn);
      if (!bucket.serving) void this.#serve(bucket);
    });
  }

  /** Gives tokens to waiting requests until none waits. */
  async #serve(bucket: Bucket): Promise<void> {
    const serving = new AbortController();
    bucket.serving = serving;
    while (bucket.serving === serving && bucket.line.length > 0) {
      const wait = this.#waitOf(bucket, 1);
      if (wait > 0) await this.#clock.sleep(Math.ceil(wait), serving.signal).catch(() => undefined);
      else this.#give(bucket);
    }
    if (bucket.serving === serving) bucket.serving = undefined;
  }

  #give(bucket: Bucket): void {
    const fair = bucket.taken++ % fairEvery === fairEvery - 1;
    const first = fair ? 0 : bucket.line.findIndex((turn) => !turn.background);
    const [turn] = bucket.line.splice(Math.max(0, first), 1);
    bucket.tokens--;
    turn?.go();
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

  /** Buckets in memory. */
  get size(): number {
    return this.#buckets.size;
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
        this.#report(bucket, limit, left);
        if (limit.endsWith(key.requestClass)) this.#cap(bucket, left);
      }
    }
    for (const [policy, left] of remainingResource(headers)) {
      this.#report(bucket, policy, left);
      if (left <= 0) this.#cap(bucket, 0);
    }
  }

  #report({ key, reported }: Bucket, limit: string, left: number): void {
    this.#remaining.set({ subscription: key.subscriptionId, limit }, left);
    reported.add(limit);
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
      if (this.#buckets.size >= this.#sweepAt) this.#sweep();
      const size = this.#sizes[key.requestClass];
      bucket = {
        key,
        size,
        tokens: size.capacity,
        refilledAt: this.#clock.now(),
        pausedUntil: 0,
        line: [],
        taken: 0,
        serving: undefined,
        reported: new Set(),
      };
      this.#buckets.set(id, bucket);
    }
    return bucket;
  }

  /** A bucket that is full again is as good as none. Often enough that what is kept is at most twice what is in use. */
  #sweep(): void {
    for (const [id, bucket] of this.#buckets) {
      if (bucket.line.length > 0 || this.#waitOf(bucket, bucket.size.capacity) > 0) continue;
      this.#buckets.delete(id);
      const { subscriptionId: subscription } = bucket.key;
      for (const limit of bucket.reported) this.#remaining.remove({ subscription, limit });
    }
    this.#sweepAt = Math.max(sweepAt, 2 * this.#buckets.size);
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

/** The class of requests that ARM counts a method under. */
export function requestClassOf(method: ArmMethod): RequestClass {
  if (method === 'GET' || method === 'HEAD') return 'reads';
  return method === 'DELETE' ? 'deletes' : 'writes';
}
