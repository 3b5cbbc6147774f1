import { type BackoffOptions, backoff } from '../../base/backoff.ts';
import type { Clock } from '../../base/clock.ts';
import type { Metrics } from '../../base/observability/metrics.ts';
import { DelayedSet } from './delayed-set.ts';
import { FairFifo } from './fifo.ts';
import { type QueueMetrics, queueMetrics } from './work-queue-metrics.ts';

/** Higher goes first. Any number may be used; these are the levels the controller loop uses. */
export const priorities = {
  /** Somebody changed the desired state. */
  change: 10,
  normal: 0,
  /** Periodic checks and the objects of the first LIST. */
  resync: -10,
} as const;

/** After this many takes, the item that has waited longest goes first in spite of its priority, so that none starves. */
const fairEvery = 8;

/** Options of a WorkQueue. */
export interface WorkQueueOptions<T> {
  /** Label `name` of the metrics. */
  readonly name: string;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** No two workers have items of one id at a time: adding an item whose id waits already changes nothing. */
  readonly id: (item: T) => string;
  /** Distinguishes items of one id: failures of one key do not count for the next. @default the id */
  readonly backoffKey?: (item: T) => string;
  /** Whose work it is, such as a namespace: shares of one priority rotate. @default one share for all */
  readonly share?: (item: T) => string;
  /** Most items of one share that are worked on at a time; further ones wait, and other shares go on. @default no limit */
  readonly perShare?: number | undefined;
  /** Delays after failures. @default {initialMs: 500, maxMs: 60000, factor: 2, jitter: 0.25} */
  readonly backoff?: BackoffOptions | undefined;
}

/** Options of one item that is added to a queue. */
export interface AddOptions {
  /** @default 0 */
  readonly priority?: number;
  /** Milliseconds until the item may be taken; of several the earliest counts. @default 0 */
  readonly delayMs?: number;
}

interface Waiting<T> {
  readonly id: string;
  readonly share: string;
  item: T;
  priority: number;
  readonly since: number;
  readonly sequence: number;
}

interface Running<T> {
  readonly share: string;
  readonly since: number;
  /** Added again while running. */
  again: { item: T; priority: number } | undefined;
}

/**
 * A queue of items to reconcile. An item waits once however often it is added (the latest content wins), and an item
 * that is added while a worker has its id waits for the end, so no two workers ever hold the same id.
 */
export class WorkQueue<T> {
  readonly #options: WorkQueueOptions<T>;
  readonly #metrics: QueueMetrics;
  readonly #levels = new Map<number, FairFifo<Waiting<T>>>();
  readonly #waiting = new Map<string, Waiting<T>>();
  readonly #running = new Map<string, Running<T>>();
  /** Items being worked on, by share. */
  readonly #runningOf = new Map<string, number>();
  readonly #delayed: DelayedSet<{ item: T; priority: number }>;
  /** By id, so that there are never more than things that fail; they count for one backoff key only. */
  readonly #failures = new Map<string, { readonly key: string; readonly count: number }>();
  readonly #takers: ((item: T | undefined) => void)[] = [];
  #sequence = 0;
  #takes = 0;
  #closed = false;

