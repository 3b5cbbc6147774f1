import type { KubeObject, OwnerReference } from './types.ts';

/** Whether a Secret or ConfigMap is the owner's, or comes to it, and the references it has then. */
export function ownership(existing: KubeObject, owner: KubeObject) {
  const owners = existing.metadata.ownerReferences ?? [];
  const reference = ownerReference(owner);
  const mine = owners.some(({ uid }) => uid === reference.uid);
  // Left by an object of this very name that is gone, and about to be collected: it goes over to its successor.
  const inherited = owners.some((other) => isSameOwner(other, reference));
  return { mine, inherited, ownerReferences: [...owners.filter((other) => !isSameOwner(other, reference)), reference] };
}

/** Whether two references name the same object, if perhaps one that was there before under that name. */
export function isSameOwner(a: OwnerReference, b: OwnerReference): boolean {
  const group = ({ apiVersion }: OwnerReference) => apiVersion.split('/')[0];
  return a.kind === b.kind && a.name === b.name && group(a) === group(b);
}

/** Not a controller reference: several objects may write into one Secret. */
export function ownerReference(owner: KubeObject) {
  const { apiVersion, kind } = owner;
  const { name, uid = '' } = owner.metadata;
  return { apiVersion, kind, name, uid };
}
