import { type Clock, systemClock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import type { Headers } from '../../base/http/retry-after.ts';
import { counter, createMetrics, gauge, histogram, type Metrics } from '../../base/observability/metrics.ts';
import type { BucketSize } from '../../base/scheduling/token-bucket.ts';
import type { ArmMethod } from '../types.ts';
import { RequestQueue } from './request-queue.ts';

/** ARM counts reads, deletes and all other writes apart. */
export type RequestClass = 'reads' | 'writes' | 'deletes';

/** The requests that share a token bucket, as ARM counts them. */
export interface BucketKey {
  /** Address of the cloud's Resource Manager. */
  readonly cloud: string;
  /** The description of the credential: ARM counts each principal apart, so nobody waits for another one's 429. */
  readonly principal: string;
  /** '' for requests at tenant level. */
  readonly subscriptionId: string;
  /** '' where it is not known: then one bucket serves all regions of the subscription. */
  readonly region: string;
  readonly requestClass: RequestClass;
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

/** Options of one request for a token. */
export interface AcquireOptions {
  readonly signal?: AbortSignal | undefined;
  /** A periodic read that no caller waits for: lets other requests go first. @default false */
  readonly background?: boolean | undefined;
  /** Whose request it is, such as a namespace. @default one share for all that name none */
  readonly share?: string | undefined;
}

/** Number of buckets from which on full ones are dropped. */
const sweepAt = 64;

/** Limits of one bucket that the metric has: a service that a tenant runs may report any number of them. */
const mostReported = 32;

interface Bucket {
  readonly key: BucketKey;
  readonly requests: RequestQueue;
  /** Limits whose remaining requests ARM has reported. */
  readonly reported: Set<string>;
}

/** A token bucket per principal, subscription, region and request class that the answers of ARM correct. */
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
      help: 'Answers 429 that stopped the requests of a namespace in a rate-limit bucket.',
      labelNames: ['class'],
    });
    this.#remaining = gauge(metrics, {
      name: 'azimuth_arm_remaining_requests',
      help: 'Requests that ARM last reported as left of a limit (subscription, tenant or resource provider policy).',
      labelNames: ['subscription', 'limit'],
    });
  }

  /**
   * Resolves when a request may be sent: shares in rotation, within one in order of arrival, and background requests
   * after the others. Throws
   * AZ_ARM_THROTTLED with `retryAfterMs` at once if the wait would be longer than `maxWaitMs`, and the signal's reason
   * when it aborts.
   */
  async acquire(key: BucketKey, { signal, background = false, share = '' }: AcquireOptions = {}): Promise<void> {
    signal?.throwIfAborted();
    const { requests } = this.#bucket(key);
    const expectedWait = requests.waitMs(requests.queued({ background, share }) + 1, share);
    if (expectedWait > this.#maxWaitMs) {
      throw new AzimuthError(
        'AZ_ARM_THROTTLED',
        `The budget of ${key.requestClass} of subscription ${key.subscriptionId || '(none)'} is used up for ` +
          `${Math.ceil(expectedWait / 1000)} s; the request was not sent`,
        { retryAfterMs: Math.ceil(expectedWait) },
      );
    }
    const started = this.#clock.now();
    await requests.take({ background, share }, signal);
    this.#waits.observe({ class: key.requestClass }, Math.max(0, this.#clock.now() - started) / 1000);
  }

  /** Buckets in memory. */
  get size(): number {
    return this.#buckets.size;
  }

  /**
   * Applies the remaining requests that an answer to this share reports. A header
   * x-ms-ratelimit-remaining-(subscription|tenant)[-global]-(reads|writes|deletes) caps the bucket; a policy of
   * x-ms-ratelimit-remaining-resource at 0 empties it. A service that one namespace runs may have sent the headers: the
   * bucket keeps a token for others, and 0 makes this share alone wait.
   */
  observe(key: BucketKey, headers: Headers, share = ''): void {
    const bucket = this.#bucket(key);
    const cap = (left: number) => {
      bucket.requests.cap(Math.max(1, left));
      if (left <= 0) bucket.requests.pause(1000 / this.#sizes[key.requestClass].refillPerSecond, share);
    };
    for (const [name, value] of Object.entries(headers)) {
      const limit = /^x-ms-ratelimit-remaining-((?:subscription|tenant)(?:-global)?-(?:reads|writes|deletes))$/.exec(
        name,
      )?.[1];
      const left = Number.parseInt(value, 10);
      if (limit && Number.isFinite(left)) {
        this.#report(bucket, limit, left);
        if (limit.endsWith(key.requestClass)) cap(left);
      }
    }
    for (const [policy, left] of remainingResource(headers)) {
      this.#report(bucket, policy, left);
      if (left <= 0) cap(0);
    }
  }

  #report({ key, reported }: Bucket, limit: string, left: number): void {
    if (!reported.has(limit) && reported.size >= mostReported) return;
    this.#remaining.set({ subscription: key.subscriptionId, limit }, left);
    reported.add(limit);
  }

  /** After a 429 about the budget: sends no request of this class and share for `ms`. */
  pause(key: BucketKey, ms: number, share = ''): void {
    this.#bucket(key).requests.pause(ms, share);
    this.#paused.inc({ class: key.requestClass });
  }

  #bucket(key: BucketKey): Bucket {
    const { cloud, principal, subscriptionId, region, requestClass } = key;
    const id = [cloud, principal, subscriptionId, region, requestClass].join('/').toLowerCase();
    let bucket = this.#buckets.get(id);
    if (!bucket) {
      if (this.#buckets.size >= this.#sweepAt) this.#sweep();
      const requests = new RequestQueue(this.#sizes[key.requestClass], this.#clock);
      bucket = { key, requests, reported: new Set() };
      this.#buckets.set(id, bucket);
    }
    return bucket;
  }

  /** Drops full buckets, which equal new ones. Runs often enough that at most half of the buckets in memory are idle. */
  #sweep(): void {
    for (const [id, { key, requests, reported }] of this.#buckets) {
      if (!requests.isIdle()) continue;
      this.#buckets.delete(id);
      for (const limit of reported) this.#remaining.remove({ subscription: key.subscriptionId, limit });
    }
    this.#sweepAt = Math.max(sweepAt, 2 * this.#buckets.size);
  }
}

const policyForm = /^[A-Za-z0-9.]{1,64}\/[A-Za-z0-9]{1,64}$/;

/** `Microsoft.Compute/PutVM3Min;237,Microsoft.Compute/PutVM30Min;1198` as pairs. */
function remainingResource(headers: Headers): [string, number][] {
  return (headers['x-ms-ratelimit-remaining-resource'] ?? '').split(',').flatMap((part): [string, number][] => {
    const [policy, count] = part.trim().split(';');
    const left = Number(count);
    return policy && policyForm.test(policy) && count && Number.isFinite(left) ? [[policy, left]] : [];
  });
}

/** The class of requests that ARM counts a method under. */
export function requestClassOf(method: ArmMethod): RequestClass {
  if (method === 'GET' || method === 'HEAD') return 'reads';
  return method === 'DELETE' ? 'deletes' : 'writes';
}
