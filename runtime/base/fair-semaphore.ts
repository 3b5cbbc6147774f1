import { FairQueue } from './fair-share.ts';

/** Lets so many in at a time. Those who wait are shared out by key, such as a namespace: keys take turns. */
export class FairSemaphore {
  readonly #waiting = new FairQueue<() => void>();
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** Runs `work` once there is room. Rejects with the signal's reason while it waits. */
  async run<T>(share: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(share, signal);
    try {
      return await work();
    } finally {
      const next = this.#waiting.take();
      if (next) next();
      else this.#free++;
    }
  }

  #enter(share: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      if (this.#free > 0) {
        this.#free--;
        resolve();
        return;
      }
      const abort = () => {
        this.#waiting.delete(share, enter);
        reject(signal.reason);
      };
      const enter = () => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.add(share, enter);
    });
  }
}
