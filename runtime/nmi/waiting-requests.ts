import type { Clock } from '../base/clock.ts';

interface Watched {
  onChange(handler: () => void): () => void;
}

interface Group {
  readonly looks: Set<() => void>;
  scheduled: boolean;
  /** When the group may look again, in monotonic milliseconds. */
  restUntil: number;
}

/** After looking a group rests this many times as long. */
const restFactor = 9;

/**
 * Lets requests wait for watched objects to change. Requests of one key (a namespace) look together after a change, and
 * take a tenth of the time at most, whatever changes how often: those of other keys go on.
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
   * Calls `look` now and after changes, until it returns a value, the time is over (undefined) or the signal aborts (its
   * reason is thrown). An error of `look` ends the wait.
   */
  async until<T>(key: string, look: () => T | undefined, ms: number, signal: AbortSignal): Promise<T | undefined> {
    signal.throwIfAborted();
    const first = look();
    if (first !== undefined || ms <= 0) return first;
    const over = new AbortController();
    const result = Promise.withResolvers<T | undefined>();
    const again = () => {
      try {
        const found = look();
        if (found !== undefined) result.resolve(found);
      } catch (error) {
        result.reject(error);
      }
    };
    const abort = () => result.reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    const group = this.#groupOf(key);
    group.looks.add(again);
    this.#waiting++;
    this.#clock.sleep(ms, over.signal).then(
      () => result.resolve(look()),
      () => undefined,
    );
    try {
      return await result.promise;
    } finally {
      group.looks.delete(again);
      this.#waiting--;
      if (group.looks.size === 0 && !group.scheduled) this.#groups.delete(key);
      over.abort();
      signal.removeEventListener('abort', abort);
    }
  }

  #groupOf(key: string): Group {
    const group = this.#groups.get(key) ?? { looks: new Set(), scheduled: false, restUntil: 0 };
    this.#groups.set(key, group);
    return group;
  }

  /** A list arrives as many changes at once; each waiting request looks once. */
  #changed(): void {
    for (const [key, group] of this.#groups) {
      if (group.scheduled) continue;
      group.scheduled = true;
      const rest = group.restUntil - this.#clock.monotonic();
      if (rest <= 0) queueMicrotask(() => this.#look(key, group));
      else void this.#clock.sleep(rest).then(() => this.#look(key, group));
    }
  }

  #look(key: string, group: Group): void {
    const started = this.#clock.monotonic();
    group.scheduled = false;
    for (const look of [...group.looks]) look();
    const ended = this.#clock.monotonic();
    group.restUntil = ended + restFactor * (ended - started);
    if (group.looks.size === 0) this.#groups.delete(key);
  }
}
