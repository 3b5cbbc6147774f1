import { onAbort } from './abort.ts';

/** Lets so many in at a time; the others stand in line, first come first served. */
export class Semaphore {
  readonly #line = new Set<() => void>();
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves when there is room; who took a place gives it back. Rejects with the reason of a signal, having left the line. */
  take(signals: readonly AbortSignal[]): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#free > 0) {
        this.#free--;
        resolve();
        return;
      }
      const enter = () => {
        forget();
        resolve();
      };
      this.#line.add(enter);
      const forget = onAbort(signals, (reason) => {
        this.#line.delete(enter);
        reject(reason);
      });
    });
  }

  give(): void {
    const [next] = this.#line;
    if (next) {
      this.#line.delete(next);
      next();
    } else {
      this.#free++;
    }
  }
}
