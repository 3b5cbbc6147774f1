import type { KubeObject } from '../client/types.ts';

/**
 * Drops `metadata.managedFields`, often a third of an object. The member is emptied rather than deleted, because
 * deleting would turn the metadata of every object into a slower and larger form in memory.
 */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata.managedFields !== undefined) object.metadata.managedFields = undefined;
  return object;
}
