import type { Clock } from '../../base/clock.ts';
import { FairQueue } from '../../base/fairness/fair-queue.ts';
import { type BucketSize, TokenBucket } from '../../base/scheduling/token-bucket.ts';

/** One token in so many goes to a background request, so that they are delayed but never starved. */
const fairEvery = 8;

/** Which request waits. */
export interface QueuedAs {
  readonly background: boolean;
  /** Whose request it is, such as a namespace. */
  readonly share: string;
}

/** Requests that wait for the tokens of one bucket: shares in rotation, and background requests after the others. */
export class RequestQueue {
  readonly #clock: Clock;
  readonly #bucket: TokenBucket;
  /** When the pause of a share ends, in milliseconds since the epoch. */
  readonly #pausedUntil = new Map<string, number>();
  /** The functions that send the waiting requests. */
  readonly #changes = new FairQueue<() => void>();
  readonly #background = new FairQueue<() => void>();
  /** Tokens that were taken so far. */
  #taken = 0;
  /** Ends the sleep until the next request may go; present while one sleeps. */
  #sleep: AbortController | undefined;
  #isDraining = false;

  /** A queue on a full bucket. */
  constructor(size: BucketSize, clock: Clock) {
    this.#clock = clock;
    this.#bucket = new TokenBucket(size, clock.now());
  }

  /** Waiting requests that come before a new one. */
  queued({ background, share }: QueuedAs): number {
    return background ? this.#changes.size + this.#background.before(share) : this.#changes.before(share);
  }

  /** Whether the queue equals a new one: the bucket is full, no share is paused, and no request waits. */
  isIdle(): boolean {
    const now = this.#clock.now();
    return this.#size === 0 && this.#pausedShares(now) === 0 && this.#bucket.isFull(now);
  }

  /** Milliseconds until the bucket has `count` tokens and the share may have one; 0 if so now. */
  waitMs(count: number, share: string): number {
    const now = this.#clock.now();
    return Math.max(this.#bucket.waitMs(now, count), this.#pauseOf(share) - now, 0);
  }

  /** Waits for a token and takes it. Throws the signal's reason when it aborts. */
  take({ background, share }: QueuedAs, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = background ? this.#background : this.#changes;
      const send = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        queue.delete(share, send);
        if (this.#size === 0) this.#sleep?.abort();
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      queue.add(share, send);
      if (!this.#isDraining) void this.#drain();
      // All others that wait may be paused.
      else if (this.#pausedUntil.size > 0) this.#sleep?.abort();
    });
  }

  /**
   * Gives the share no token for `ms`. Others are not paused: a service that one namespace runs may have sent the 429,
   * and where the budget is empty, each share gets its own.
   */
  pause(ms: number, share: string): void {
    const now = this.#clock.now();
    this.#pausedShares(now);
    this.#pausedUntil.set(share, Math.max(this.#pauseOf(share), now + ms));
  }

  /** Leaves at most `tokens` in the bucket. */
  cap(tokens: number): void {
    this.#bucket.cap(this.#clock.now(), tokens);
  }

  /** Gives tokens to waiting requests until the queue is empty. */
  async #drain(): Promise<void> {
    this.#isDraining = true;
    while (this.#size > 0) {
      const now = this.#clock.now();
      const wait = Math.max(this.#bucket.waitMs(now, 1), this.#firstPauseEnd(now) - now);
      if (wait <= 0) this.#sendNext(now);
      else {
        this.#sleep = new AbortController();
        await this.#clock.sleep(Math.ceil(wait), this.#sleep.signal).catch(() => undefined);
        this.#sleep = undefined;
      }
    }
    this.#isDraining = false;
  }

  #sendNext(now: number): void {
    const fair = this.#taken++ % fairEvery === fairEvery - 1;
    const [first, second] = fair ? [this.#background, this.#changes] : [this.#changes, this.#background];
    const mayGo = (share: string) => this.#pauseOf(share) <= now;
    const send = first.take(mayGo) ?? second.take(mayGo);
    this.#bucket.take(now);
    send?.();
  }

  #pauseOf(share: string): number {
    return this.#pausedUntil.get(share) ?? 0;
  }

  /** When the first share of which a request waits may send one; in the past where one may now. */
  #firstPauseEnd(now: number): number {
    if (this.#pausedShares(now) === 0) return now;
    const shares = [...this.#changes.keys(), ...this.#background.keys()];
    return Math.min(...shares.map((share) => this.#pauseOf(share)));
  }

  /** Forgets pauses that are over. Returns the number of the others. */
  #pausedShares(now: number): number {
    for (const [share, until] of this.#pausedUntil) if (until <= now) this.#pausedUntil.delete(share);
    return this.#pausedUntil.size;
  }

  get #size(): number {
    return this.#changes.size + this.#background.size;
  }
}
