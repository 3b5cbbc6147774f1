import { annotations } from '../arm-kinds/names.ts';
import type { CacheChange, WatchedCache } from '../kube/cache/types.ts';
import { configMapsType, namespacesType, secretsType } from '../kube/client/core-types.ts';
import type { Manager } from '../kube/controller/manager.ts';
import { objectKeyOf, objectOf } from '../kube/controller/mappers.ts';
import type { KindControllers } from './kinds/kind-controllers.ts';
import type { KindCaches } from './objects/kind-caches.ts';
import { nodeOf } from './objects/node-id.ts';
import { projectMetadata } from './objects/object-index.ts';
import { annotationChanged } from './predicates.ts';
import type { OwnWrites } from './references/own-writes.ts';

/** The caches of Secrets, ConfigMaps and Namespaces, of which the operator keeps the metadata. */
export interface CoreObjects {
  readonly secrets: WatchedCache;
  readonly configMaps: WatchedCache;
  readonly namespaces: WatchedCache;
}

/** Watches the Secrets and ConfigMaps of the namespaces, of all where none is named, and every Namespace. */
export function watchCoreObjects(manager: Manager, targetNamespaces: readonly string[]): CoreObjects {
  const scope = targetNamespaces.length > 0 ? { namespaces: targetNamespaces } : {};
  const metadata = { metadataOnly: true, project: projectMetadata, ...scope };
  return {
    secrets: manager.watch({ type: secretsType, ...metadata }),
    configMaps: manager.watch({ type: configMapsType, ...metadata }),
    namespaces: manager.watch({ type: namespacesType, metadataOnly: true }),
  };
}

/** Enqueues the custom resources that a change of a Secret, a ConfigMap or a Namespace concerns. */
export function enqueueOnChanges(
  { secrets, configMaps, namespaces }: CoreObjects,
  controllers: KindControllers,
  { caches, ownWrites }: { readonly caches: KindCaches; readonly ownWrites: OwnWrites },
): void {
  for (const cache of [secrets, configMaps]) {
    cache.onChange((change) => {
      const object = objectOf(change);
      const isOwnWrite = ownWrites.includes(object);
      if (change.type === 'deleted') ownWrites.forget(object);
      // The operator restores its exports when somebody changes or deletes them.
      if (change.type !== 'added' && !isOwnWrite) controllers.enqueueOwners(object);
      // Readers are enqueued for every writer: the operator often writes a value for one object that another waits for.
      controllers.enqueueDependents(nodeOf(object));
    });
  }
  namespaces.onChange((change) => {
    if (!changesPolicy(change)) return;
    for (const cache of caches) {
      for (const object of cache.list(objectOf(change).metadata.name)) {
        controllers.enqueue(cache.type.group, cache.type.kind, objectKeyOf(object));
      }
    }
  });
}

/** Whether a change of a Namespace is one for its objects. */
function changesPolicy(change: CacheChange): boolean {
  if (change.type !== 'updated') return false;
  const { reconcilePolicy, adopt, rotationOverlap } = annotations;
  return [reconcilePolicy, adopt, rotationOverlap].some((each) => annotationChanged(change, each));
}
