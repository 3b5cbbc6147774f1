import { FairQueue } from './fair-queue.ts';

/** The limits of a semaphore; a weight is whatever the caller counts, such as 1 or a number of objects. */
export interface FairSemaphoreLimits {
  /** Largest sum of the weights that run at a time. */
  readonly total: number;
  /** Largest sum of one key, so that other keys find room beside it. Heavier work counts as this much. @default total */
  readonly perKey?: number;
  /** Largest number of calls of one key that wait. @default no limit */
  readonly waiting?: number;
  /** The error for a call beyond `waiting`. */
  readonly tooMany?: (key: string, waiting: number) => Error;
}

interface Call {
  readonly key: string;
  readonly weight: number;
  readonly start: () => void;
}

/** Limits the work that runs at a time. Keys, such as namespaces, are served in rotation, and each has its own limit. */
export class FairSemaphore {
  readonly #limits: FairSemaphoreLimits;
  readonly #perKey: number;
  readonly #waiting = new FairQueue<Call>();
  readonly #running = new Map<string, number>();
  #total = 0;

  constructor(limits: FairSemaphoreLimits) {
    this.#limits = limits;
    this.#perKey = limits.perKey ?? limits.total;
  }

  /**
   * Runs `work` once there is room. While it waits, throws the signal's reason; where too many calls of the key wait,
   * `tooMany`.
   */
  async run<T>(key: string, signal: AbortSignal | undefined, work: () => Promise<T>, weight = 1): Promise<T> {
    const counted = Math.min(weight, this.#perKey);
    await this.#enter(key, counted, signal);
    try {
      return await work();
    } finally {
      this.#occupy(key, -counted);
      this.#startNext();
    }
  }

  /** The sum of the weights that run now. */
  get inUse(): number {
    return this.#total;
  }

  /** Whether nothing runs and nothing waits. */
  get isIdle(): boolean {
    return this.#running.size === 0 && this.#waiting.size === 0;
  }

  /** Whether calls of other keys wait for room. */
  othersWait(key: string): boolean {
    return this.#waiting.size > this.#waiting.sizeOf(key);
  }

  #enter(key: string, weight: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const waiting = this.#waiting.sizeOf(key);
    const { waiting: limit = Number.POSITIVE_INFINITY, tooMany } = this.#limits;
    if (waiting >= limit) throw tooMany?.(key, waiting) ?? new Error(`${waiting} calls of ${key} wait already`);
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting.delete(key, call);
        reject(signal?.reason);
        this.#startNext();
      };
      const start = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const call: Call = { key, weight, start };
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting.add(key, call);
      this.#startNext();
    });
  }

  #startNext(): void {
    for (let call = this.#takeFitting(); call; call = this.#takeFitting()) {
      this.#occupy(call.key, call.weight);
      call.start();
    }
  }

  /** The next call for which there is room. Lighter calls must not overtake a heavy one, or it would wait for ever. */
  #takeFitting(): Call | undefined {
    let full = false;
    return this.#waiting.take((key, { weight }) => {
      if ((this.#running.get(key) ?? 0) + weight > this.#perKey) return false;
      full ||= this.#total + weight > this.#limits.total;
      return !full;
    });
  }

  #occupy(key: string, weight: number): void {
    const sum = (this.#running.get(key) ?? 0) + weight;
    if (sum > 0) this.#running.set(key, sum);
    else this.#running.delete(key);
    this.#total += weight;
  }
}
