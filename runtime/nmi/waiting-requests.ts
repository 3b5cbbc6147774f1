import type { Clock } from '../base/clock.ts';

interface Watched {
  onChange(handler: () => void): () => void;
}

interface Group {
  readonly checks: Set<() => void>;
  scheduled: boolean;
  /** When the group may run its checks again, in monotonic milliseconds. */
  pausedUntil: number;
}

/** After its checks a group pauses this many times as long as they took. */
const pauseFactor = 9;

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
   * the signal's reason when it aborts, and the errors of `check`.
   */
  async until<T>(key: string, check: () => T | undefined, ms: number, signal: AbortSignal): Promise<T | undefined> {
    signal.throwIfAborted();
    const first = check();
    if (first !== undefined || ms <= 0) return first;
    const ended = new AbortController();
    const result = Promise.withResolvers<T | undefined>();
    const recheck = () => {
      try {
        const checked = check();
        if (checked !== undefined) result.resolve(checked);
      } catch (error) {
        result.reject(error);
      }
    };
    const abort = () => result.reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    const group = this.#groupOf(key);
    group.checks.add(recheck);
    this.#waiting++;
    this.#clock.sleep(ms, ended.signal).then(
      () => result.resolve(check()),
      () => undefined,
    );
    try {
      return await result.promise;
    } finally {
      group.checks.delete(recheck);
      this.#waiting--;
      if (group.checks.size === 0 && !group.scheduled) this.#groups.delete(key);
      ended.abort();
      signal.removeEventListener('abort', abort);
    }
  }

  #groupOf(key: string): Group {
    const group = this.#groups.get(key) ?? { checks: new Set(), scheduled: false, pausedUntil: 0 };
    this.#groups.set(key, group);
    return group;
  }

  /** A LIST arrives as many changes at once; each waiting request checks once. */
  #changed(): void {
    for (const [key, group] of this.#groups) {
      if (group.scheduled) continue;
      group.scheduled = true;
      const pauseMs = group.pausedUntil - this.#clock.monotonic();
      if (pauseMs <= 0) queueMicrotask(() => this.#checkAll(key, group));
      else void this.#clock.sleep(pauseMs).then(() => this.#checkAll(key, group));
    }
  }

  #checkAll(key: string, group: Group): void {
    const started = this.#clock.monotonic();
    group.scheduled = false;
    for (const check of [...group.checks]) check();
    const ended = this.#clock.monotonic();
    group.pausedUntil = ended + pauseFactor * (ended - started);
    if (group.checks.size === 0) this.#groups.delete(key);
  }
}
