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
  #pausedUntil = 0;
  /** The functions that send the waiting requests. */
  readonly #changes = new FairQueue<() => void>();
  readonly #background = new FairQueue<() => void>();
  /** Tokens that were taken so far. */
  #taken = 0;
  /** Ends the sleep until the next token; present while requests wait. */
  #draining: AbortController | undefined;

  /** A queue on a full bucket. */
  constructor(size: BucketSize, clock: Clock) {
    this.#clock = clock;
    this.#bucket = new TokenBucket(size, clock.now());
  }

  /** Waiting requests that come before a new one. */
  queued({ background, share }: QueuedAs): number {
    return background ? this.#changes.size + this.#background.before(share) : this.#changes.before(share);
  }

  /** Whether the queue equals a new one: the bucket is full and not paused, and no request waits. */
  isIdle(): boolean {
    const now = this.#clock.now();
    return this.#size === 0 && this.#pausedUntil <= now && this.#bucket.isFull(now);
  }

  /** Milliseconds until the bucket has `count` tokens; 0 if it has them. */
  waitMs(count: number): number {
    const now = this.#clock.now();
    return Math.max(this.#bucket.waitMs(now, count), this.#pausedUntil - now);
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
        if (this.#size === 0) {
          this.#draining?.abort();
          this.#draining = undefined;
        }
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      queue.add(share, send);
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
    this.#bucket.cap(this.#clock.now(), tokens);
  }

  /** Gives tokens to waiting requests until the queue is empty. */
  async #drain(): Promise<void> {
    const draining = new AbortController();
    this.#draining = draining;
    while (this.#draining === draining && this.#size > 0) {
      const wait = this.waitMs(1);
      if (wait > 0) await this.#clock.sleep(Math.ceil(wait), draining.signal).catch(() => undefined);
      else this.#sendNext();
    }
    if (this.#draining === draining) this.#draining = undefined;
  }

  #sendNext(): void {
    const fair = this.#taken++ % fairEvery === fairEvery - 1;
    const [first, second] = fair ? [this.#background, this.#changes] : [this.#changes, this.#background];
    const send = first.take() ?? second.take();
    this.#bucket.take(this.#clock.now());
    send?.();
  }

  get #size(): number {
    return this.#changes.size + this.#background.size;
  }
}
