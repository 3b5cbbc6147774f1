import { once } from 'node:events';
import { everyKind, selectKinds } from '../api/kind-pattern.ts';
import { armKinds, operatorKinds, resourceOf } from '../api/kinds.ts';
import { operatorKeySecret } from '../api/permissions.ts';
import { armResourceModel } from '../arm-kinds/arm-resource.ts';
import { catalogueModel } from '../arm-kinds/catalogue-kind.ts';
import type { ArmModel } from '../arm-kinds/model.ts';
import { annotations, operatorName } from '../arm-kinds/names.ts';
import type { Credential, CredentialContext } from '../azure/identity/credential.ts';
import type { ArmClient } from '../azure/types.ts';
import { messageOf } from '../base/errors.ts';
import { noTracer, type Tracer } from '../base/observability/tracing.ts';
import { Graph, Limits } from '../engine/index.ts';
import type { CacheChange, WatchedCache } from '../kube/cache/types.ts';
import { configMapsType, namespacesType, secretsType } from '../kube/client/core-types.ts';
import type { KubeObject, ObjectKey } from '../kube/client/types.ts';
import { Controller } from '../kube/controller/controller.ts';
import type { Manager } from '../kube/controller/manager.ts';
import { objectKeyOf, objectOf } from '../kube/controller/mappers.ts';
import { ProgramKey } from '../kube/controller/program-key.ts';
import type { OperatorConfig } from './config.ts';
import { Credentials } from './credentials/credentials.ts';
import { CredentialFinalizers } from './credentials/in-use-finalizer.ts';
import { CredentialScopes } from './credentials/scopes.ts';
import { ExpressionProcess } from './export/expression-process.ts';
import { Vaults } from './export/key-vault-clients.ts';
import { ArmIdReservations } from './lifecycle/arm-id-reservations.ts';
import { isBeingDeletedInAzure } from './lifecycle/deletion.ts';
import { ObjectRecords } from './lifecycle/object-records.ts';
import { operatorMetrics } from './operator-metrics.ts';
import { isReady, isReadyAsIs } from './reconcile/conditions.ts';
import type { OperatorContext } from './reconcile/dependencies.ts';
import { ResourceReconciler } from './reconcile/reconciler.ts';
import { FingerprintKey } from './references/fingerprint-key.ts';
import { armNode, nodeOf, registrationNode } from './references/node-id.ts';
import { ObjectIndex, objectIndexes, projectMetadata, projectResource } from './references/object-index.ts';
import { OwnWrites } from './references/own-writes.ts';
import { Registrations } from './references/provider-registrations.ts';
import { WellKnownRoles } from './references/well-known-roles.ts';

/** The parts that the operator needs. Times in milliseconds. */
export interface OperatorParts {
  readonly manager: Manager;
  readonly arm: ArmClient;
  /** Gets a span for every reconcile run and each of its effects. @default none */
  readonly tracer?: Tracer;
  readonly credential: Credential;
  /** The operator's own namespace. */
  readonly namespace: string;
  /** For credentials of objects and namespaces. */
  readonly credentialContext: CredentialContext;
  readonly config: Pick<
    OperatorConfig,
    'targetNamespaces' | 'syncPeriodMs' | 'maxConcurrentReconciles' | 'defaultPolicy'
  > &
    Partial<
      Pick<
        OperatorConfig,
        | 'kinds'
        | 'defaultAdopt'
        | 'credentialScopes'
        | 'multiTenant'
        | 'keyVault'
        | 'rotationOverlapMs'
        | 'deletionHintMs'
      >
    >;
}

/**
 * Concurrent writes to Azure, by subscription and within it by region; ARM throttles far above that. Resources with
 * the same `turnOf` are written one at a time.
 */
const writesAtATime = { subscription: 32, region: 16, turn: 1 } as const;

/** Milliseconds between two checks for credentials that no object uses. */
const sweepMs = 60_000;

/**
 * Custom resources in one page of a LIST. The operator holds two pages at a time, and a resource may have tens of
 * kilobytes.
 */
const pageSize = 100;

