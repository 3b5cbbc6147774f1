import type { WatchedCache } from '../cache/types.ts';
import type { KubeObject, ObjectKey } from '../client/types.ts';
import type { Mapper } from './mappers.ts';

/** Something besides the primary objects whose changes enqueue primary objects. Make one with `source`. */
export interface Source {
  whenSynced(signal: AbortSignal): Promise<void>;
  /** Starts to enqueue keys; the returned function stops it. */
  start(enqueue: (keys: readonly ObjectKey[], initial: boolean) => void): () => void;
}

/** Enqueues the objects that `map` returns, whenever an object of `cache` changes. */
export function source<T extends KubeObject>(cache: WatchedCache<T>, map: Mapper<T>): Source {
  return {
    whenSynced: (signal) => cache.whenSynced(signal),
    start: (enqueue) => {
      let initial = true;
      const stop = cache.onChange((change) => enqueue(map(change), initial));
      initial = false;
      return stop;
    },
  };
}
