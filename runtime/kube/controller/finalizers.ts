import { subjectOf } from '../client/paths.ts';
import { isConflict, isNotFound, KubeStatusError } from '../client/status-error.ts';
import type { KubeClient, KubeObject, ResourceType, WriteOptions } from '../client/types.ts';
import { objectKeyOf } from './mappers.ts';

const attempts = 5;

/**
 * Adds a finalizer unless it is there. Returns the object as stored. Nothing is written to an object that is being
 * deleted: the API server forbids it. Throws KubeStatusError 404 when the object is gone.
 */
export async function addFinalizer<T extends KubeObject>(
  client: KubeClient,
  type: ResourceType,
  object: T,
  finalizer: string,
  options?: WriteOptions,
): Promise<T> {
  const change = (current: readonly string[]) => [...current, finalizer];
  const needed = ({ metadata }: KubeObject) => !metadata.deletionTimestamp && !hasFinalizer({ metadata }, finalizer);
  return patchFinalizers(client, type, object, needed, change, options);
}

/** Removes a finalizer if it is there. Returns the object as stored, undefined once it is gone. */
export async function removeFinalizer<T extends KubeObject>(
  client: KubeClient,
  type: ResourceType,
  object: T,
  finalizer: string,
  options?: WriteOptions,
): Promise<T | undefined> {
  const change = (current: readonly string[]) => current.filter((each) => each !== finalizer);
  const needed = (current: KubeObject) => hasFinalizer(current, finalizer);
  try {
    return await patchFinalizers(client, type, object, needed, change, options);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Whether the object has the finalizer. */
export function hasFinalizer({ metadata }: Pick<KubeObject, 'metadata'>, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) ?? false;
}

/**
 * A merge patch bound to uid and resourceVersion: lists cannot be merged, so it must rest on the list that was read. The
 * first try rests on the caller's object, which may be a stale copy from a cache; after a conflict it reads the object again.
 */
async function patchFinalizers<T extends KubeObject>(
  client: KubeClient,
  type: ResourceType,
  object: T,
  needed: (object: T) => boolean,
  change: (finalizers: readonly string[]) => string[],
  options?: WriteOptions,
): Promise<T> {
  const key = objectKeyOf(object);
  const { uid } = object.metadata;
  let current = object;
  for (let attempt = 1; ; attempt++) {
    if (!needed(current)) return current;
    const { resourceVersion, finalizers = [] } = current.metadata;
    const metadata = { uid, resourceVersion, finalizers: change(finalizers) };
    try {
      return await client.patch<T>(type, key, { type: 'merge', body: { metadata } }, options);
    } catch (error) {
      if (!isConflict(error) || attempt >= attempts) throw error;
    }
    current = await client.get<T>(type, key, options?.signal);
    if (uid !== undefined && current.metadata.uid !== uid) {
      const message = `the object with uid ${uid} is gone, another one has its name`;
      throw new KubeStatusError(subjectOf('patch', type, key), 404, { reason: 'NotFound', message });
    }
  }
}
