import type { Clock } from '../../base/clock.ts';

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
  /** A binary min-heap by time. Entries that were replaced or dropped stay until they surface or are too many. */
  #heap: Entry<T>[] = [];
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
    return this.#heap.length;
  }

  add(id: string, item: T, delayMs: number): void {
    const at = this.#clock.monotonic() + delayMs;
    const existing = this.#current.get(id);
    if (existing && existing.at <= at) return;
    const entry = { id, item, at };
    this.#current.set(id, entry);
    if (this.#heap.length > 2 * this.#current.size + staleAllowed) this.#rebuild();
    else this.#push(entry);
    this.#arm();
  }

  drop(id: string): void {
    this.#current.delete(id);
  }

  clear(): void {
    this.#current.clear();
    this.#heap = [];
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
      this.#pop();
      this.#current.delete(next.id);
      this.#due(next.item);
    }
    this.#arm();
  }

  #peek(): Entry<T> | undefined {
    for (;;) {
      const top = this.#heap[0];
      if (!top || this.#current.get(top.id) === top) return top;
      this.#pop();
    }
  }

  /** An item that is added every second and due in hours would otherwise leave an entry for each addition. */
  #rebuild(): void {
    // A sorted list is a heap.
    this.#heap = [...this.#current.values()].sort((a, b) => a.at - b.at);
  }

  #push(entry: Entry<T>): void {
    const heap = this.#heap;
    let index = heap.push(entry) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (at(heap, parent) <= entry.at) break;
      heap[index] = heap[parent] as Entry<T>;
      index = parent;
    }
    heap[index] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && at(heap, child + 1) < at(heap, child)) child++;
      if (at(heap, child) >= last.at) break;
      heap[index] = heap[child] as Entry<T>;
      index = child;
    }
    heap[index] = last;
  }
}

function at(heap: readonly { readonly at: number }[], index: number): number {
  return heap[index]?.at ?? Number.POSITIVE_INFINITY;
}
