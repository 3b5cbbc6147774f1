import { once } from 'node:events';
import type { IdentityPolicy } from '../azure/identity/identity-policy.ts';
import type { ArmClient, Authorizer } from '../azure/types.ts';
import { unlessAborted } from '../base/abort.ts';
import type { BackoffOptions } from '../base/backoff.ts';
import { FairWork } from '../base/fairness/fair-work.ts';
import { DerivedCache } from '../kube/cache/derived-cache.ts';
import { keyOf, objectKeyFrom } from '../kube/client/types.ts';
import { Controller } from '../kube/controller/controller.ts';
import type { Manager } from '../kube/controller/manager.ts';
import { objectKeyOf } from '../kube/controller/mappers.ts';
import type { Source } from '../kube/controller/source.ts';
import { Assigner } from './assignments/assigner.ts';
import { AvailabilityWindows } from './assignments/availability-windows.ts';
import { DesiredAssignments } from './assignments/desired-assignments.ts';
import { Certificates } from './conditions/certificates.ts';
import { addConditionControllers } from './conditions/condition-controllers.ts';
import type { SecretWatches } from './conditions/secret-watches.ts';
import { identityMetrics } from './identity-metrics.ts';
import { AttachmentRecords } from './machines/attachment-records.ts';
import type { AttachmentReference } from './machines/attachment-reference.ts';
import type { MachineFallback } from './machines/machine.ts';
import { MachineReports } from './machines/machine-reports.ts';
import { MachineWriter } from './machines/machine-writer.ts';
import { Machines } from './machines/machines.ts';
import type { MachinesOptions } from './machines/machines-parts.ts';
import { NeededDefinitions } from './machines/needed-definitions.ts';
import { ProtectedIdentities } from './machines/protected-identities.ts';
import {
  type Assigned,
  assignedType,
  bindingSelection,
  identityDerivation,
  identitySelection,
  nodeSelection,
  podSelection,
  referencedSelection,
} from './objects.ts';
import { Reports } from './reports.ts';
import { IdentityVerifier } from './verification/identity-verifier.ts';

/** Dependencies of the identity controller. */
export interface IdentityParts {
  readonly manager: Manager;
  readonly arm: ArmClient;
  readonly authorizer: Authorizer;
  readonly options: IdentityOptions;
}

/** Behaviour of the identity controller. */
export interface IdentityOptions {
  readonly forceNamespaced: boolean;
  /** The program's own namespace, which has the attachment records. */
  readonly namespace: string;
  /** Which namespace may use which identity. @default any, as in AAD Pod Identity */
  readonly policy?: IdentityPolicy;
  /**
   * How long before a window opens the controller attaches its identity, milliseconds; undefined: windows attach
   * nothing.
   */
  readonly attachEarlyMs?: number | undefined;
  /** AzureAssignedIdentities written concurrently. @default 20 */
  readonly writes?: number;
  /** Client ids, in any case, of identities that are never detached. Read each time. */
  readonly immutableClientIds?: () => readonly string[];
  /** For nodes without a providerID. Read each time. */
  readonly fallback?: () => MachineFallback | undefined;
  readonly machines?: MachinesOptions;
  /** How long before its end a certificate of an AzureIdentity expires soon, milliseconds. @default 30 days */
  readonly certificateWarningMs?: number;
  /** Delays before the controller reads a client id again. @default 15 s to 10 min */
  readonly verificationBackoff?: BackoffOptions;
}

/** Parts of a running controller, for tests and benches. */
export interface IdentityProgram {
  readonly desired: DesiredAssignments;
  readonly machines: Machines;
  readonly secrets: SecretWatches;
}

/**
 * Adds the identity controller to a manager. `DesiredAssignments` computes from pods, nodes, bindings and
 * AzureIdentities which pod needs which identity. `IdentityVerifier` decides which identities are allowed, `Machines`
 * attaches and detaches them, `Assigner` writes the AzureAssignedIdentities. Each part enqueues changed keys in the
 * next one.
 */
