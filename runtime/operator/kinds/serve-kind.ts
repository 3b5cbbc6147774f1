import { type ArmKindDefinition, resourceOf } from '../../api/kinds.ts';
import type { KindDefinition } from '../../api/types.ts';
import { armResourceModel } from '../../arm-kinds/arm-resource.ts';
import { catalogueModel } from '../../arm-kinds/catalogue-kind.ts';
import type { ArmModel } from '../../arm-kinds/model.ts';
import type { WatchedCache } from '../../kube/cache/types.ts';
import { Controller } from '../../kube/controller/controller.ts';
import type { Manager } from '../../kube/controller/manager.ts';
import { objectOf } from '../../kube/controller/mappers.ts';
import type { ReconcileDeps } from '../effects/reconcile-deps.ts';
import { freedArmId } from '../lifecycle/arm-id-reservations.ts';
import type { KindCaches } from '../objects/kind-caches.ts';
import { armNode, nodeOf } from '../objects/node-id.ts';
import { objectIndexes, projectResource, projectWithChildScope } from '../objects/object-index.ts';
import { dependentsToEnqueue, isRelevantChange } from '../predicates.ts';
import { ResourceReconciler } from '../reconcile/reconciler.ts';
import type { KindControllers } from './kind-controllers.ts';

/** What the kinds share. */
export interface ServedKindDeps {
  readonly manager: Manager;
  readonly shared: ReconcileDeps;
  readonly caches: KindCaches;
  readonly controllers: KindControllers;
  /** Namespaces to watch; all when empty. */
  readonly namespaces: readonly string[];
  /** Concurrent reconcile runs of each kind. */
  readonly workers: number;
}

/**
 * Custom resources in one page of a LIST. The operator holds two pages at a time, and a resource may have tens of
 * kilobytes.
 */
const pageSize = 100;

/** Adds the cache and the controller of a kind to the manager. Changes of its objects enqueue their dependents. */
export function serveKind(definition: KindDefinition, deps: ServedKindDeps): void {
  const primary = deps.manager.watch({
    type: resourceOf(definition),
    project: definition.arm?.childScope ? projectWithChildScope(definition.arm.childScope) : projectResource,
    indexes: objectIndexes,
    pageSize,
    ...(deps.namespaces.length > 0 && { namespaces: deps.namespaces }),
  });
  deps.caches.add(primary);
  const controller = controllerOf(definition, primary, deps);
  deps.controllers.add(definition, controller);
  deps.manager.addController(controller);
  primary.onChange((change) => {
    // Objects that wait for the ARM id may get it now.
    const freed = freedArmId(change);
    if (freed !== undefined) deps.controllers.enqueueDependents(armNode(freed));
    const which = dependentsToEnqueue(change);
    if (which !== undefined) deps.controllers.enqueueDependents(nodeOf(objectOf(change)), which);
  });
  primary.onRestored(() => {
    deps.shared.ownWrites.clear();
    for (const { metadata } of primary.list()) {
      const { uid = '', namespace, name, generation } = metadata;
      deps.shared.records.forget(uid);
      // Azure may have moved on since the backup: the run reads it, whatever the status says.
      deps.shared.memory.set(uid, { attempts: 0, generation, seenInThisProcess: true });
      controller.enqueue({ namespace, name });
    }
  });
}

function controllerOf(
  definition: KindDefinition,
  primary: WatchedCache,
  { manager, shared, workers }: ServedKindDeps,
): Controller {
  const { reconcile } = new ResourceReconciler(modelOf(definition), primary.type, shared);
  return new Controller(manager.runtime, {
    // With the group, because two groups may have kinds of the same name.
    name: `${definition.plural}.${definition.group}`,
    primary,
    reconcile,
    filter: isRelevantChange,
    concurrency: workers,
    backoff: { initialMs: 500, maxMs: 60_000 },
  });
}

/** The model of a kind that the operator reconciles; it reads the data of the kind. */
function modelOf(definition: KindDefinition): ArmModel {
  const kind = definition.arm && (definition as ArmKindDefinition);
  return kind ? catalogueModel(kind) : armResourceModel;
}
