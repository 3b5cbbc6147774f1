import { refuse } from '../exchange.ts';

/** The requests that share a bucket. */
export type ThrottleKind = 'reads' | 'writes' | 'deletes';

/** A token bucket. */
export interface Bucket {
  /** Requests that may come at once. */
  size: number;
  /** Requests per second that are added again. */
  refillPerSecond: number;
}

/** Azure's figures per subscription, principal and region; global limits are fifteen times as high. */
export const defaultThrottle: Record<ThrottleKind, Bucket> = {
  reads: { size: 250, refillPerSecond: 25 },
  writes: { size: 200, refillPerSecond: 10 },
  deletes: { size: 200, refillPerSecond: 10 },
};

/** Token buckets by subscription, principal and kind of request. */
export class Throttle {
  readonly limits: Record<ThrottleKind, Bucket>;
  readonly #now: () => number;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(limits: Record<ThrottleKind, Bucket>, now: () => number) {
    this.limits = limits;
    this.#now = now;
  }

  /** Takes one token; returns the headers with the remaining number, or refuses with 429 and Retry-After. */
  take(method: string, subscriptionId: string, principalId: string): Record<string, string> {
    const kind = method === 'GET' || method === 'HEAD' ? 'reads' : method === 'DELETE' ? 'deletes' : 'writes';
    const { size, refillPerSecond } = this.limits[kind];
    const key = `${subscriptionId}/${principalId}/${kind}`;
    const now = this.#now();
    const bucket = this.#buckets.get(key) ?? { tokens: size, at: now };
    const tokens = Math.min(size, bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * refillPerSecond);
    if (tokens < 1) {
      this.#buckets.set(key, { tokens, at: now });
      const seconds = Math.max(1, Math.ceil((1 - tokens) / Math.max(refillPerSecond, 0.001)));
      throw refuse(
        429,
        'SubscriptionRequestsThrottled',
        `Number of '${kind}' requests for subscription '${subscriptionId}' exceeded the limit. Please try again after '${seconds}' seconds.`,
        {},
        { 'retry-after': String(seconds), [`x-ms-ratelimit-remaining-subscription-${kind}`]: '0' },
      );
    }
    const left = tokens - 1;
    this.#buckets.set(key, { tokens: left, at: now });
    return {
      [`x-ms-ratelimit-remaining-subscription-${kind}`]: String(Math.floor(left)),
      [`x-ms-ratelimit-remaining-subscription-global-${kind}`]: String(Math.floor(left) * 15),
    };
  }

  reset(): void {
    this.#buckets.clear();
  }
}
