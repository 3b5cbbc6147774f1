import { resourceOf } from '../../api/kinds.ts';
import { managedSecret } from '../../api/machines/managed-secret.ts';
import { withNormalizedSpec } from '../../kube/cache/projection.ts';
import type { WatchedCache } from '../../kube/cache/types.ts';
import { Controller } from '../../kube/controller/controller.ts';
import type { Manager } from '../../kube/controller/manager.ts';
import { objectKeyOf, wantedChanged } from '../../kube/controller/mappers.ts';
import type { Credentials } from '../credentials/credentials.ts';
import type { ReconcileDeps } from '../effects/reconcile-deps.ts';
import type { FeatureGates } from '../features/feature-gates.ts';
import { addFeatures, type FeaturesDeps } from '../features/features.ts';
import { ManagedSecrets } from './resolver.ts';
import { secretMetrics } from './secret-metrics.ts';
import type { ManagedSecretObject } from './secret-object.ts';
import { SecretReconciler } from './secret-reconciler.ts';
import { nodeOfSecret } from './secret-references.ts';
import { Identities } from './sources/identities.ts';
import { versionSources } from './sources/version-sources.ts';
import { VaultPlaces } from './vaults/vault-places.ts';

/** Dependencies of the caches of managed secrets. */
export interface ManagedSecretsDeps extends Omit<FeaturesDeps, 'changed' | 'feature'> {
  /** The feature that opens managed secrets. @default azimuth.dev/ManagedSecrets */
  readonly feature: string | undefined;
  /** Namespaces to watch; all when empty. */
  readonly namespaces: readonly string[];
  /** Enqueues every object that has an edge to this node of the graph. */
  readonly enqueueDependents: (node: string) => void;
}

/** The ManagedSecrets of the cluster, their gates, and the resolver for machines. */
export interface WatchedSecrets {
  readonly objects: WatchedCache<ManagedSecretObject>;
  readonly gates: FeatureGates;
  readonly secrets: ManagedSecrets;
  /** Set by `addManagedSecrets`. */
  controller: Controller<ManagedSecretObject> | undefined;
}

/** Watches ManagedSecrets, and adds the controller of feature registrations to the manager. */
export function watchManagedSecrets(deps: ManagedSecretsDeps): WatchedSecrets {
  const { manager, arm, authorizer, holders, feature, namespaces, enqueueDependents } = deps;
  const type = resourceOf(managedSecret);
  const scope = namespaces.length > 0 && { namespaces };
  const objects = manager.watch<ManagedSecretObject>({ type, project: withNormalizedSpec, ...scope });
  const changed = () => {
    for (const object of objects.list()) {
      watched.controller?.enqueue(objectKeyOf(object));
      enqueueDependents(nodeOfSecret(object.metadata.namespace ?? '', object.metadata.name));
    }
  };
  const gates = addFeatures({ manager, arm, authorizer, holders, changed, ...(feature !== undefined && { feature }) });
  const secrets = new ManagedSecrets(gates, (namespace, name) => objects.get({ namespace, name }) !== undefined);
  secrets.onRelease((namespace, name) => watched.controller?.enqueue({ namespace, name }));
  const watched: WatchedSecrets = { objects, gates, secrets, controller: undefined };
  return watched;
}

/** Dependencies of the controller of ManagedSecrets beside its caches. */
export interface SecretControllerDeps {
  readonly manager: Manager;
  readonly shared: ReconcileDeps;
  /** Chooses the credential of an object, without a finalizer on its Secret. */
  readonly credentials: Pick<Credentials, 'credentialFor'>;
  /** Concurrent reconcile runs. */
  readonly workers: number;
}

/** Adds the controller of ManagedSecrets to a manager. */
export function addManagedSecrets(
  watched: WatchedSecrets,
  { manager, shared, credentials, workers }: SecretControllerDeps,
): Controller {
  const { objects, gates, secrets } = watched;
  const { runtime } = manager;
  const places = new VaultPlaces(shared, gates);
  const metrics = secretMetrics(runtime.metrics, () => runtime.clock.now());
  const sources = versionSources(shared, places);
  const identities = new Identities(shared, places);
  const parts = { shared, objects, credentials, places, secrets, metrics, sources, identities };
  const { reconcile } = new SecretReconciler(parts);
  const controller = new Controller<ManagedSecretObject>(runtime, {
    name: 'managedsecrets.azimuth.dev',
    primary: objects,
    reconcile,
    filter: wantedChanged,
    concurrency: workers,
    backoff: { initialMs: 1000, maxMs: 60_000 },
  });
  watched.controller = controller;
  manager.addController(controller);
  return controller as unknown as Controller;
}
