import { grantAnnotation } from '../api/pod-identity/availability.ts';
import type { IdentityPolicy } from '../azure/identity/identity-policy.ts';
import type { ArmClient, Authorizer } from '../azure/types.ts';
import type { BackoffOptions } from '../base/backoff.ts';
import { FairWork } from '../base/fairness/fair-work.ts';
import type { CacheChange } from '../kube/cache/types.ts';
import { type KubeObject, keyOf, type ObjectKey } from '../kube/client/types.ts';
import { Controller, type Source } from '../kube/controller/controller.ts';
import type { Manager } from '../kube/controller/manager.ts';
import { objectKeyOf } from '../kube/controller/mappers.ts';
import { Assigner } from './assignments/assigner.ts';
import { AvailabilityWindows } from './assignments/availability-windows.ts';
import { type Desired, DesiredAssignments, type DesiredCaches } from './assignments/desired.ts';
import { sameExceptEmpty } from './assignments/same-except-empty.ts';
import { type ReadyConditionParts, ReadyConditions } from './conditions/ready-conditions.ts';
import { SecretWatches } from './conditions/secret-watches.ts';
import { identityMetrics } from './identity-metrics.ts';
import { AttachmentRecords } from './machines/attachment-records.ts';
import type { AttachmentReference } from './machines/attachment-reference.ts';
import type { MachineFallback } from './machines/machine.ts';
import { MachineWriter } from './machines/machine-writer.ts';
import { Machines } from './machines/machines.ts';
import type { MachinesOptions } from './machines/machines-parts.ts';
import { ProtectedIdentities } from './machines/protected-identities.ts';
import {
  type Assigned,
  assignedType,
  bindingSelection,
  bindingsByIdentity,
  type Identity,
  identitySelection,
  nodeSelection,
  podSelection,
} from './objects.ts';
import { Reports } from './reports.ts';
import { IdentityVerifier } from './verification/identity-verifier.ts';

/** Most identities whose last binding the controller remembers. */
const mostReleased = 10_000;

/** What the identity controller needs from its program. */
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
    pods: manager.watch(podSelection),
    nodes: manager.watch(nodeSelection),
    bindings: manager.watch(bindingSelection),
    identities: manager.watch(identitySelection),
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
      clientIdRead: (identity, clientId) => protection.learn(identity, clientId),
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
  const metrics = identityMetrics(runtime.metrics, {
    desired: () => desired.size,
    machines: () => desired.index.size,
  });
  const reports = new Reports(events);
  const regions = new Map<string, string>();
  /** The last binding of an identity that is being detached, for its events. */
  const released = new Map<string, Desired>();
  desired.onRelease(({ machine, identity }, last) => {
    if (released.size >= mostReleased) released.clear();
    released.set(`${machine} ${identity}`, last);
  });
  const machines = new Machines(
    {
      runtime,
      index: desired.index,
      records: new AttachmentRecords(runtime.client, options.namespace),
      writer: new MachineWriter({ arm, authorizer, clock: runtime.clock, observe: metrics.machine }),
      protection,
      regionOf: (machine) => regions.get(machine) ?? '',
      whenReady: () => desired.whenIdle(),
      enqueue: (keys) => {
        for (const key of keys) assignments.enqueue(keyFrom(key));
      },
      pending: (machine, keys) => {
        for (const key of keys) {
          const wanted = desired.get(key);
          if (wanted) reports.pending(wanted, machine);
        }
      },
      removeFailed: (machine, identities, why) => {
        for (const identity of identities) {
          const last = released.get(`${machine} ${identity}`);
          if (last) reports.detachFailed(last, `${identity} on ${machine}: ${why}`);
        }
      },
      failed: (machine, identity, why, keys) => {
        if (identity) metrics.refused();
        const what = identity ? `${identity} on ${machine}: ${why}` : `${machine}: ${why}`;
        for (const key of keys) {
          const wanted = desired.get(key);
          if (wanted) reports.applyFailed(wanted, what);
        }
      },
    },
    options.machines,
  );
  desired.onChange((keys, changed) => {
    for (const key of keys) {
      const { reference, region } = desired.get(key) ?? {};
      if (reference && region) regions.set(reference.machine, region);
    }
    machines.indexChanged(changed);
  });
  const view = { attachment: (reference: AttachmentReference) => machines.attachment(reference) };
  const assigner = new Assigner({ runtime, assigned, desired, reports, metrics, view });
  const assignments = new Controller<Assigned>(runtime, {
    name: 'assignments',
    primary: assigned,
    reconcile: assigner.reconcile,
    sources: [desiredSource(desired)],
    concurrency: options.writes ?? 20,
  });
  const conditions = addConditions(manager, caches, { work, verification: (identity) => verifier.of(identity) });
  manager.addController(assignments);
  manager.addTask((stop, lost) => machines.run(stop, lost));
  manager.addTask((stop, lost) => verifier.run(stop, lost));
  manager.addTask((stop, lost) => windows.run(stop, lost));
  return { desired, machines, secrets: conditions.secrets };
}

