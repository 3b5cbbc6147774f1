import type { Clock } from '../base/clock.ts';

interface Watched {
  onChange(handler: () => void): () => void;
}

interface Group {
  readonly checks: Set<() => void>;
  scheduled: boolean;
  /** When the group may run its checks again, in monotonic milliseconds. */
  restUntil: number;
}

/** After its checks a group pauses this many times as long as they took. */
const restFactor = 9;

/**
 * Makes requests wait until a watched object changes. After a change, the checks of one key (a namespace) run
 * together. They use at most a tenth of the time, so that the requests of other keys proceed.
 */
export class WaitingRequests {
  readonly #clock: Clock;
  readonly #groups = new Map<string, Group>();
  #waiting = 0;

  constructor(caches: readonly Watched[], clock: Clock) {
    this.#clock = clock;
    for (const cache of caches) cache.onChange(() => this.#changed());
  }

  /** Requests that wait now. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Calls `check` now and after changes until it returns a value. Returns undefined after `ms` milliseconds; throws
   * the signal's reason when it aborts, and what `check` throws.
   */
  async until<T>(key: string, check: () => T | undefined, ms: number, signal: AbortSignal): Promise<T | undefined> {
    signal.throwIfAborted();
    const first = check();
    if (first !== undefined || ms <= 0) return first;
    const over = new AbortController();
    const result = Promise.withResolvers<T | undefined>();
    const again = () => {
      try {
        const found = check();
        if (found !== undefined) result.resolve(found);
      } catch (error) {
        result.reject(error);
      }
    };
    const abort = () => result.reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    const group = this.#groupOf(key);
    group.checks.add(again);
    this.#waiting++;
    this.#clock.sleep(ms, over.signal).then(
      () => result.resolve(check()),
      () => undefined,
    );
    try {
      return await result.promise;
    } finally {
      group.checks.delete(again);
      this.#waiting--;
      if (group.checks.size === 0 && !group.scheduled) this.#groups.delete(key);
      over.abort();
      signal.removeEventListener('abort', abort);
    }
  }

  #groupOf(key: string): Group {
    const group = this.#groups.get(key) ?? { checks: new Set(), scheduled: false, restUntil: 0 };
    this.#groups.set(key, group);
    return group;
  }

  /** A LIST arrives as many changes at once; each waiting request checks once. */
  #changed(): void {
    for (const [key, group] of this.#groups) {
      if (group.scheduled) continue;
      group.scheduled = true;
      const rest = group.restUntil - this.#clock.monotonic();
      if (rest <= 0) queueMicrotask(() => this.#checkAll(key, group));
      else void this.#clock.sleep(rest).then(() => this.#checkAll(key, group));
    }
  }

  #checkAll(key: string, group: Group): void {
    const started = this.#clock.monotonic();
    group.scheduled = false;
    for (const check of [...group.checks]) check();
    const ended = this.#clock.monotonic();
    group.restUntil = ended + restFactor * (ended - started);
    if (group.checks.size === 0) this.#groups.delete(key);
  }
}
