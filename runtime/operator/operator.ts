import { computeDeployment } from '../api/deployments/compute-deployment.ts';
import { everyKind, selectKinds } from '../api/kind-pattern.ts';
import { operatorKinds } from '../api/kinds.ts';
import { managedSecret } from '../api/machines/managed-secret.ts';
import type { KindDefinition } from '../api/types.ts';
import type { WatchedCache } from '../kube/cache/types.ts';
import type { Controller } from '../kube/controller/controller.ts';
import { addBackgroundTasks } from './background-tasks.ts';
import { enqueueOnChanges, watchCoreObjects } from './core-objects.ts';
import { createReconcileDeps, dependencyGraph, type OperatorDeps } from './create-reconcile-deps.ts';
import { Credentials } from './credentials/credentials.ts';
import { addDeployments } from './deployments/deployments.ts';
import type { ReconcileDeps } from './effects/reconcile-deps.ts';
import { KindControllers } from './kinds/kind-controllers.ts';
import { serveKind } from './kinds/serve-kind.ts';
import { serveDefined } from './kinds/served-definitions.ts';
import { createMachineSecrets } from './machines/create-machine-secrets.ts';
import { addManagedSecrets, type WatchedSecrets, watchManagedSecrets } from './managed-secrets/managed-secrets.ts';
import { KindCaches } from './objects/kind-caches.ts';
import { managedSecretsOf, valuesOf } from './reconcile/plan/azure-values.ts';
import { addServiceAccountCheck } from './workload-identity/service-accounts.ts';

/**
 * Adds the operator to a manager: a cache and a controller for each kind, which share one dependency graph. An object
 * that waits for another object, a Secret or a ConfigMap has an edge to it, and is enqueued when that changes. The kinds
 * are those that `config.kinds` selects, or those whose definitions in the cluster are Azimuth's.
 */
export function addOperator(deps: OperatorDeps): void {
  const { manager, config } = deps;
  const { targetNamespaces: namespaces, maxConcurrentReconciles: workers } = config;
  const kinds = selectKinds(config.kinds || everyKind, operatorKinds);
  const caches = new KindCaches();
  const core = watchCoreObjects(manager, namespaces);
  const graph = dependencyGraph();
  const controllers = new KindControllers(graph, caches);
  const enqueueDependents = (node: string) => controllers.enqueueDependents(node);

  const watchedSecrets: WatchedSecrets | undefined = config.machineSecrets
    ? watchOwnSecrets(deps, enqueueDependents, (subscription): number => machines?.holders(subscription) ?? 0)
    : undefined;
  const managedSecrets = deps.managedSecrets ?? watchedSecrets?.secrets;
  const machines =
    managedSecrets &&
    createMachineSecrets(managedSecrets, { serves: (kind) => kinds.includes(kind), caches, enqueueDependents });
  const shared = createReconcileDeps(deps, { ...core, graph, caches, machines }, enqueueDependents);

  addBackgroundTasks(manager, shared, caches);
  if (watchedSecrets) controllers.add(managedSecret, addSecretController(deps, watchedSecrets, shared, core.secrets));
  if (config.deployments)
    addDeploymentController(deps, shared, { caches, controllers, watchedSecrets, secrets: core.secrets });
  if (config.checkServiceAccounts) addServiceAccountCheck({ manager, events: shared.events, namespaces });
  enqueueOnChanges(core, controllers, { caches, ownWrites: shared.ownWrites });

  const serve = (kind: KindDefinition) =>
    serveKind(kind, { manager, shared, caches, controllers, namespaces, workers });
  if (config.kinds) for (const kind of kinds) serve(kind);
  else caches.definitions = serveDefined(manager, kinds, serve);
}

/** Watches the ManagedSecrets of the cluster, which machines get. */
function watchOwnSecrets(
  { manager, arm, credential, config }: OperatorDeps,
  enqueueDependents: (node: string) => void,
  holders: (subscription: string) => number,
): WatchedSecrets {
  return watchManagedSecrets({
    manager,
    arm,
    authorizer: credential.authorizer,
    feature: config.managedSecretsFeature,
    namespaces: config.targetNamespaces,
    enqueueDependents,
    holders,
  });
}

/** The credentials of objects with which nothing in Azure is deleted, so that they keep no Secret. */
function credentialsWithoutHold(
  { manager, credential, credentialContext }: Pick<OperatorDeps, 'manager' | 'credential' | 'credentialContext'>,
  { credentialFinalizers }: ReconcileDeps,
  secrets: WatchedCache,
): Credentials {
  const isGone = credentialFinalizers.isGone.bind(credentialFinalizers);
  const hold = { ensure: async () => undefined, isGone };
  return new Credentials(manager.runtime.client, credential, credentialContext, secrets, hold);
}

/** Adds the controller of ManagedSecrets. */
function addSecretController(
  { manager, config, credential, credentialContext }: OperatorDeps,
  watchedSecrets: WatchedSecrets,
  deps: ReconcileDeps,
  secrets: WatchedCache,
): Controller {
  const credentials = credentialsWithoutHold({ manager, credential, credentialContext }, deps, secrets);
  return addManagedSecrets(watchedSecrets, {
    manager,
    shared: deps,
    credentials,
    workers: config.maxConcurrentReconciles,
  });
}

/** Adds the controller of ComputeDeployments, which may make objects of all kinds. */
function addDeploymentController(
  { manager, config, credential, credentialContext, apiServerHosts = [] }: OperatorDeps,
  deps: ReconcileDeps,
  {
    caches,
    controllers,
    watchedSecrets,
    secrets,
  }: {
    readonly caches: KindCaches;
    readonly controllers: KindControllers;
    readonly watchedSecrets: WatchedSecrets | undefined;
    readonly secrets: WatchedCache;
  },
): void {
  const made = new KindCaches(watchedSecrets ? [watchedSecrets.objects as unknown as WatchedCache] : []);
  caches.onAdded((cache) => made.add(cache));
  const withoutHold = credentialsWithoutHold({ manager, credential, credentialContext }, deps, secrets);
  addDeployments({
    manager,
    events: deps.events,
    key: deps.programKey,
    objects: deps.objects,
    tenantId: credential.tenantId,
    answers: {
      arm: deps.arm,
      credentials: deps.credentials,
      outsideCredentials: withoutHold,
      scopes: deps.credentialScopes,
      values: (object, chosen, context) => valuesOf(deps, object, chosen, context),
    },
    vaultValues: {
      credentials: withoutHold,
      managedSecrets: (object, chosen) => managedSecretsOf(deps.machines?.secrets, object, chosen),
    },
    caches: made,
    namespaces: config.targetNamespaces,
    multiTenant: config.multiTenant ?? false,
    gates: {
      targets: config.gateTargets ?? [],
      apiServers: apiServerHosts,
      jobs: config.gateJobs ?? false,
      readAgain: (group, kind, key) => controllers.enqueue(group, kind, key),
    },
    templateRegistries: config.templateRegistries ?? [],
    outputsResyncMs: config.syncPeriodMs,
    isRefused: (uid) => deps.memory.get(uid)?.isRefused ?? false,
    workers: config.maxConcurrentReconciles,
    statusTooLarge: () => deps.metrics.statusTooLarge(computeDeployment),
  });
}
