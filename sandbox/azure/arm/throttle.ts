import { refuse } from '../exchange.ts';

/** The requests that share a bucket: three kinds of Resource Manager's, and all of Microsoft Graph's. */
export type ThrottleKind = 'reads' | 'writes' | 'deletes' | 'graph';

/** A token bucket. */
export interface Bucket {
  /** Requests that may come at once. */
  size: number;
  /** Requests per second that are added again. */
  refillPerSecond: number;
}

/**
 * Azure's figures per subscription, principal and region; global limits are fifteen times as high. Graph's are those of
 * an application in a small tenant, with one unit for every request.
 */
export const defaultThrottle: Record<ThrottleKind, Bucket> = {
  reads: { size: 250, refillPerSecond: 25 },
  writes: { size: 200, refillPerSecond: 10 },
  deletes: { size: 200, refillPerSecond: 10 },
  graph: { size: 3500, refillPerSecond: 350 },
};

/** Token buckets by subscription (Graph: by tenant), principal and kind of request. */
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
    const { left, seconds } = this.#take(kind, `${subscriptionId}/${principalId}`);
    if (seconds > 0) {
      throw refuse(
        429,
        'SubscriptionRequestsThrottled',
        `Number of '${kind}' requests for subscription '${subscriptionId}' exceeded the limit. Please try again after '${seconds}' seconds.`,
        {},
        { 'retry-after': String(seconds), [`x-ms-ratelimit-remaining-subscription-${kind}`]: '0' },
      );
    }
    return {
      [`x-ms-ratelimit-remaining-subscription-${kind}`]: String(left),
      [`x-ms-ratelimit-remaining-subscription-global-${kind}`]: String(left * 15),
    };
  }

  /** Takes one token for a request to Microsoft Graph, or refuses with 429 and Retry-After. */
  takeGraph(tenantId: string, clientId: string): void {
    const { seconds } = this.#take('graph', `${tenantId}/${clientId}`);
    if (seconds > 0) throw refuse(429, 'TooManyRequests', 'Too many requests.', {}, { 'retry-after': String(seconds) });
  }

  /** The whole tokens that are left, or the seconds until there is one. */
  #take(kind: ThrottleKind, caller: string): { left: number; seconds: number } {
    const { size, refillPerSecond } = this.limits[kind];
    const key = `${kind}/${caller}`;
    const now = this.#now();
    const bucket = this.#buckets.get(key) ?? { tokens: size, at: now };
    const tokens = Math.min(size, bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * refillPerSecond);
    const taken = tokens >= 1;
    this.#buckets.set(key, { tokens: taken ? tokens - 1 : tokens, at: now });
    if (taken) return { left: Math.floor(tokens - 1), seconds: 0 };
    return { left: 0, seconds: Math.max(1, Math.ceil((1 - tokens) / Math.max(refillPerSecond, 0.001))) };
  }

  reset(): void {
    this.#buckets.clear();
  }
}
