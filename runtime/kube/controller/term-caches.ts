import { setMaxListeners } from 'node:events';
import { unlessAborted } from '../../base/abort.ts';
import type { WatchedCache } from '../cache/types.ts';

/**
 * Caches in a term of the lease. The cache of a standby may lag behind, so a new holder of the lease may not see the
 * last writes of the former one. A cache that was listed again in the term has all of that: the former holder had to
 * stop before the term began.
 */
export class TermCaches {
  /** Aborts at the end of the term; undefined outside of one. */
  #end: AbortSignal | undefined;
  #refreshed = new WeakMap<WatchedCache, Promise<void>>();

  /** A term begins, and ends when the signal aborts. */
  begin(end: AbortSignal): void {
    // Each cache that is listed again adds a listener.
    setMaxListeners(0, end);
    this.#end = end;
    this.#refreshed = new WeakMap();
  }

  /**
   * Resolves when the caches have all that was written before the term; lists each of them once in a term, at the first
   * call. Does nothing outside of a term. Rejects with the signal's reason.
   */
  async catchUp(caches: readonly WatchedCache[], signal: AbortSignal): Promise<void> {
    const end = this.#end;
    if (!end) return;
    await unlessAborted(Promise.all(caches.map((cache) => this.#refresh(cache, end))), signal);
  }

  #refresh(cache: WatchedCache, end: AbortSignal): Promise<void> {
    const refreshing = this.#refreshed.get(cache);
    if (refreshing) return refreshing;
    const refreshed = cache.refresh(end);
    // A caller may have gone before the term ends.
    refreshed.catch(() => undefined);
    this.#refreshed.set(cache, refreshed);
    return refreshed;
  }
}
