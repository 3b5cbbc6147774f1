import { FairQueue } from './fair-queue.ts';

/** Longest time without a pause for timers and sockets, milliseconds. */
const sliceMs = 8;

/**
 * Short pieces of computing that are shared out by key, such as a namespace: keys rotate, and other work of the
 * process continues between slices. A piece that is added again before it ran replaces the earlier one.
 */
export class FairWork {
  readonly #queue = new FairQueue<string>();
  readonly #pieces = new Map<string, () => void>();
  readonly #idle = new Set<() => void>();
  #scheduled = false;
  #sequence = 0;

  /** Pieces waiting. */
  get size(): number {
    return this.#pieces.size;
  }

  /** `run` must not throw. */
  add(share: string, id: string, run: () => void): void {
    this.#pieces.set(id, run);
    this.#queue.add(share, id);
    this.#schedule();
  }

  /** The result of a piece that is not replaced by others. Rejects with what it throws. */
  async result<T>(share: string, id: string, compute: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.add(share, `${id} ${this.#sequence++}`, () => {
        try {
          resolve(compute());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /** Resolves once nothing waits. */
  async whenIdle(): Promise<void> {
    if (this.#pieces.size === 0) return;
    await new Promise<void>((resolve) => this.#idle.add(resolve));
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#slice());
  }

  #slice(): void {
    this.#scheduled = false;
    const end = performance.now() + sliceMs;
    do {
      const id = this.#queue.take();
      if (id === undefined) break;
      const run = this.#pieces.get(id);
      this.#pieces.delete(id);
      run?.();
    } while (performance.now() < end);
    if (this.#pieces.size > 0) {
      this.#schedule();
      return;
    }
    for (const resolve of this.#idle) resolve();
    this.#idle.clear();
  }
}
