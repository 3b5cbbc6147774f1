import type { ReconcilePolicy } from '../../arm-kinds/policy.ts';
import type { SharedArmClient } from '../../azure/types.ts';
import type { Tracer } from '../../base/observability/tracing.ts';
import type { Graph, Limits } from '../../engine/index.ts';
import type { Cache, Runtime } from '../../kube/cache/types.ts';
import type { ProgramKey } from '../../kube/controller/program-key.ts';
import type { TermCaches } from '../../kube/controller/term-caches.ts';
import type { EventRecorder } from '../../kube/events/recorder.ts';
import type { Credentials } from '../credentials/credentials.ts';
import type { HostScopes } from '../credentials/host-scopes.ts';
import type { CredentialFinalizers } from '../credentials/in-use-finalizer.ts';
import type { CredentialScopes } from '../credentials/scopes.ts';
import type { DataPlane } from '../data-plane/data-plane.ts';
import type { ExpressionProcess } from '../export/expression-process.ts';
import type { Vaults } from '../export/key-vault-clients.ts';
import type { ArmIdReservations } from '../lifecycle/arm-id-reservations.ts';
import type { WriteTurns } from '../lifecycle/write-turns.ts';
import type { MachineSecrets } from '../machines/machine-secrets.ts';
import type { AdoptPolicy } from '../objects/adoption.ts';
import type { ObjectIndex } from '../objects/object-index.ts';
import type { ObjectRecords } from '../objects/object-records.ts';
import type { OperatorMetrics } from '../operator-metrics.ts';
import type { FingerprintKey } from '../references/fingerprint-key.ts';
import type { OwnWrites } from '../references/own-writes.ts';
import type { Registrations } from '../references/provider-registrations.ts';
import type { WellKnownRoles } from '../references/well-known-roles.ts';
import type { Memory } from './memory.ts';
import type { ReconcileCredit } from './reconcile-credit.ts';

/** The dependencies that all reconcile runs share. */
export interface ReconcileDeps {
  readonly runtime: Runtime;
  readonly events: EventRecorder;
  readonly arm: SharedArmClient;
  readonly objects: ObjectIndex;
  readonly records: ObjectRecords;
  readonly armIds: ArmIdReservations;
  readonly writeTurns: WriteTurns;
  /** Lists kinds again at the beginning of a term of the lease. */
  readonly termCaches: Pick<TermCaches, 'catchUp'>;
  readonly namespaces: Cache;
  readonly graph: Graph;
  readonly credentials: Credentials;
  readonly credentialScopes: CredentialScopes;
  readonly hostScopes: HostScopes;
  readonly credentialFinalizers: CredentialFinalizers;
  /** The services of kinds that are no ARM resources. */
  readonly dataPlane: DataPlane;
  readonly roles: WellKnownRoles;
  readonly vaults: Vaults;
  /** Evaluates the expressions of users. */
  readonly expressions: ExpressionProcess;
  readonly limits: Limits;
  readonly reconcileCredit: ReconcileCredit;
  readonly metrics: OperatorMetrics;
  readonly tracer: Tracer;
  /** By the uid of the object. */
  readonly memory: Map<string, Memory>;
  readonly defaultPolicy: ReconcilePolicy;
  readonly defaultAdopt: AdoptPolicy;
  readonly registrations: Registrations;
  /** How long consumers may take to read a key before the operator renews the other one, in milliseconds. */
  readonly rotationOverlapMs: number;
  /**
   * How long Azure may refuse a deletion before the condition explains how to delete the object alone, in
   * milliseconds.
   */
  readonly deletionHintMs: number;
  /** How long after a write a read of Azure may show the state before it, in milliseconds. */
  readonly settleMs: number;
  /** Shortest time between two reads of the instances of one scale set, in milliseconds. */
  readonly instancesReadMs: number;
  /** The operator's own key. */
  readonly programKey: ProgramKey;
  readonly fingerprints: FingerprintKey;
  /** Undefined: no periodic checks. */
  readonly syncPeriodMs: number | undefined;
  /** Enqueues every object that has an edge to this node of the graph. */
  readonly enqueueDependents: (node: string) => void;
  readonly ownWrites: OwnWrites;
  /** The delivery of ManagedSecrets to machines; undefined while it is off. */
  readonly machines?: MachineSecrets | undefined;
}
