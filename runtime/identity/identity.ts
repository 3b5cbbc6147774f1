import { once } from 'node:events';
import { unlessAborted } from '../base/abort.ts';
import { FairWork } from '../base/fairness/fair-work.ts';
import { DerivedCache } from '../kube/cache/derived-cache.ts';
import { objectKeyFrom } from '../kube/client/types.ts';
import { Controller } from '../kube/controller/controller.ts';
import type { Manager } from '../kube/controller/manager.ts';
import { objectKeyOf } from '../kube/controller/mappers.ts';
import type { Source } from '../kube/controller/source.ts';
import { Assigner } from './assignments/assigner.ts';
import type { DesiredCaches } from './assignments/compute-desired.ts';
import type { DesiredAssignments } from './assignments/desired-assignments.ts';
import type { AttachmentReference } from './attachments/attachment-reference.ts';
import { Certificates } from './conditions/certificates.ts';
import { addConditionControllers } from './conditions/condition-controllers.ts';
import type { SecretWatches } from './conditions/secret-watches.ts';
import { createDesired } from './create-desired.ts';
import { createMachines } from './create-machines.ts';
import { identityMetrics } from './identity-metrics.ts';
import type { IdentityDeps } from './identity-options.ts';
import type { Machines } from './machines/machines.ts';
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

/** Dependencies of a running controller, for tests and benches. */
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
export function addIdentity(deps: IdentityDeps): IdentityProgram {
  const { manager, options } = deps;
  const { runtime } = manager;
  const caches = watchObjects(manager, options.forceNamespaced);
  const assigned = manager.watch<Assigned>({ type: assignedType });
  const work = new FairWork();
  const state = createDesired(deps, caches, work, {
    verified: (key) => conditions.identityChanged(key),
    clientIdRead: (identity, isChanged) => machines.identityRead(identity, isChanged),
  });
  const { desired, verifier, windows } = state;
  const certificates = certificateExpiry(deps);
  const metrics = identityMetrics(runtime.metrics, {
    desired: () => desired.size,
    machines: () => desired.index.size,
    certificates: () => certificates.shown(),
  });
  const reports = new Reports(manager.events);
  // The cache of a standby may lack the last writes before its term: an unseen pod would lose its identity.
  const whenReady = (signal: AbortSignal) => manager.termCaches.catchUp(Object.values(caches), signal);
  let complete = false;
  const isComplete = () => complete;
  const machines = createMachines(deps, state, {
    metrics,
    reports,
    whenReady,
    isComplete,
    enqueue: (keys) => {
      for (const key of keys) assignments.enqueue(objectKeyFrom(key));
    },
  });
  const attachment = (reference: AttachmentReference) => machines.attachment(reference);
  const view = { attachment, isComplete };
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
    authorities: options.authorities,
    forceNamespaced: options.forceNamespaced,
    verification: (identity) => verifier.of(identity),
  });
  manager.addController(assignments);
  addCompletionTask(manager, desired, whenReady, (isNow) => {
    complete = isNow;
    if (!isNow) return;
    machines.indexComplete();
    for (const each of assigned.list()) assignments.enqueue(objectKeyOf(each));
  });
  manager.addTask((_, { stop, lost }) => machines.run(stop, lost));
  manager.addTask((ended) => verifier.run(ended));
  manager.addTask((ended) => windows.run(ended));
  return { desired, machines, secrets: conditions.secrets };
}

function certificateExpiry({ manager, options }: IdentityDeps): Certificates {
  const { clock, log } = manager.runtime;
  const { certificateWarningMs: warningMs } = options;
  return new Certificates({
    clock,
    log: log.child({ component: 'certificates' }),
    ...(warningMs !== undefined && { warningMs }),
  });
}

/** Watches the objects from which the desired assignments follow. */
function watchObjects(manager: Manager, forceNamespaced: boolean): DesiredCaches {
  return {
    pods: manager.watch(podSelection(forceNamespaced)),
    nodes: manager.watch(nodeSelection),
    bindings: manager.watch(bindingSelection(forceNamespaced)),
    identities: new DerivedCache(
      manager.watch(identitySelection),
      manager.watch(referencedSelection),
      identityDerivation,
    ),
  };
}

/**
 * Reports in each term when the assignments of all pods are computed, and the end of the term. A namespace whose pods
 * take long to compute delays what is taken from pods, and nothing that pods get.
 */
function addCompletionTask(
  manager: Manager,
  desired: DesiredAssignments,
  whenReady: (signal: AbortSignal) => Promise<void>,
  report: (isComplete: boolean) => void,
): void {
  manager.addTask(async (ended) => {
    await whenReady(ended)
      .then(() => unlessAborted(desired.whenComputed(), ended))
      .catch(() => undefined);
    if (ended.aborted) return;
    report(true);
    await once(ended, 'abort');
    report(false);
  });
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
