import { type ObjectReference, referrersOf } from '../cache/indexes.ts';
import type { Cache, CacheChange } from '../cache/types.ts';
import type { KubeObject, ObjectKey } from '../client/types.ts';

/** The primary objects to enqueue when another object changes. Runs synchronously and often: use look-ups only. */
export type Mapper<T extends KubeObject = KubeObject> = (change: CacheChange<T>) => readonly ObjectKey[];

/** The object of a change; for a deletion its last state. */
export function objectOf<T extends KubeObject>(change: CacheChange<T>): T {
  return change.type === 'deleted' ? change.old : change.object;
}

/** The key of an object. */
export function objectKeyOf({ metadata: { namespace, name } }: KubeObject): ObjectKey {
  return namespace === undefined ? { name } : { namespace, name };
}

/** To the owners of this group and kind, in the object's namespace (`namespaced`, the default) or cluster-scoped. */
export function toOwners(group: string, kind: string, options: { readonly namespaced?: boolean } = {}): Mapper {
  return (change) => {
    const { namespace, ownerReferences = [] } = objectOf(change).metadata;
    return ownerReferences
      .filter((owner) => owner.kind === kind && groupOf(owner.apiVersion) === group)
      .map(({ name }) => (options.namespaced === false || namespace === undefined ? { name } : { namespace, name }));
  };
}

/** To the objects whose spec points to the changed one; `index` was made with `referenceIndex`. */
export function toReferrers(referrers: Cache, index: string, group: string, kind: string): Mapper {
  return (change) => {
    const target: ObjectReference = { group, kind, ...objectKeyOf(objectOf(change)) };
    return referrersOf(referrers, index, target).map(objectKeyOf);
  };
}

/**
 * Whether a change concerns the desired state (spec, labels, annotations, finalizers, owners, deletion) and not only
 * the status. Objects of types without `metadata.generation` always count as changed.
 */
export function wantedChanged(change: CacheChange): boolean {
  if (change.type !== 'updated') return true;
  const { metadata: now } = change.object;
  const { metadata: before } = change.old;
  if (now.generation === undefined || now.generation !== before.generation) return true;
  if (now.deletionTimestamp !== before.deletionTimestamp) return true;
  const members = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;
  return members.some((member) => JSON.stringify(now[member]) !== JSON.stringify(before[member]));
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
}