export function addIdentity({ manager, arm, authorizer, options }: IdentityParts): IdentityProgram {
  const { runtime, events } = manager;
  const caches = {
    pods: manager.watch(podSelection(options.forceNamespaced)),
    nodes: manager.watch(nodeSelection),
    bindings: manager.watch(bindingSelection(options.forceNamespaced)),
    identities: new DerivedCache(
      manager.watch(identitySelection),
      manager.watch(referencedSelection),
      identityDerivation,
    ),
  };
  const assigned = manager.watch<Assigned>({ type: assignedType });
  const work = new FairWork();
  const clientIds = () => options.immutableClientIds?.() ?? [];
  const protection = new ProtectedIdentities({ runtime, arm, authorizer, clientIds });
  const verifier = new IdentityVerifier(
    {
      runtime,
      arm,
      authorizer,
      policy: options.policy ?? { multiTenant: false, scopes: undefined },
      changed: (keys) => {
        desired.identitiesChanged(keys);
        for (const key of keys) conditions.identityChanged(key);
      },
      clientIdRead: (identity, clientId, isChanged) => {
        protection.learn(identity, clientId ?? '');
        machines.identityRead(identity, isChanged);
      },
    },
    options.verificationBackoff,
  );
  const windows = new AvailabilityWindows({
    clock: runtime.clock,
    work,
    attachEarlyMs: options.attachEarlyMs,
    changed: (bindings) => desired.windowsChanged(bindings),
  });
  const desired = new DesiredAssignments(caches, {
    forceNamespaced: options.forceNamespaced,
    ...(options.fallback && { fallback: options.fallback }),
    work,
    verification: (identity) => verifier.of(identity),
    windows: (binding) => windows.of(binding),
  });
  caches.bindings.onChange((change) => change.type === 'deleted' && windows.forget(keyOf(change.old)));
  caches.identities.onChange((change) => change.type === 'deleted' && verifier.forget(keyOf(change.old)));
  const certificates = new Certificates({
    clock: runtime.clock,
    log: runtime.log.child({ component: 'certificates' }),
    ...(options.certificateWarningMs !== undefined && { warningMs: options.certificateWarningMs }),
  });
  const metrics = identityMetrics(runtime.metrics, {
    desired: () => desired.size,
    machines: () => desired.index.size,
    certificates: () => certificates.shown(),
  });
  const reports = new Reports(events);
  const machineReports = new MachineReports({
    reports,
    desired: (key) => desired.get(key),
    refused: metrics.refused,
  });
  desired.onRelease((reference, last) => machineReports.released(reference, last));
  // The cache of a standby may lack the last writes before its term: an unseen pod would lose its identity.
  const whenReady = (signal: AbortSignal) => manager.termCaches.catchUp(Object.values(caches), signal);
  let complete = false;
  const machines = new Machines(
    {
      runtime,
      index: desired.index,
      records: new AttachmentRecords(runtime.client, options.namespace),
      writer: new MachineWriter({ arm, authorizer, clock: runtime.clock, observe: metrics.machine }),
      protection,
      definitions: new NeededDefinitions(runtime),
      identities: verifier,
      regionOf: (machine) => regionOf(machine, desired),
      whenReady,
      isComplete: () => complete,
      enqueue: (keys) => {
        for (const key of keys) assignments.enqueue(objectKeyFrom(key));
      },
      reports: machineReports,
    },
    options.machines,
  );
  desired.onChange((_, changed) => machines.indexChanged(changed));
  const view = {
    attachment: (reference: AttachmentReference) => machines.attachment(reference),
    isComplete: () => complete,
  };
  const assigner = new Assigner({ runtime, assigned, desired, reports, metrics, view });
  const assignments = new Controller<Assigned>(runtime, {
    name: 'assignments',
    primary: assigned,
    reconcile: assigner.reconcile,
    sources: [desiredSource(desired, whenReady)],
    concurrency: options.writes ?? 20,
  });
  const conditions = addConditionControllers(manager, caches, {
    work,
    certificates,
    verification: (identity) => verifier.of(identity),
  });
  manager.addController(assignments);
  // A namespace whose pods take long to compute delays what is taken from pods, and nothing that pods get.
  manager.addTask(async (stop, lost) => {
    const ended = lost ? AbortSignal.any([stop, lost]) : stop;
    await whenReady(ended)
      .then(() => unlessAborted(desired.whenComputed(), ended))
      .catch(() => undefined);
    if (ended.aborted) return;
    complete = true;
    machines.indexComplete();
    for (const each of assigned.list()) assignments.enqueue(objectKeyOf(each));
    await once(ended, 'abort');
    complete = false;
  });
  manager.addTask((stop, lost) => machines.run(stop, lost));
  manager.addTask((stop, lost) => verifier.run(stop, lost));
  manager.addTask((stop, lost) => windows.run(stop, lost));
  return { desired, machines, secrets: conditions.secrets };
}

/** Enqueues desired assignments, those without an object included. The assigner deletes objects that no pod needs. */
function desiredSource(desired: DesiredAssignments, whenReady: Source['whenSynced']): Source {
  return {
    whenSynced: whenReady,
    start: (enqueue) => {
      enqueue([...desired.keys()].map(objectKeyFrom), true);
      return desired.onChange((keys) => enqueue([...keys].map(objectKeyFrom), false));
    },
  };
}

/** The region label of a machine's node, from an assignment on it; '' where there is none. */
function regionOf(machine: string, desired: DesiredAssignments): string {
  for (const { attach, keep } of desired.index.of(machine).values()) {
    for (const key of [...attach, ...keep]) {
      const found = desired.get(key);
      if (found?.reference?.machine === machine && found.region) return found.region;
    }
  }
  return '';
}
