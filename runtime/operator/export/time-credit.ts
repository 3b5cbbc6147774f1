import type { Clock } from '../../base/clock.ts';

/** Milliseconds of computing that a namespace may use at once. */
const mostMs = 5000;
/** The share of real time by which it grows again. */
const share = 0.25;
/** Entries before those that are full again are dropped. */
const maxEntries = 1000;

/** How much computing each namespace may still use. */
export class TimeCredit {
  readonly #clock: Clock;
  readonly #left = new Map<string, { readonly ms: number; readonly at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds until the namespace may compute again; 0 if it may now. */
  waitMs(namespace: string): number {
    const ms = this.#now(namespace);
    return ms > 0 ? 0 : Math.ceil((1 - ms) / share);
  }

  /** Takes off what was used; it may come to less than nothing. */
  spend(namespace: string, ms: number): void {
    this.#left.set(namespace, { ms: this.#now(namespace) - ms, at: this.#clock.monotonic() });
    if (this.#left.size <= maxEntries) return;
    for (const each of [...this.#left.keys()]) if (this.#now(each) >= mostMs) this.#left.delete(each);
  }

  #now(namespace: string): number {
    const { ms, at } = this.#left.get(namespace) ?? { ms: mostMs, at: 0 };
    return Math.min(mostMs, ms + Math.max(0, this.#clock.monotonic() - at) * share);
  }
}
