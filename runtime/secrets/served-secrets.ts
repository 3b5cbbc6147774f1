import type { WatchedCache } from '../kube/cache/types.ts';
import { Controller } from '../kube/controller/controller.ts';
import type { Manager } from '../kube/controller/manager.ts';
import { wantedChanged } from '../kube/controller/mappers.ts';
import type { SecretsConfig } from './config.ts';
import { Consumers } from './consumers/consumers.ts';
import { MachineReader } from './consumers/machine-reader.ts';
import { PodIdentities, type RecordObject, recordWatch } from './consumers/pod-identities.ts';
import { PrincipalCache } from './consumers/principal-cache.ts';
import type { SecretsDeps } from './endpoint-deps.ts';
import { ClusterContact } from './secrets/cluster-contact.ts';
import { approvalWatch, FeatureGates, registrationWatch } from './secrets/feature-gates.ts';
import { HeldSecrets } from './secrets/held-secrets.ts';
import { type EndpointSecret, isServed, managedSecretWatch } from './secrets/managed-secrets.ts';
import { References } from './secrets/references.ts';
import { SecretReader } from './secrets/secret-reader.ts';
import { pooledAuthorizer, VaultAccess } from './secrets/vault-access.ts';

/** What the endpoint knows of the cluster. */
export interface WatchedObjects {
  readonly objects: WatchedCache<EndpointSecret>;
  readonly podIdentities: PodIdentities;
  readonly gates: FeatureGates;
  readonly contact: ClusterContact;
}

/** The values in memory, and who may read them. */
export interface ServedSecrets {
  readonly held: HeldSecrets;
  readonly consumers: Consumers;
}

/** Watches ManagedSecrets, registrations, approvals, and the records of the identity controller. */
export function watchObjects(manager: Manager, config: SecretsConfig): WatchedObjects {
  const { clock } = manager.runtime;
  const objects = manager.watch<EndpointSecret>(managedSecretWatch(config.targetNamespaces));
  const registrations = manager.watch(registrationWatch);
  const approvals = manager.watch(approvalWatch);
  const records = manager.watch<RecordObject>(recordWatch(config.identityNamespace));
  const contact = new ClusterContact([objects, registrations, approvals, records], clock);
  manager.addTask((stop) => contact.run(stop));
  const gates = new FeatureGates({ registrations, approvals, clock, feature: config.managedSecretsFeature });
  const podIdentities = new PodIdentities({ records, scopes: config.identityScopes ?? [], clock });
  return { objects, podIdentities, gates, contact };
}

/** Adds the controller that reads the values of ManagedSecrets from their vaults, and finds their consumers. */
export function serveSecrets(
  deps: SecretsDeps,
  { objects, podIdentities }: Pick<WatchedObjects, 'objects' | 'podIdentities'>,
): ServedSecrets {
  const { config, manager, azure, arm } = deps;
  const { clock, log, client } = manager.runtime;
  const authorizer = pooledAuthorizer(deps.authorizer, clock);
  const references = new References({ client, scopes: config.credentialScopes });
  const vaults = new VaultAccess(azure, authorizer);
  const reader = new SecretReader({ references, vaults, location: config.location, now: () => clock.now() });
  const isHeld = isHeldFor(config.tlsManagedSecret);
  const held = new HeldSecrets({ objects, reader, clock, log, refreshMs: config.refreshMs, isHeld });
  const principals = new PrincipalCache({ reader: new MachineReader(arm, authorizer), clock, log });
  const consumers = new Consumers({ references, principals, podIdentities, log });
  objects.onChange((change) => {
    if (change.type === 'deleted') consumers.forget(change.old);
  });
  manager.addController(
    new Controller(manager.runtime, {
      name: 'managedsecrets.azimuth.dev',
      primary: objects,
      filter: wantedChanged,
      concurrency: 16,
      reconcile: async (request, signal) => {
        const object = objects.get(request);
        if (object && isServed(object)) await consumers.prepare(object, signal);
        return await held.reconcile(request, signal);
      },
    }),
  );
  return { held, consumers };
}

/** The endpoint also holds its own certificate, which it serves to nobody. */
function isHeldFor(own: SecretsConfig['tlsManagedSecret']): (object: EndpointSecret) => boolean {
  return (object) => {
    const { namespace, name } = object.metadata;
    return isServed(object) || (own !== undefined && namespace === own.namespace && name === own.name);
  };
}
