import { once } from 'node:events';
import { everyKind, selectKinds } from '../api/kind-pattern.ts';
import { type ArmKindDefinition, operatorKinds, resourceOf } from '../api/kinds.ts';
import { managedSecret } from '../api/machines/managed-secret.ts';
import type { KindDefinition } from '../api/types.ts';
import { armResourceModel } from '../arm-kinds/arm-resource.ts';
import { catalogueModel } from '../arm-kinds/catalogue-kind.ts';
import type { ArmModel } from '../arm-kinds/model.ts';
import { annotations } from '../arm-kinds/names.ts';
import { messageOf } from '../base/errors.ts';
import type { WatchedCache } from '../kube/cache/types.ts';
import { configMapsType, namespacesType, secretsType } from '../kube/client/core-types.ts';
import type { KubeObject } from '../kube/client/types.ts';
import { Controller } from '../kube/controller/controller.ts';
import type { Manager } from '../kube/controller/manager.ts';
import { objectKeyOf, objectOf } from '../kube/controller/mappers.ts';
import { createContext, type OperatorParts } from './create-context.ts';
import { Credentials } from './credentials/credentials.ts';
import { addDeployments } from './deployments/deployments.ts';
import { KindCaches } from './kinds/kind-caches.ts';
import { serveDefined } from './kinds/served-definitions.ts';
import { freedArmId } from './lifecycle/arm-id-reservations.ts';
import { createMachineSecrets } from './machines/create-machine-secrets.ts';
import { addManagedSecrets, type WatchedSecrets, watchManagedSecrets } from './managed-secrets/managed-secrets.ts';
import { annotationChanged, type Dependents, dependentsToEnqueue, isRelevantChange } from './predicates.ts';
import type { OperatorContext } from './reconcile/operator-context.ts';
import { ResourceReconciler } from './reconcile/reconciler.ts';
import { isReadyAsIs } from './reconcile/report/conditions.ts';
import { armNode, nodeOf } from './references/node-id.ts';
import { objectIndexes, projectMetadata, projectResource, projectWithChildScope } from './references/object-index.ts';
import { addServiceAccountCheck } from './workload-identity/service-accounts.ts';

/**
 * Custom resources in one page of a LIST. The operator holds two pages at a time, and a resource may have tens of
 * kilobytes.
 */
const pageSize = 100;

/** Milliseconds between two checks for credentials that no object uses. */
const sweepMs = 60_000;

/**
 * Adds the operator to a manager: a cache and a controller for each kind, which share one dependency graph. An object
 * that waits for another object, a Secret or a ConfigMap has an edge to it, and is enqueued when that changes. The kinds
 * are those that `config.kinds` selects, or those whose definitions in the cluster are Azimuth's.
 */
