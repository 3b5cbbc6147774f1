import { backoff } from '../../base/backoff.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { isConflict } from './status-error.ts';
import type { KubeClient, KubeObject, ObjectKey, ResourceType, WriteOptions } from './types.ts';

/** Options of an update that is tried again after a conflict. */
export interface UpdateOptions extends WriteOptions {
  /** Such as `status`. */
  readonly subresource?: string;
  /** Tries in all while others keep changing the object. Minimum 1. @default 5 */
  readonly attempts?: number;
  /** @default systemClock */
  readonly clock?: Clock;
}

/**
 * Reads, changes and replaces an object, again from a fresh read after a conflict. `mutate` gets a copy of its own and
 * returns the object to write, or undefined when nothing needs writing. Returns the state then stored. Throws
 * KubeStatusError 404 when the object is gone, 409 when the last attempt conflicted too.
 */
export async function updateWithRetry<T extends KubeObject>(
  client: KubeClient,
  type: ResourceType,
  key: ObjectKey,
  mutate: (object: T) => T | undefined,
  { attempts = 5, clock = systemClock, ...options }: UpdateOptions = {},
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    const current = await client.get<T>(type, key, options.signal);
    const updated = mutate(structuredClone(current));
    if (updated === undefined) return current;
    const { resourceVersion, uid } = current.metadata;
    // Not the values of `mutate`: a write is only right upon the state that was read.
    const object = { ...updated, metadata: { ...updated.metadata, resourceVersion, uid } };
    try {
      return await client.replace<T>(type, object, options);
    } catch (error) {
      if (!isConflict(error) || attempt + 1 >= attempts) throw error;
    }
    await clock.sleep(backoff(attempt, { initialMs: 10, maxMs: 500, jitter: 1 }), options.signal);
  }
}