  constructor(options: WorkQueueOptions<T>) {
    this.#options = options;
    this.#delayed = new DelayedSet(options.clock, ({ item, priority }) => this.add(item, { priority }));
    this.#metrics = queueMetrics(options.metrics, options.name, {
      depth: () => this.#waiting.size,
      unfinishedSeconds: () => [...this.#running.values()].map(({ since }) => this.#secondsSince(since)),
    });
  }

  /** Items waiting to be taken. */
  get depth(): number {
    return this.#waiting.size;
  }

  /** Items taken and not done. */
  get running(): number {
    return this.#running.size;
  }

  /** Items that wait for their time. */
  get delayed(): number {
    return this.#delayed.size;
  }

  add(item: T, { priority = priorities.normal, delayMs = 0 }: AddOptions = {}): void {
    if (this.#closed) return;
    const id = this.#options.id(item);
    if (delayMs > 0) {
      this.#delayed.add(id, { item, priority }, delayMs);
      return;
    }
    const running = this.#running.get(id);
    if (running) {
      if (!running.again) this.#metrics.added();
      running.again = { item, priority: Math.max(priority, running.again?.priority ?? priority) };
      return;
    }
    const waiting = this.#waiting.get(id);
    if (!waiting) {
      this.#metrics.added();
      this.#enqueue(id, item, priority);
      return;
    }
    waiting.item = item;
    if (priority > waiting.priority) {
      waiting.priority = priority;
      this.#level(priority).push(waiting);
    }
  }

  /** Counts a failure and adds the item after the backoff of its key, or after `retryAfterMs`. Returns the delay. */
  retry(item: T, retryAfterMs?: number): number {
    const attempt = this.failures(item);
    this.#failures.set(this.#options.id(item), { key: this.#backoffKey(item), count: attempt + 1 });
    const bounds = { initialMs: 500, maxMs: 60_000, ...this.#options.backoff };
    const delayMs = Math.max(1, retryAfterMs ?? backoff(attempt, bounds));
    this.#metrics.retried();
    this.add(item, { delayMs });
    return delayMs;
  }

  /** Failures of the item's key since it was last forgotten. */
  failures(item: T): number {
    const counted = this.#failures.get(this.#options.id(item));
    return counted?.key === this.#backoffKey(item) ? counted.count : 0;
  }

  /** Ends the counting of failures: the item succeeded or will not come back. */
  forget(item: T): void {
    this.#failures.delete(this.#options.id(item));
  }

  /**
   * Waits for an item; undefined once the queue is closed. The caller calls `done` at the end. An item
   * scheduled for later under the same id is dropped: the outcome of this run decides when to reconcile again.
   */
  take(): Promise<T | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#takers.push(resolve);
      this.#hand();
    });
  }

  /** Ends the work on an item; it goes back into the queue if it was added meanwhile. */
  done(item: T): void {
    const id = this.#options.id(item);
    const running = this.#running.get(id);
    if (!running) return;
    this.#running.delete(id);
    this.#count(running.share, -1);
    this.#metrics.worked(this.#secondsSince(running.since));
    if (running.again && !this.#closed) this.#enqueue(id, running.again.item, running.again.priority);
    // A taker may have waited for room in this share.
    this.#hand();
  }

  /** Takers get undefined from now on; nothing more is accepted; waiting items are dropped. */
  close(): void {
    this.#closed = true;
    this.#delayed.clear();
    this.#waiting.clear();
    this.#levels.clear();
    for (const taker of this.#takers.splice(0)) taker(undefined);
  }

  #enqueue(id: string, item: T, priority: number): void {
    const share = this.#options.share?.(item) ?? '';
    const entry = { id, share, item, priority, since: this.#options.clock.monotonic(), sequence: this.#sequence++ };
    this.#waiting.set(id, entry);
    this.#level(priority).push(entry);
    this.#hand();
  }

  #hand(): void {
    while (this.#takers.length > 0) {
      const next = this.#next();
      if (!next) return;
      this.#takes++;
      this.#levels.get(next.priority)?.served(next.share);
      this.#waiting.delete(next.id);
      this.#delayed.drop(next.id);
      this.#running.set(next.id, {
        share: next.share,
        since: this.#options.clock.monotonic(),
        again: undefined,
      });
      this.#count(next.share, 1);
      this.#metrics.waited(this.#secondsSince(next.since));
      this.#takers.shift()?.(next.item);
    }
  }

  #next(): Waiting<T> | undefined {
    const { perShare = Number.POSITIVE_INFINITY } = this.#options;
    const hasRoom = (share: string) => (this.#runningOf.get(share) ?? 0) < perShare;
    const heads = [...this.#levels.values()].map((level) => level.peek(hasRoom)).filter((head) => head !== undefined);
    const fair = this.#takes % fairEvery === fairEvery - 1;
    return heads.sort((a, b) => (fair ? a.sequence - b.sequence : b.priority - a.priority))[0];
  }

  #count(share: string, change: 1 | -1): void {
    const running = (this.#runningOf.get(share) ?? 0) + change;
    if (running > 0) this.#runningOf.set(share, running);
    else this.#runningOf.delete(share);
  }

  #level(priority: number): FairFifo<Waiting<T>> {
    const existing = this.#levels.get(priority);
    if (existing) return existing;
    const level = new FairFifo<Waiting<T>>(
      (entry) => entry.priority === priority && this.#waiting.get(entry.id) === entry,
    );
    this.#levels.set(priority, level);
    return level;
  }

  #backoffKey(item: T): string {
    return (this.#options.backoffKey ?? this.#options.id)(item);
  }

  #secondsSince(instant: number): number {
    return (this.#options.clock.monotonic() - instant) / 1000;
  }
}
