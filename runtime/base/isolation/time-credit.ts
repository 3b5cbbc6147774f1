import type { Clock } from '../clock.ts';

/** The share of real time by which the credit of a namespace grows. */
const share = 0.25;
/** Beyond this number of entries, full ones are dropped. */
const maxEntries = 1000;

/** The computing time that each namespace may still use. */
export class TimeCredit {
  readonly #clock: Clock;
  readonly #mostMs: number;
  readonly #left = new Map<string, { readonly ms: number; readonly at: number }>();

  /** `mostMs`: milliseconds of computing that a namespace may use at once. */
  constructor(clock: Clock, mostMs = 5000) {
    this.#clock = clock;
    this.#mostMs = mostMs;
  }

  /** Milliseconds until the namespace may compute again; 0 if it may now. */
  waitMs(namespace: string): number {
    const ms = this.#now(namespace);
    return ms > 0 ? 0 : Math.ceil((1 - ms) / share);
  }

  /** Subtracts the used time; the credit may become negative. */
  spend(namespace: string, ms: number): void {
    this.#left.set(namespace, { ms: this.#now(namespace) - ms, at: this.#clock.monotonic() });
    if (this.#left.size <= maxEntries) return;
    for (const each of [...this.#left.keys()]) if (this.#now(each) >= this.#mostMs) this.#left.delete(each);
  }

  #now(namespace: string): number {
    const { ms, at } = this.#left.get(namespace) ?? { ms: this.#mostMs, at: 0 };
    return Math.min(this.#mostMs, ms + Math.max(0, this.#clock.monotonic() - at) * share);
  }
}
