import { messageOf } from '../../base/errors.ts';

/** A watch of this length shows that the server works again. Milliseconds. */
const healthyWatchMs = 5000;

/** How the loop of one LIST + WATCH position goes. Times are monotonic milliseconds of `now`. */
export class LoopHealth {
  readonly #now: () => number;
  #failures = 0;
  #lastProgress: number;
  #lastError: string | undefined;
  #trouble: string | undefined;
  #opened: number | undefined;

  constructor(now: () => number) {
    this.#now = now;
    this.#lastProgress = now();
  }

  /** Failures since the last success. */
  get failures(): number {
    return this.#failures;
  }

  /** The error of the last attempt; undefined after a success. */
  get lastError(): string | undefined {
    return this.#lastError;
  }

  /**
   * The last error, until the server accepts a watch again. The end of a long watch is no error: old servers send
   * nothing where nothing changes, so the client opens such a watch again every 90 seconds.
   */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Milliseconds since the loop last made progress. */
  get quietMs(): number {
    return this.#now() - this.#lastProgress;
  }

  /** The loop received something, or begins a step. */
  progressed(): void {
    this.#lastProgress = this.#now();
  }

  /** A new attempt begins, without a watch. */
  begun(): void {
    this.progressed();
    this.#opened = undefined;
  }

  /** The server accepted the watch. */
  opened(): void {
    this.#opened = this.#now();
    this.#trouble = undefined;
  }

  /** Whether the server accepted the watch at least so many milliseconds ago. */
  lasted(ms: number): boolean {
    return this.#opened !== undefined && this.#now() - this.#opened >= ms;
  }

  /** A LIST is complete. */
  listed(): void {
    this.#lastError = undefined;
  }

  /** A watch ended in good order. */
  ended(): void {
    this.#failures = 0;
    this.#lastError = undefined;
  }

  /** The attempt failed, or discovery lacks the type. Returns the number of failures before this one. */
  failed(error: unknown): number {
    const wasHealthy = this.lasted(healthyWatchMs);
    if (wasHealthy) this.#failures = 0;
    this.#lastError = messageOf(error);
    if (!wasHealthy) this.#trouble = this.#lastError;
    this.progressed();
    return this.#failures++;
  }

  /** Discovery lacks the type still. */
  stillMissing(): void {
    this.#failures++;
  }
}
