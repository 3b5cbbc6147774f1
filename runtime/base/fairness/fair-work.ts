import { type Clock, systemClock } from '../clock.ts';
import { FairQueue } from './fair-queue.ts';

/** How the computing is bounded. */
export interface FairWorkOptions {
  /** @default the clock of the machine */
  readonly clock?: Clock;
  /** Longest time without a pause for timers and sockets, milliseconds; 0: one piece at a time. @default 8 */
  readonly sliceMs?: number;
  /** The part of the time that one key may compute, above 0. @default 1 */
  readonly timeShare?: number;
}

/**
 * Short pieces of computing that are shared out by key, such as a namespace: keys rotate, and other work of the
 * process continues between slices. A piece that is added again before it ran replaces the earlier one.
 */
export class FairWork {
  readonly #options: Required<FairWorkOptions>;
  readonly #queue = new FairQueue<string>();
  readonly #pieces = new Map<string, { readonly key: string; readonly run: () => void }>();
  /** When the next piece of a key may start, in monotonic milliseconds. */
  readonly #pausedUntil = new Map<string, number>();
  /** Pieces that each caller of `whenDone` waits for. */
  readonly #awaited = new Set<{ readonly left: Set<string>; readonly resolve: () => void }>();
  #scheduled = false;
  #resuming = false;
  #sequence = 0;

  constructor({ clock = systemClock, sliceMs = 8, timeShare = 1 }: FairWorkOptions = {}) {
    this.#options = { clock, sliceMs, timeShare };
  }

  /** Pieces waiting. */
  get size(): number {
    return this.#pieces.size;
  }

  /** `run` must not throw. */
  add(key: string, id: string, run: () => void): void {
    this.#pieces.set(id, { key, run });
    this.#queue.add(key, id);
    this.#schedule();
  }

  /** The result of a piece that is not replaced by others. Rejects with its error. */
  async result<T>(key: string, id: string, compute: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.add(key, `${id} ${this.#sequence++}`, () => {
        try {
          resolve(compute());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /**
   * Resolves once the pieces that wait now have run; pieces that are added meanwhile do not delay it. `counts` chooses
   * pieces by their id. @default all
   */
  async whenDone(counts: (id: string) => boolean = () => true): Promise<void> {
    const left = new Set([...this.#pieces.keys()].filter(counts));
    if (left.size === 0) return;
    await new Promise<void>((resolve) => this.#awaited.add({ left, resolve }));
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#slice());
  }

  #slice(): void {
    this.#scheduled = false;
    const { clock, sliceMs } = this.#options;
    const started = clock.monotonic();
    for (const [key, until] of this.#pausedUntil) if (until <= started) this.#pausedUntil.delete(key);
    let now = started;
    let id: string | undefined;
    do {
      id = this.#queue.take((key) => !this.#pausedUntil.has(key));
      if (id !== undefined) now = this.#run(id, now);
    } while (id !== undefined && now < started + sliceMs);
    if (this.#pieces.size === 0) return;
    if (id === undefined) this.#resumeIn(Math.min(...this.#pausedUntil.values()) - now);
    else this.#schedule();
  }

  /** All keys that have pieces pause. A piece of another key that is added meanwhile does not wait for them. */
  #resumeIn(ms: number): void {
    if (this.#resuming) return;
    this.#resuming = true;
    void this.#options.clock.sleep(Math.max(1, ms)).then(() => {
      this.#resuming = false;
      this.#schedule();
    });
  }

  #ran(id: string): void {
    for (const waiter of this.#awaited) {
      if (!waiter.left.delete(id) || waiter.left.size > 0) continue;
      this.#awaited.delete(waiter);
      waiter.resolve();
    }
  }

  /** Runs the piece, and returns the time at its end. A piece below a millisecond needs no pause after it. */
  #run(id: string, started: number): number {
    const { clock, timeShare } = this.#options;
    const piece = this.#pieces.get(id);
    this.#pieces.delete(id);
    piece?.run();
    this.#ran(id);
    const ended = clock.monotonic();
    const pauseMs = (ended - started) * (1 / timeShare - 1);
    if (piece && pauseMs > 0 && ended - started >= 1) this.#pausedUntil.set(piece.key, ended + pauseMs);
    return ended;
  }
}