/** The models of the kinds that a pattern selects. The operator does not watch other kinds. */
export function operatorModels(pattern: string = everyKind): ArmModel[] {
  const chosen = new Set(selectKinds(pattern, operatorKinds));
  const models = armKinds.filter((kind) => chosen.has(kind)).map(catalogueModel);
  return chosen.has(armResourceModel.definition) ? [...models, armResourceModel] : models;
}

/**
 * Adds the operator to a manager: a cache and a controller for each kind, which share one dependency graph. An object
 * that waits for another object, a Secret or a ConfigMap has an edge to it, and is enqueued when that changes.
 */
export function addOperator(parts: OperatorParts): void {
  const { manager, arm, config } = parts;
  const { runtime, events } = manager;
  const models = operatorModels(config.kinds);
  const namespaces = config.targetNamespaces.length > 0 ? { namespaces: config.targetNamespaces } : {};
  const caches = models.map(({ definition }) =>
    manager.watch({
      type: resourceOf(definition),
      project: projectResource,
      indexes: objectIndexes,
      pageSize,
      ...namespaces,
    }),
  );
  const secrets = manager.watch({ type: secretsType, metadataOnly: true, project: projectMetadata, ...namespaces });
  const configMaps = manager.watch({
    type: configMapsType,
    metadataOnly: true,
    project: projectMetadata,
    ...namespaces,
  });
  const namespaceCache = manager.watch({ type: namespacesType, metadataOnly: true });
  const graph = new Graph();
  const ownWrites = new OwnWrites();
  const controllers = new Map<string, Controller>();
  const primaries = new Map(caches.map((cache) => [`${cache.type.kind}.${cache.type.group}`, cache]));
  const enqueueDependents = (id: string, whom: Dependents = 'all') => {
    for (const dependent of graph.dependents(id)) {
      const [kind = '', path = ''] = dependent.split(' ');
      const [namespace = '', name = ''] = path.split('/');
      const object = whom === 'unready' ? primaries.get(kind)?.get({ namespace, name }) : undefined;
      if (!object || !isReadyAsIs(object)) controllers.get(kind)?.enqueue({ namespace, name });
    }
  };
  const programKey = new ProgramKey({
    client: runtime.client,
    namespace: parts.namespace,
    secretName: operatorKeySecret,
    fieldManager: operatorName,
  });
  const records = new ObjectRecords(programKey);
  const objects = new ObjectIndex(caches, records);
  const armIds = new ArmIdReservations(
    objects,
    () => runtime.clock.now(),
    (armId) => enqueueDependents(armNode(armId)),
  );
  const finalizers = new CredentialFinalizers(runtime.client, objects, secrets, ownWrites);
  const context: OperatorContext = {
    runtime,
    events,
    arm,
    graph,
    objects,
    records,
    armIds,
    namespaces: namespaceCache,
    credentials: new Credentials(runtime.client, parts.credential, parts.credentialContext, secrets, finalizers),
    credentialScopes: new CredentialScopes(config.credentialScopes ?? [], config.multiTenant),
    credentialFinalizers: finalizers,
    roles: new WellKnownRoles(arm),
    vaults: new Vaults(parts.credentialContext, runtime.clock, manager.mayWrite, config.keyVault),
    expressions: new ExpressionProcess({ clock: runtime.clock }),
    limits: new Limits((key) => writesAtATime[key.split(' ')[0] as keyof typeof writesAtATime]),
    metrics: operatorMetrics(runtime.metrics),
    tracer: parts.tracer ?? noTracer,
    memory: new Map(),
    defaultPolicy: config.defaultPolicy,
    defaultAdopt: config.defaultAdopt ?? 'always',
    registrations: new Registrations(arm, runtime.clock, (...which) => enqueueDependents(registrationNode(...which))),
    fingerprints: new FingerprintKey(programKey),
    syncPeriodMs: config.syncPeriodMs,
    rotationOverlapMs: config.rotationOverlapMs ?? 3_600_000,
    deletionHintMs: config.deletionHintMs ?? 900_000,
    enqueueDependents,
    ownWrites,
  };

  manager.addTask(async (stop) => {
    if (!stop.aborted) await once(stop, 'abort');
    context.expressions.close();
  });
  // A run that removes the last use of a credential may be killed before it removes the Secret's finalizer.
  manager.addTask(async (stop, lost) => {
    const end = lost ? AbortSignal.any([stop, lost]) : stop;
    while (!end.aborted) {
      await records
        .load(end)
        .then(() => finalizers.removeUnused(end))
        .catch((error: unknown) => {
          if (!end.aborted)
            runtime.log.warn({ error: messageOf(error) }, 'the finalizer of unused credentials could not be removed');
        });
      await runtime.clock.sleep(sweepMs, end).catch(() => undefined);
    }
  });

  for (const [index, model] of models.entries()) {
    const primary = caches[index] as WatchedCache;
    const { reconcile } = new ResourceReconciler(model, primary.type, context);
    const controller = new Controller(runtime, {
      // With the group, because two groups may have kinds of the same name.
      name: `${model.definition.plural}.${model.definition.group}`,
      primary,
      reconcile,
      filter: isRelevantChange,
      concurrency: config.maxConcurrentReconciles,
      backoff: { initialMs: 500, maxMs: 60_000 },
    });
    controllers.set(`${model.definition.kind}.${model.definition.group}`, controller);
    manager.addController(controller);
    primary.onChange((change) => {
      // Objects that wait for the ARM id may get it now.
      const freed = change.type === 'deleted' ? change.old.metadata.annotations?.[annotations.resourceId] : undefined;
      if (freed !== undefined) enqueueDependents(armNode(freed));
      const whom = dependentsToEnqueue(change);
      if (whom !== undefined) enqueueDependents(nodeOf(objectOf(change)), whom);
    });
  }
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
      // Readers are enqueued for every writer: the operator often writes for one object what another object waits for.
      enqueueDependents(nodeOf(object));
    });
  }
  namespaceCache.onChange((change) => {
    if (change.type !== 'updated') return;
    const { reconcilePolicy, adopt, rotationOverlap } = annotations;
    if (![reconcilePolicy, adopt, rotationOverlap].some((each) => differs(change, each))) return;
    for (const cache of caches) {
      for (const object of cache.list(change.object.metadata.name)) {
        controllers.get(`${cache.type.kind}.${cache.type.group}`)?.enqueue(keyOf(object));
      }
    }
  });
}

