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

interface Item {
  readonly weight: number;
  readonly start: () => void;
}

/** Limits the work that runs at a time. Keys, such as namespaces, are served in rotation, and each has its own limit. */
export class FairSemaphore {
  readonly #limits: FairSemaphoreLimits;
  readonly #perKey: number;
  /** In the order of rotation: the key that was served goes to the end. */
  readonly #waiting = new Map<string, Set<Item>>();
  readonly #running = new Map<string, number>();
  #total = 0;

  constructor(limits: FairSemaphoreLimits) {
    this.#limits = limits;
    this.#perKey = limits.perKey ?? limits.total;
  }

  /** Runs `work` once there is room. While it waits, throws the signal's reason; where too much of the key waits, `tooMany`. */
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

  #enter(key: string, weight: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const items = this.#waiting.get(key) ?? new Set<Item>();
    const { waiting = Number.POSITIVE_INFINITY, tooMany } = this.#limits;
    if (items.size >= waiting)
      throw tooMany?.(key, items.size) ?? new Error(`${items.size} calls of ${key} wait already`);
    return new Promise((resolve, reject) => {
      const abort = () => {
        items.delete(item);
        if (items.size === 0) this.#waiting.delete(key);
        reject(signal?.reason);
        this.#startNext();
      };
      const start = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const item: Item = { weight, start };
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting.set(key, items.add(item));
      this.#startNext();
    });
  }

  #startNext(): void {
    for (const [key, items] of this.#waiting) {
      const [item] = items;
      if (!item || (this.#running.get(key) ?? 0) + item.weight > this.#perKey) continue;
      // Lighter items must not overtake a heavy one, or it would wait for ever.
      if (this.#total + item.weight > this.#limits.total) return;
      items.delete(item);
      this.#waiting.delete(key);
      // The loop reaches the key again after the others.
      if (items.size > 0) this.#waiting.set(key, items);
      this.#occupy(key, item.weight);
      item.start();
    }
  }

  #occupy(key: string, weight: number): void {
    const sum = (this.#running.get(key) ?? 0) + weight;
    if (sum > 0) this.#running.set(key, sum);
    else this.#running.delete(key);
    this.#total += weight;
  }
}