export function addOperator(parts: OperatorParts): void {
  const { manager, config } = parts;
  const { runtime } = manager;
  const kinds = selectKinds(config.kinds || everyKind, operatorKinds);
  const namespaces = config.targetNamespaces.length > 0 ? { namespaces: config.targetNamespaces } : {};
  const caches = new KindCaches();
  const secrets = manager.watch({ type: secretsType, metadataOnly: true, project: projectMetadata, ...namespaces });
  const configMaps = manager.watch({
    type: configMapsType,
    metadataOnly: true,
    project: projectMetadata,
    ...namespaces,
  });
  const namespaceCache = manager.watch({ type: namespacesType, metadataOnly: true });
  const controllers = new Map<string, Controller>();
  const enqueueDependents = (id: string, whom: Dependents = 'all') => {
    for (const dependent of context.graph.dependents(id)) {
      const [node = '', path = ''] = dependent.split(' ');
      const [namespace = '', name = ''] = path.split('/');
      const dot = node.indexOf('.');
      const [kind, group] = [node.slice(0, dot), node.slice(dot + 1)];
      const object = whom === 'unready' ? caches.get(group, kind, { namespace, name }) : undefined;
      if (!object || !isReadyAsIs(object)) controllers.get(node)?.enqueue({ namespace, name });
    }
  };
  const own: WatchedSecrets | undefined = config.machineSecrets
    ? watchManagedSecrets({
        manager,
        arm: parts.arm,
        authorizer: parts.credential.authorizer,
        feature: config.managedSecretsFeature,
        namespaces: config.targetNamespaces,
        enqueueDependents,
        holders: (subscription): number => machines?.holders(subscription) ?? 0,
      })
    : undefined;
  const managedSecrets = parts.managedSecrets ?? own?.secrets;
  const machines =
    managedSecrets &&
    createMachineSecrets(managedSecrets, { serves: (kind) => kinds.includes(kind), caches, enqueueDependents });
  const context = createContext(parts, { caches, secrets, namespaces: namespaceCache, machines }, enqueueDependents);
  const { ownWrites } = context;
  runBackgroundTasks(manager, context, caches);
  if (own) {
    // Nothing in Azure is deleted with a ManagedSecret, so it does not keep the Secret of its credential.
    const hold = {
      ensure: async () => undefined,
      isGone: context.credentialFinalizers.isGone.bind(context.credentialFinalizers),
    };
    const credentials = new Credentials(runtime.client, parts.credential, parts.credentialContext, secrets, hold);
    const controller = addManagedSecrets(own, {
      manager,
      context,
      credentials,
      workers: config.maxConcurrentReconciles,
    });
    controllers.set(`${managedSecret.kind}.${managedSecret.group}`, controller);
  }

  if (config.deployments) {
    const made = new KindCaches(own ? [own.objects as unknown as WatchedCache] : []);
    caches.onAdded((cache) => made.add(cache));
    addDeployments({
      manager,
      events: context.events,
      key: context.programKey,
      objects: context.objects,
      tenantId: parts.credential.tenantId,
      answers: { arm: context.arm, credentials: context.credentials, scopes: context.credentialScopes },
      caches: made,
      namespaces: config.targetNamespaces,
      workers: config.maxConcurrentReconciles,
    });
  }
  if (config.checkServiceAccounts) {
    addServiceAccountCheck({ manager, events: context.events, namespaces: config.targetNamespaces });
  }
  const serve = (definition: KindDefinition) => {
    const model = modelOf(definition);
    const primary = manager.watch({
      type: resourceOf(definition),
      project: definition.arm?.childScope ? projectWithChildScope(definition.arm.childScope) : projectResource,
      indexes: objectIndexes,
      pageSize,
      ...namespaces,
    });
    caches.add(primary);
    const { reconcile } = new ResourceReconciler(model, primary.type, context);
    const controller = new Controller(runtime, {
      // With the group, because two groups may have kinds of the same name.
      name: `${definition.plural}.${definition.group}`,
      primary,
      reconcile,
      filter: isRelevantChange,
      concurrency: config.maxConcurrentReconciles,
      backoff: { initialMs: 500, maxMs: 60_000 },
    });
    controllers.set(`${definition.kind}.${definition.group}`, controller);
    manager.addController(controller);
    primary.onChange((change) => {
      // Objects that wait for the ARM id may get it now.
      const freed = freedArmId(change);
      if (freed !== undefined) enqueueDependents(armNode(freed));
      const whom = dependentsToEnqueue(change);
      if (whom !== undefined) enqueueDependents(nodeOf(objectOf(change)), whom);
    });
  };
  const enqueueOwners = (object: KubeObject) => {
    for (const { apiVersion, kind, name } of object.metadata.ownerReferences ?? []) {
      const { namespace = '' } = object.metadata;
      controllers.get(`${kind}.${apiVersion.split('/')[0]}`)?.enqueue({ namespace, name });
    }
  };
  for (const cache of [secrets, configMaps]) {
    cache.onChange((change) => {
      const object = objectOf(change);
      const own = ownWrites.includes(object);
      if (change.type === 'deleted') ownWrites.forget(object);
      // The operator restores its exports when somebody changes or deletes them.
      if (change.type !== 'added' && !own) enqueueOwners(object);
      // Readers are enqueued for every writer: the operator often writes a value for one object that another waits for.
      enqueueDependents(nodeOf(object));
    });
  }
  namespaceCache.onChange((change) => {
    if (change.type !== 'updated') return;
    const { reconcilePolicy, adopt, rotationOverlap } = annotations;
    if (![reconcilePolicy, adopt, rotationOverlap].some((each) => annotationChanged(change, each))) return;
    for (const cache of caches) {
      for (const object of cache.list(change.object.metadata.name)) {
        controllers.get(`${cache.type.kind}.${cache.type.group}`)?.enqueue(objectKeyOf(object));
      }
    }
  });
  if (config.kinds) for (const kind of kinds) serve(kind);
  else caches.definitions = serveDefined(manager, kinds, serve);
}

/** The model of a kind that the operator reconciles; it reads the data of the kind. */
function modelOf(definition: KindDefinition): ArmModel {
  const kind = definition.arm && (definition as ArmKindDefinition);
  return kind ? catalogueModel(kind) : armResourceModel;
}

/** Removes finalizers of unused credentials while this replica leads, and ends the process of expressions at the stop. */
function runBackgroundTasks(manager: Manager, context: OperatorContext, caches: KindCaches): void {
  manager.addTask(async (stop) => {
    if (!stop.aborted) await once(stop, 'abort');
    context.expressions.close();
  });
  // A run that removes the last use of a credential may be killed before it removes the Secret's finalizer.
  manager.addTask(async (stop, lost) => {
    const end = lost ? AbortSignal.any([stop, lost]) : stop;
    const catchUp = () => context.termCaches.catchUp([...caches], end);
    while (!end.aborted) {
      await context.records
        .load(end)
        .then(() => context.credentialFinalizers.removeUnused(end, catchUp))
        .catch((error: unknown) => {
          if (!end.aborted)
            context.runtime.log.warn(
              { error: messageOf(error) },
              'the finalizer of unused credentials could not be removed',
            );
        });
      await context.runtime.clock.sleep(sweepMs, end).catch(() => undefined);
    }
  });
}
