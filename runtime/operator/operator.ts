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
import { CredentialHolds } from './credentials/in-use-finalizer.ts';
import { CredentialScopes } from './credentials/scopes.ts';
import { ExpressionProcess } from './export/expression-process.ts';
import { Vaults } from './export/key-vault-clients.ts';
import { ArmIdHolders } from './lifecycle/arm-id-holders.ts';
import { isBeingDeletedInAzure } from './lifecycle/deletion.ts';
import { ObjectRecords } from './lifecycle/object-records.ts';
import { operatorMetrics } from './operator-metrics.ts';
import { isReady, isReadyAsIs } from './reconcile/conditions.ts';
import type { OperatorContext } from './reconcile/dependencies.ts';
import { ResourceReconciler } from './reconcile/reconciler.ts';
import { FingerprintKey } from './references/fingerprint-key.ts';
import { armNode, nodeId, nodeOf, registrationNode } from './references/node-id.ts';
import { forNames, forStore, Stores, storeIndexes } from './references/object-index.ts';
import { Registrations } from './references/provider-registrations.ts';
import { WellKnownRoles } from './references/well-known-roles.ts';

export interface OperatorParts {
  readonly manager: Manager;
  readonly arm: ArmClient;
  /** Gets a span for every pass over an object and what is done in it. @default none */
  readonly tracer?: Tracer;
  readonly credential: Credential;
  /** The operator's own. */
  readonly namespace: string;
  /** For credentials that objects and namespaces bring along. */
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
 * Writes to Azure at a time, by subscription and within it by region; ARM throttles far above that. What
 * `turnOf` puts together goes one by one.
 */
const writesAtATime = { subscription: 32, region: 16, turn: 1 } as const;

/** Time between two looks for credentials that nobody uses any more. */
const sweepMs = 60_000;

/** Custom resources in one page of a LIST: two pages are held at a time, and one resource may have tens of kilobytes. */
const pageSize = 100;

/** The models of the kinds that a pattern selects. What is not among them is not watched and costs nothing. */
export function operatorModels(pattern: string = everyKind): ArmModel[] {
  const chosen = new Set(selectKinds(pattern, operatorKinds));
  const models = armKinds.filter((kind) => chosen.has(kind)).map(catalogueModel);
  return chosen.has(armResourceModel.definition) ? [...models, armResourceModel] : models;
}

/**
 * Adds the operator to a manager: a cache and a controller for each kind, and the wake-ups between them. Whoever waits
 * for an object, a Secret or a ConfigMap is an edge of one graph, and is looked at when that changes.
 */
export function addOperator(parts: OperatorParts): void {
  const { manager, arm, config } = parts;
  const { runtime, events } = manager;
  const models = operatorModels(config.kinds);
  const namespaces = config.targetNamespaces.length > 0 ? { namespaces: config.targetNamespaces } : {};
  const caches = models.map(({ definition }) =>
    manager.watch({ type: resourceOf(definition), project: forStore, indexes: storeIndexes, pageSize, ...namespaces }),
  );
  const secrets = manager.watch({ type: secretsType, metadataOnly: true, project: forNames, ...namespaces });
  const configMaps = manager.watch({ type: configMapsType, metadataOnly: true, project: forNames, ...namespaces });
  const namespaceCache = manager.watch({ type: namespacesType, metadataOnly: true });
  const graph = new Graph();
  const written = new Map<string, string>();
  const wrote: OperatorContext['wrote'] = (kind, namespace, name, version) => {
    written.set(nodeId('', kind, { namespace, name }), version);
  };
  const controllers = new Map<string, Controller>();
  const primaries = new Map(caches.map((cache) => [`${cache.type.kind}.${cache.type.group}`, cache]));
  const wake = (id: string, whom: Concerned = 'all') => {
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
  const stores = new Stores(caches, records);
  const armIds = new ArmIdHolders(
    stores,
    () => runtime.clock.now(),
    (armId) => wake(armNode(armId)),
  );
  const holds = new CredentialHolds(runtime.client, stores, secrets, wrote);
  const context: OperatorContext = {
    runtime,
    events,
    arm,
    graph,
    stores,
    records,
    armIds,
    namespaces: namespaceCache,
    credentials: new Credentials(runtime.client, parts.credential, parts.credentialContext, secrets, holds),
    credentialScopes: new CredentialScopes(config.credentialScopes ?? [], config.multiTenant),
    credentialHolds: holds,
    roles: new WellKnownRoles(arm),
    vaults: new Vaults(parts.credentialContext, runtime.clock, manager.mayWrite, config.keyVault),
    expressions: new ExpressionProcess({ clock: runtime.clock }),
    limits: new Limits((key) => writesAtATime[key.split(' ')[0] as keyof typeof writesAtATime]),
    metrics: operatorMetrics(runtime.metrics),
    tracer: parts.tracer ?? noTracer,
    memory: new Map(),
    defaultPolicy: config.defaultPolicy,
    defaultAdopt: config.defaultAdopt ?? 'always',
    registrations: new Registrations(arm, runtime.clock, (...which) => wake(registrationNode(...which))),
    fingerprints: new FingerprintKey(programKey),
    syncPeriodMs: config.syncPeriodMs,
    rotationOverlapMs: config.rotationOverlapMs ?? 3_600_000,
    deletionHintMs: config.deletionHintMs ?? 900_000,
    wake,
    wrote,
  };

  manager.addTask(async (stop) => {
    if (!stop.aborted) await once(stop, 'abort');
    context.expressions.close();
  });
  // What lets go of a credential at once may be killed before it comes to that.
  manager.addTask(async (stop, lost) => {
    const end = lost ? AbortSignal.any([stop, lost]) : stop;
    while (!end.aborted) {
      await records
        .load(end)
        .then(() => holds.sweep(end))
        .catch((error: unknown) => {
          if (!end.aborted) runtime.log.warn({ error: messageOf(error) }, 'credentials could not be let go');
        });
      await runtime.clock.sleep(sweepMs, end).catch(() => undefined);
    }
  });

  for (const [index, model] of models.entries()) {
    const primary = caches[index] as WatchedCache;
    const { reconcile } = new ResourceReconciler(model, primary.type, context);
    const controller = new Controller(runtime, {
      // With the group, since metrics and logs of two kinds of one name would be one otherwise.
      name: `${model.definition.plural}.${model.definition.group}`,
      primary,
      reconcile,
      filter: concernsUs,
      concurrency: config.maxConcurrentReconciles,
      backoff: { initialMs: 500, maxMs: 60_000 },
    });
    controllers.set(`${model.definition.kind}.${model.definition.group}`, controller);
    manager.addController(controller);
    primary.onChange((change) => {
      // Who waits for its ARM id may have it now, if it had it.
      const freed = change.type === 'deleted' ? change.old.metadata.annotations?.[annotations.resourceId] : undefined;
      if (freed !== undefined) wake(armNode(freed));
      const whom = concernedBy(change);
      if (whom !== undefined) wake(nodeOf(objectOf(change)), whom);
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
      const id = nodeId('', cache.type.kind, objectKeyOf(object));
      const own = written.get(id) === object.metadata.resourceVersion;
      if (change.type === 'deleted') written.delete(id);
      // What we export is restored when somebody changes or deletes it.
      if (change.type !== 'added' && !own) enqueueOwners(object);
      // Who reads it looks again whoever wrote it: often the operator, for one object, what another waits for.
      wake(id);
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

/** Changes of what is wanted. Our own annotations and the status change all the time and mean nothing to us. */
function concernsUs(change: CacheChange): boolean {
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
    // Nobody changes it once Azure has the resource but a person, and then it is to be said, or is mended.
    (object['status']?.id !== undefined && differs(change, annotations.resourceId))
  );
}

/** Of those that need an object: all, or those alone that are not Ready themselves. */
type Concerned = 'all' | 'unready';

/**
 * Who must look again when an object changes that others need. Its id and its deletion are what they are made of; that it is
 * Ready, after it was not, may only help whoever Azure refused meanwhile.
 */
function concernedBy(change: CacheChange): Concerned | undefined {
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
