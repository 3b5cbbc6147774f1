import { operatorKeySecret } from '../api/permissions/index.ts';
import { operatorName } from '../arm-kinds/names.ts';
import type { Credential, CredentialDeps } from '../azure/identity/credential.ts';
import type { ArmClient } from '../azure/types.ts';
import { noTracer, type Tracer } from '../base/observability/tracing.ts';
import { Graph, Limits } from '../engine/index.ts';
import type { WatchedCache } from '../kube/cache/types.ts';
import type { Manager } from '../kube/controller/manager.ts';
import { ProgramKey } from '../kube/controller/program-key.ts';
import type { OperatorConfig } from './config.ts';
import { Credentials } from './credentials/credentials.ts';
import { HostScopes } from './credentials/host-scopes.ts';
import { CredentialFinalizers } from './credentials/in-use-finalizer.ts';
import { CredentialScopes } from './credentials/scopes.ts';
import { DataPlane } from './data-plane/data-plane.ts';
import type { DatabaseRoute } from './data-plane/database-accounts.ts';
import { ReconcileCredit } from './effects/reconcile-credit.ts';
import type { ReconcileDeps } from './effects/reconcile-deps.ts';
import { ExpressionProcess } from './export/expression-process.ts';
import { Vaults } from './export/key-vault-clients.ts';
import { ArmIdReservations } from './lifecycle/arm-id-reservations.ts';
import { WriteTurns } from './lifecycle/write-turns.ts';
import type { MachineSecrets } from './machines/machine-secrets.ts';
import type { ManagedSecrets } from './managed-secrets/resolver.ts';
import type { KindCaches } from './objects/kind-caches.ts';
import { armNode, namespaceOfNode, registrationNode } from './objects/node-id.ts';
import { ObjectIndex } from './objects/object-index.ts';
import { ObjectRecords } from './objects/object-records.ts';
import { operatorMetrics } from './operator-metrics.ts';
import { FingerprintKey } from './references/fingerprint-key.ts';
import { OwnWrites } from './references/own-writes.ts';
import { Registrations } from './references/provider-registrations.ts';
import { WellKnownRoles } from './references/well-known-roles.ts';

/** The dependencies that the operator needs. Times in milliseconds. */
export interface OperatorDeps {
  readonly manager: Manager;
  readonly arm: ArmClient;
  /** Gets a span for every reconcile run and each of its effects. @default none */
  readonly tracer?: Tracer;
  readonly credential: Credential;
  /** The operator's own namespace. */
  readonly namespace: string;
  /** For credentials of objects and namespaces. */
  readonly credentialContext: CredentialDeps;
  /** The ManagedSecrets that machines get. @default none, and machines with ManagedSecrets are refused */
  readonly managedSecrets?: ManagedSecrets | undefined;
  /** Names and addresses of the API server, which gates of deployments never ask. @default none */
  readonly apiServerHosts?: readonly string[];
  /** Where tests lead the connections to databases. @default to the servers that Azure shows */
  readonly databases?: DatabaseRoute;
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
        | 'allowAccessGrants'
        | 'multiTenant'
        | 'keyVault'
        | 'rotationOverlapMs'
        | 'deletionHintMs'
        | 'settleMs'
        | 'instancesReadMs'
        | 'machineSecrets'
        | 'managedSecretsFeature'
        | 'deployments'
        | 'gateTargets'
        | 'templateRegistries'
        | 'gateJobs'
        | 'checkServiceAccounts'
      >
    >;
}

/** Concurrent writes to Azure by subscription; ARM throttles far above that. */
const writesAtATime = 32;

/** References, Secrets and ConfigMaps that the objects of one namespace may name together: 40 MB. */
const mostEdges = 100_000;

/** The dependency graph of objects, Secrets and ConfigMaps, with a share of its edges for each namespace. */
export function dependencyGraph(): Graph {
  return new Graph({ shareOf: namespaceOfNode, most: mostEdges });
}

/** The graph and the caches that reconcile runs read. */
interface OperatorCaches {
  readonly graph: Graph;
  readonly caches: KindCaches;
  readonly secrets: WatchedCache;
  readonly namespaces: WatchedCache;
  /** The delivery of ManagedSecrets; undefined while it is off. */
  readonly machines: MachineSecrets | undefined;
}

/** Makes the dependencies that all reconcile runs share. `enqueueDependents` gets the id of a node of the graph. */
export function createReconcileDeps(
  { manager, arm, config, credential, credentialContext, namespace, tracer = noTracer, databases }: OperatorDeps,
  { graph, caches, secrets, namespaces, machines }: OperatorCaches,
  enqueueDependents: (node: string) => void,
): ReconcileDeps {
  const { runtime, events } = manager;
  const { clock, client, metrics } = runtime;
  const now = () => clock.now();
  const programKey = new ProgramKey({ client, namespace, secretName: operatorKeySecret, fieldManager: operatorName });
  const records = new ObjectRecords(programKey);
  const objects = new ObjectIndex(caches, records);
  const ownWrites = new OwnWrites();
  const memory: ReconcileDeps['memory'] = new Map();
  const credentialScopes = new CredentialScopes(config.credentialScopes ?? [], config);
  const credentialFinalizers = new CredentialFinalizers(client, objects, secrets, ownWrites);
  return {
    ...periods(config),
    runtime,
    events,
    arm,
    graph,
    objects,
    records,
    armIds: new ArmIdReservations(objects, now, (armId) => enqueueDependents(armNode(armId))),
    writeTurns: new WriteTurns({
      objects,
      isKnown: (uid) => memory.get(uid)?.turnKnown === true,
      now,
      enqueue: enqueueDependents,
    }),
    termCaches: manager.termCaches,
    namespaces,
    credentials: new Credentials(client, credential, credentialContext, secrets, credentialFinalizers),
    credentialScopes,
    hostScopes: new HostScopes({ scopes: credentialScopes, arm, cloud: credential.cloud, clock }),
    credentialFinalizers,
    dataPlane: new DataPlane(
      arm,
      { dispatcher: credentialContext.dispatcher, now, mayWrite: manager.mayWrite },
      databases,
    ),
    roles: new WellKnownRoles(arm),
    vaults: new Vaults(credentialContext, clock, manager.mayWrite, config.keyVault),
    expressions: new ExpressionProcess({ clock }),
    reconcileCredit: new ReconcileCredit(clock),
    limits: new Limits(() => writesAtATime),
    metrics: operatorMetrics(metrics),
    tracer,
    memory,
    defaultPolicy: config.defaultPolicy,
    defaultAdopt: config.defaultAdopt ?? 'always',
    registrations: new Registrations(arm, clock, (...which) => enqueueDependents(registrationNode(...which))),
    programKey,
    fingerprints: new FingerprintKey(programKey),
    enqueueDependents,
    ownWrites,
    machines,
  };
}

/** The times of reconcile runs, in milliseconds, with their defaults. */
function periods(config: OperatorDeps['config']) {
  return {
    syncPeriodMs: config.syncPeriodMs,
    rotationOverlapMs: config.rotationOverlapMs ?? 3_600_000,
    deletionHintMs: config.deletionHintMs ?? 900_000,
    settleMs: config.settleMs ?? 30_000,
    instancesReadMs: config.instancesReadMs ?? 30_000,
  };
}
