import type { AccessToken } from '../../azure/types.ts';
import { backoff } from '../../base/backoff.ts';
import type { Clock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import { TimeCredit } from '../../base/isolation/time-credit.ts';
import type { Pod } from '../objects.ts';

/** Longest time for one token, retries included, milliseconds. */
const requestMs = 110_000;
const maxRetries = 2;
/** Longest pause before a retry, milliseconds; the caller retries after longer ones. */
const maxPauseMs = 2000;
/**
 * Most requests in progress for one pod. They continue when callers hang up, and each invented resource is one of its
 * own.
 */
const maxInProgress = 12;
/**
 * Milliseconds of its namespace's time that a request counts for; the daemon computes one to two, with the answer, the
 * log and the event.
 */
const requestCostMs = 2;
/** Most requests of one namespace at once, more than a node with 250 pods needs at its start; later ones 125 a second. */
const mostAtOnce = 1000;

/** A pod asks for more tokens at a time than it may. The same request may succeed a little later. */
export class TooManyTokenRequests extends AzimuthError {
  constructor() {
    const message = 'too many requests of the pod are waiting for tokens';
    super('AZ_AUTH_UNREACHABLE', message, { retryAfterMs: 1000 });
  }
}

/** Sends requests to Entra and IMDS: limited for each pod, each namespace, in time, and with retries. */
export class TokenRequests {
  readonly #clock: Clock;
  /** Count of requests in progress, by the uid of the pod that began them. */
  readonly #inProgress = new Map<string, number>();
  readonly #credit: TimeCredit;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#credit = new TimeCredit(clock, mostAtOnce * requestCostMs);
  }

  /** The token of `request`. Throws its error, or TooManyTokenRequests where too many requests of the pod wait. */
  async send(
    { metadata: { uid = '', namespace = '' } }: Pod,
    request: (limit: AbortSignal) => Promise<AccessToken>,
  ): Promise<AccessToken> {
    const count = this.#inProgress.get(uid) ?? 0;
    if (count >= maxInProgress) throw new TooManyTokenRequests();
    this.#inProgress.set(uid, count + 1);
    try {
      return await this.#withRetries(namespace, request);
    } finally {
      const left = (this.#inProgress.get(uid) ?? 1) - 1;
      if (left > 0) this.#inProgress.set(uid, left);
      else this.#inProgress.delete(uid);
    }
  }

  /** Retries transient errors for about two seconds; the IMDS client has its own retries before. */
  async #withRetries(namespace: string, request: (limit: AbortSignal) => Promise<AccessToken>): Promise<AccessToken> {
    const limit = AbortSignal.timeout(requestMs);
    for (let attempt = 0; ; attempt++) {
      await this.#turn(namespace, limit);
      try {
        return await request(limit);
      } catch (error) {
        const retryAfterMs = error instanceof AzimuthError ? error.retryAfterMs : undefined;
        const pauseMs = retryAfterMs || backoff(attempt, { initialMs: 250 });
        if (attempt >= maxRetries || !isTransient(error) || pauseMs > maxPauseMs) throw error;
        await this.#clock.sleep(pauseMs, limit);
      }
    }
  }

  /** Waits until the namespace may send one more request. */
  async #turn(namespace: string, limit: AbortSignal): Promise<void> {
    const waitMs = this.#credit.waitMs(namespace);
    this.#credit.spend(namespace, requestCostMs);
    if (waitMs > 0) await this.#clock.sleep(waitMs, limit);
  }
}

/** Whether the same request may succeed a little later: no answer, or one with Retry-After. */
export function isTransient(error: unknown): boolean {
  return error instanceof AzimuthError && error.code === 'AZ_AUTH_UNREACHABLE';
}