function keyOf(object: KubeObject): ObjectKey {
  return objectKeyOf(object);
}

/** The predicate of all controllers: changes of the desired state, not of the status or the operator's annotations. */
function isRelevantChange(change: CacheChange): boolean {
  if (change.type !== 'updated') return true;
  const { object, old } = change;
  return (
    object.metadata.generation !== old.metadata.generation ||
    object.metadata.deletionTimestamp !== old.metadata.deletionTimestamp ||
    differs(change, annotations.reconcilePolicy) ||
    differs(change, annotations.credentialFrom) ||
    differs(change, annotations.adopt) ||
    differs(change, annotations.ignoreFields) ||
    differs(change, annotations.retry) ||
    differs(change, annotations.rotateCredentials) ||
    differs(change, annotations.rotateKeys) ||
    differs(change, annotations.rotationOverlap) ||
    // Once Azure has the resource, only a user changes this annotation: the run repairs or reports it.
    (object['status']?.id !== undefined && differs(change, annotations.resourceId))
  );
}

/** Which dependents of an object to enqueue: all, or those that are not Ready. */
type Dependents = 'all' | 'unready';

/**
 * Which dependents to enqueue when an object changes. All dependents use its id and notice its deletion; its Ready
 * condition only helps dependents that Azure refused in the meantime.
 */
function dependentsToEnqueue(change: CacheChange): Dependents | undefined {
  if (change.type !== 'updated') return 'all';
  const { object, old } = change;
  if (
    object['status']?.id !== old['status']?.id ||
    object.metadata.deletionTimestamp !== old.metadata.deletionTimestamp ||
    differs(change, annotations.resourceId) ||
    isBeingDeletedInAzure(object) !== isBeingDeletedInAzure(old)
  ) {
    return 'all';
  }
  return isReady(object['status']?.conditions) && !isReady(old['status']?.conditions) ? 'unready' : undefined;
}

function differs(change: Extract<CacheChange, { type: 'updated' }>, annotation: string): boolean {
  return change.object.metadata.annotations?.[annotation] !== change.old.metadata.annotations?.[annotation];
}
