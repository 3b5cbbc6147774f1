import type { KubeObject, ObjectKey } from '../client/types.ts';
import type { Cache, IndexFunction } from './types.ts';

/** Name of the index over the uids of `metadata.ownerReferences`. */
export const ownerIndex = 'owner';

/** Index function to register under `ownerIndex`. */
export const ownerUids: IndexFunction = (object) => object.metadata.ownerReferences?.map(({ uid }) => uid) ?? [];

/** Objects that name the owner with this uid. The cache must have the index `ownerIndex`. */
export function ownedBy<T extends KubeObject>(cache: Cache<T>, ownerUid: string): T[] {
  return cache.byIndex(ownerIndex, ownerUid);
}

/** Something that an object's spec points to by name. `group` is '' for the core group. */
export interface ObjectReference extends ObjectKey {
  readonly group: string;
  readonly kind: string;
}

/** The text a reference is indexed under: `group/kind/namespace/name`. */
function referenceValue({ group, kind, namespace = '', name }: ObjectReference): string {
  return `${group}/${kind}/${namespace}/${name}`;
}

/** Turns a function that finds an object's references into an index function; doubles count once. */
export function referenceIndex<T extends KubeObject>(
  referencesOf: (object: T) => readonly ObjectReference[],
): IndexFunction<T> {
  return (object) => [...new Set(referencesOf(object).map(referenceValue))];
}

/** Objects that point to `target`, by an index made with `referenceIndex`. */
export function referrersOf<T extends KubeObject>(cache: Cache<T>, index: string, target: ObjectReference): T[] {
  return cache.byIndex(index, referenceValue(target));
}
