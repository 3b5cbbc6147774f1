import { generatedName } from '../model/names.ts';
import { keyFor, type Resource } from '../model/resource.ts';
import { badRequest, forbidden, notFound, type StatusError } from '../model/status.ts';
import type { Store } from '../model/store.ts';
import type { Unstructured } from '../model/types.ts';
import type { Target } from '../model/write-request.ts';

const namespaces = { group: '', plural: 'namespaces', kind: 'Namespace' };

/** Refuses an object for a namespace that is not there, or that goes. */
export function checkNamespace(store: Store, resource: Resource, namespace: string, name: string): void {
  const found = store.get('namespaces', namespace);
  if (!found) throw notFound(namespaces, namespace);
  if (!found['metadata'].deletionTimestamp) return;
  throw forbidden(
    resource,
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
    [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  );
}

/** Refuses an object whose name or namespace is not that of the URL. */
export function checkAddress({ resource, namespace, name }: Target, object: Unstructured): void {
  const metadata = object['metadata'];
  if (metadata.name !== name)
    throw badRequest(`the name of the object (${metadata.name ?? ''}) does not match the name on the URL (${name})`);
  if (resource.namespaced && (metadata.namespace ?? namespace) !== namespace) throw wrongNamespace();
}

/** A generated name that no object has yet; the last of eight tries may be taken. */
export function freeName(store: Store, resource: Resource, namespace: string, base: string): string {
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const name = generatedName(base);
    if (!store.get(resource.bucket, keyFor(resource, namespace, name))) return name;
  }
  return generatedName(base);
}

/** The refusal of an object in the path of another namespace. */
export const wrongNamespace = (): StatusError =>
  badRequest('the namespace of the provided object does not match the namespace sent on the request');
