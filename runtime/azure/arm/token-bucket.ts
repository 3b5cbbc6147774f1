import type { Clock } from '../../base/clock.ts';

/** Size and refill of a token bucket, in requests. */
export interface BucketSize {
  readonly capacity: number;
  readonly refillPerSecond: number;
}

/** One token in so many goes to the oldest request, so that background requests are delayed but never starved. */
const fairEvery = 8;

interface QueuedRequest {
  readonly background: boolean;
  readonly send: () => void;
}

/** A token bucket with a queue of waiting requests, in which background requests come after the others. */
export class TokenBucket {
  readonly #size: BucketSize;
  readonly #clock: Clock;
  #tokens: number;
  #refilledAt: number;
  #pausedUntil = 0;
  /** Waiting requests in order of arrival. */
  #queue: QueuedRequest[] = [];
  /** Tokens that were taken so far. */
  #taken = 0;
  /** Ends the sleep until the next token; present while requests wait. */
  #draining: AbortController | undefined;

  /** A full bucket. */
  constructor(size: BucketSize, clock: Clock) {
    this.#size = size;
    this.#clock = clock;
    this.#tokens = size.capacity;
    this.#refilledAt = clock.now();
  }

  /** Waiting requests that come before a new one. */
  queued(background: boolean): number {
    return background ? this.#queue.length : this.#queue.filter((request) => !request.background).length;
  }

  /** Whether the bucket equals a new one: full, not paused, and without a queue. */
  isIdle(): boolean {
    return this.#queue.length === 0 && this.waitMs(this.#size.capacity) <= 0;
  }

  /** Milliseconds until the bucket has `count` tokens; zero or less if it has them. */
  waitMs(count: number): number {
    const now = this.#clock.now();
    const { capacity, refillPerSecond } = this.#size;
    const elapsed = Math.max(0, now - this.#refilledAt);
    this.#tokens = Math.min(capacity, this.#tokens + (elapsed / 1000) * refillPerSecond);
    this.#refilledAt = now;
    const forTokens = this.#tokens >= count ? 0 : ((count - this.#tokens) / refillPerSecond) * 1000;
    return Math.max(forTokens, this.#pausedUntil - now);
  }

  /** Waits for a token and takes it. Throws the signal's reason when it aborts. */
  take(background: boolean, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const request: QueuedRequest = {
        background,
        send: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = () => {
        this.#queue = this.#queue.filter((other) => other !== request);
        if (this.#queue.length === 0) {
          this.#draining?.abort();
          this.#draining = undefined;
        }
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#queue.push(request);
      if (!this.#draining) void this.#drain();
    });
  }

  /** Gives no token for `ms`, and drops the tokens at hand. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.now() + ms);
    this.cap(0);
  }

  /** Leaves at most `tokens` in the bucket. */
  cap(tokens: number): void {
    this.waitMs(0);
    this.#tokens = Math.min(this.#tokens, Math.max(0, tokens));
  }

  /** Gives tokens to waiting requests until the queue is empty. */
  async #drain(): Promise<void> {
    const draining = new AbortController();
    this.#draining = draining;
    while (this.#draining === draining && this.#queue.length > 0) {
      const wait = this.waitMs(1);
      if (wait > 0) await this.#clock.sleep(Math.ceil(wait), draining.signal).catch(() => undefined);
      else this.#sendNext();
    }
    if (this.#draining === draining) this.#draining = undefined;
  }

  #sendNext(): void {
    const fair = this.#taken++ % fairEvery === fairEvery - 1;
    const first = fair ? 0 : this.#queue.findIndex((request) => !request.background);
    const [next] = this.#queue.splice(Math.max(0, first), 1);
    this.#tokens--;
    next?.send();
  }
}
