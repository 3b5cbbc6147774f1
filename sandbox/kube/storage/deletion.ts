import type { Resource } from '../model/resource.ts';
import { conflict } from '../model/status.ts';
import type { Unstructured } from '../model/types.ts';
import type { DeleteRequest } from '../model/write-request.ts';

/** Nothing holds the object any more. Namespaces have finalizers of their own in the spec. */
export const isFinal = (object: Unstructured) =>
  (object['metadata'].finalizers ?? []).length === 0 &&
  (object['kind'] !== 'Namespace' || object['apiVersion'] !== 'v1' || (object['spec']?.finalizers ?? []).length === 0);

/** Throws 409 where the object is not the one the request means. */
export function checkPreconditions(resource: Resource, old: Unstructured, request: DeleteRequest): void {
  const { name, uid, resourceVersion } = old['metadata'];
  const asked = request.preconditions ?? {};
  if (asked.uid && asked.uid !== uid)
    throw conflict(
      resource,
      name,
      `the UID in the precondition (${asked.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
      resource.kind,
    );
  if (asked.resourceVersion && asked.resourceVersion !== resourceVersion)
    throw conflict(
      resource,
      name,
      `the ResourceVersion in the precondition (${asked.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
      resource.kind,
    );
}

/** The copy of an object with the garbage collector's finalizer that the propagation policy asks for. */
export function withPolicy(old: Unstructured, request: DeleteRequest): Unstructured {
  const object = structuredClone(old);
  const kept = (old['metadata'].finalizers ?? []).filter(
    (one: string) => one !== 'orphan' && one !== 'foregroundDeletion',
  );
  if (request.propagationPolicy === 'Foreground') kept.push('foregroundDeletion');
  if (request.propagationPolicy === 'Orphan') kept.push('orphan');
  // A second DELETE without a policy leaves the first one's choice alone.
  if (request.propagationPolicy || !old['metadata'].deletionTimestamp) object['metadata'].finalizers = kept;
  if (object['metadata'].finalizers?.length === 0) delete object['metadata'].finalizers;
  return object;
}

/** Marks an object as being deleted, once. */
export function mark(object: Unstructured, now: string): void {
  const { metadata, kind } = object;
  if (metadata.deletionTimestamp) return;
  metadata.deletionTimestamp = now;
  if (kind !== 'Namespace') metadata.deletionGracePeriodSeconds = 0;
  if (metadata.generation) metadata.generation += 1;
}
