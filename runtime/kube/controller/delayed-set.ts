import type { Clock } from '../../base/clock.ts';
import { PriorityQueue } from '../../base/scheduling/priority-queue.ts';

/** setTimeout fires at once beyond 2^31-1 ms; a long wait is made of several. */
const longestSleepMs = 2 ** 31 - 1;
/** Entries that no longer count and are not worth clearing away. */
const staleAllowed = 1000;

interface Entry<T> {
  readonly id: string;
  readonly item: T;
  readonly at: number;
}

/** Items that become due later, at most one for each id: the earliest wins. One timer serves them all. */
export class DelayedSet<T> {
  readonly #clock: Clock;
  readonly #due: (item: T) => void;
  /** By time. Entries that were replaced or dropped stay until they come first or are too many. */
  readonly #entries = new PriorityQueue<Entry<T>>((a, b) => a.at < b.at);
  readonly #current = new Map<string, Entry<T>>();
  #timer: { readonly at: number; readonly stop: AbortController } | undefined;

  constructor(clock: Clock, due: (item: T) => void) {
    this.#clock = clock;
    this.#due = due;
  }

  get size(): number {
    return this.#current.size;
  }

  /** Entries in memory, those included that no longer count. */
  get held(): number {
    return this.#entries.size;
  }

  add(id: string, item: T, delayMs: number): void {
    const at = this.#clock.monotonic() + delayMs;
    const existing = this.#current.get(id);
    if (existing && existing.at <= at) return;
    const entry = { id, item, at };
    this.#current.set(id, entry);
    // An item that is added every second and due in hours would otherwise leave an entry for each addition.
    if (this.#entries.size > 2 * this.#current.size + staleAllowed) this.#entries.reset(this.#current.values());
    else this.#entries.push(entry);
    this.#arm();
  }

  drop(id: string): void {
    this.#current.delete(id);
  }

  clear(): void {
    this.#current.clear();
    this.#entries.reset();
    this.#timer?.stop.abort();
    this.#timer = undefined;
  }

  #arm(): void {
    const next = this.#peek();
    if (!next || (this.#timer && this.#timer.at <= next.at)) return;
    this.#timer?.stop.abort();
    const timer = { at: next.at, stop: new AbortController() };
    this.#timer = timer;
    const delayMs = Math.min(Math.max(0, next.at - this.#clock.monotonic()), longestSleepMs);
    this.#clock.sleep(Math.ceil(delayMs), timer.stop.signal).then(
      () => this.#fire(timer),
      () => undefined,
    );
  }

  #fire(timer: object): void {
    if (this.#timer !== timer) return;
    this.#timer = undefined;
    for (;;) {
      const next = this.#peek();
      if (!next || next.at > this.#clock.monotonic()) break;
      this.#entries.pop();
      this.#current.delete(next.id);
      this.#due(next.item);
    }
    this.#arm();
  }

  #peek(): Entry<T> | undefined {
    for (;;) {
      const first = this.#entries.peek();
      if (!first || this.#current.get(first.id) === first) return first;
      this.#entries.pop();
    }
  }
}