/** Adds the controllers that write conditions. */
function addConditions(
  manager: Manager,
  { identities, bindings }: Pick<DesiredCaches, 'identities' | 'bindings'>,
  parts: Pick<ReadyConditionParts, 'work' | 'verification'>,
): { readonly secrets: SecretWatches; identityChanged(key: string): void } {
  const { runtime, events } = manager;
  const secrets = new SecretWatches(runtime, (users) => {
    for (const user of users) ofIdentities.enqueue(keyFrom(user));
  });
  const conditions = new ReadyConditions({ runtime, events, identities, bindings, secrets, ...parts });
  const ofIdentities = new Controller<Identity>(runtime, {
    name: 'azureidentities',
    primary: identities,
    reconcile: conditions.identity,
    filter: specOrStatusChanged,
  });
  const ofBindings = new Controller(runtime, {
    name: 'azureidentitybindings',
    primary: bindings,
    reconcile: conditions.binding,
    filter: (change) => specOrStatusChanged(change) || grantChanged(change),
    sources: [
      {
        whenSynced: (signal) => identities.whenSynced(signal),
        start: (enqueue) => {
          const map = (change: CacheChange<Identity>) => {
            const object = change.type === 'deleted' ? change.old : change.object;
            return bindings.byIndex(bindingsByIdentity, keyOf(object)).map(objectKeyOf);
          };
          let initial = true;
          const stop = identities.onChange((change) => {
            if (change.type !== 'updated' || !sameExceptEmpty(change.object.spec, change.old.spec))
              enqueue(map(change), initial);
          });
          initial = false;
          return stop;
        },
      },
    ],
  });
  manager.addController(ofIdentities);
  manager.addController(ofBindings);
  manager.addTask(async (stop, lost) => {
    const ended = lost ? AbortSignal.any([stop, lost]) : stop;
    if (!ended.aborted) await new Promise((resolve) => ended.addEventListener('abort', resolve, { once: true }));
    secrets.close();
  });
  return {
    secrets,
    identityChanged: (key) => {
      ofIdentities.enqueue(keyFrom(key));
      for (const binding of bindings.byIndex(bindingsByIdentity, key)) ofBindings.enqueue(objectKeyOf(binding));
    },
  };
}

/** Enqueues desired assignments, those without an object included. The assigner deletes objects that no pod needs. */
function desiredSource(desired: DesiredAssignments): Source {
  return {
    // The desired state is incomplete before.
    whenSynced: () => desired.whenIdle(),
    start: (enqueue) => {
      enqueue([...desired.keys()].map(keyFrom), true);
      return desired.onChange((keys) => enqueue([...keys].map(keyFrom), false));
    },
  };
}

function specOrStatusChanged(change: CacheChange<KubeObject>): boolean {
  if (change.type !== 'updated') return true;
  const { object, old } = change;
  return object.metadata.generation !== old.metadata.generation || !sameExceptEmpty(object['status'], old['status']);
}

function grantChanged(change: CacheChange<KubeObject>): boolean {
  const grant = ({ metadata }: KubeObject) => metadata.annotations?.[grantAnnotation];
  return change.type === 'updated' && grant(change.object) !== grant(change.old);
}

function keyFrom(key: string): ObjectKey {
  const [namespace = '', name = ''] = key.split('/');
  return { namespace, name };
}
