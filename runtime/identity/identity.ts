import { grantAnnotation } from '../api/pod-identity/availability.ts';
import type { ArmClient, Authorizer } from '../azure/types.ts';
import type { CacheChange } from '../kube/cache/types.ts';
import { type KubeObject, keyOf, type ObjectKey } from '../kube/client/types.ts';
import { Controller, type Source } from '../kube/controller/controller.ts';
import type { Manager } from '../kube/controller/manager.ts';
import { objectKeyOf } from '../kube/controller/mappers.ts';
import { priorities } from '../kube/controller/work-queue.ts';
import { sameJson } from './assignments/assigned-object.ts';
import { Assigner } from './assignments/assigner.ts';
import { DesiredAssignments } from './assignments/desired.ts';
import { Verdicts } from './conditions/ready-conditions.ts';
import { SecretWatches } from './conditions/secret-watches.ts';
import { identityMetrics } from './identity-metrics.ts';
import { Ledger } from './machines/attachment-index.ts';
import type { Claim } from './machines/attachment-reference.ts';
import { type MachineFallback, machineOfNode } from './machines/machine.ts';
import { MachineWriter } from './machines/machine-writer.ts';
import { Machines, type MachinesOptions } from './machines/machines.ts';
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

export interface IdentityParts {
  readonly manager: Manager;
  readonly arm: ArmClient;
  readonly authorizer: Authorizer;
  readonly options: IdentityOptions;
}

export interface IdentityOptions {
  readonly forceNamespaced: boolean;
  /** AzureAssignedIdentities that are written at a time. @default 20 */
  readonly writes?: number;
  /** Client ids, in any case, of identities that are never detached. Asked each time. */
  readonly immutableClientIds?: () => readonly string[];
  /** For nodes without a providerID. Asked each time. */
  readonly fallback?: () => MachineFallback | undefined;
  readonly machines?: MachinesOptions;
}

/** What the parts of a running controller show, for tests and benches. */
export interface IdentityProgram {
  readonly desired: DesiredAssignments;
  readonly ledger: Ledger;
  readonly machines: Machines;
}

/**
 * Adds the identity controller to a manager. Pods, nodes, bindings and identities say who shall have what
 * (`DesiredAssignments`); AzureAssignedIdentities record it (`Assigner`, `Ledger`); the machines follow the record
 * (`Machines`). Each part wakes the next for exactly what changed.
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
  const desired = new DesiredAssignments(caches, options);
  const ledger = new Ledger(assigned, desired);
  const metrics = identityMetrics(runtime.metrics, {
    desired: () => desired.size,
    machines: () => [...ledger.machines()].length,
  });
  const reports = new Reports(events);
  const immutable = ({ clientId }: Claim) =>
    clientId !== '' && (options.immutableClientIds?.() ?? []).some((id) => id.toLowerCase() === clientId);
  const regions = new Map<string, string>();
  desired.onChange((keys) => {
    for (const key of keys) {
      const { claim, region } = desired.get(key) ?? {};
      if (claim && region) regions.set(claim.machine, region);
    }
  });

  const machines = new Machines(
    {
      runtime,
      ledger,
      writer: new MachineWriter({ arm, authorizer, clock: runtime.clock, observe: metrics.machine }),
      immutable,
      wanted: (claim) => desired.wants(claim),
      regionOf: (machine) => regions.get(machine) ?? '',
      wake: (keys) => {
        for (const key of keys) assignments.enqueue(keyFrom(key));
      },
      waits: (machine, keys) => {
        for (const key of keys) {
          const wanted = desired.get(key);
          if (wanted) reports.waits(wanted, machine);
        }
      },
      failed: (machine, identity, why, keys) => {
        if (identity) metrics.refused();
        const what = identity ? `${identity} on ${machine}: ${why}` : `${machine}: ${why}`;
        for (const key of keys) {
          const wanted = desired.get(key);
          const current = assigned.get(keyFrom(key));
          if (wanted) reports.applyFailed(wanted, what);
          else if (current) reports.removeFailed(current, what);
        }
      },
    },
    options.machines,
  );
  const assigner = new Assigner({
    runtime,
    assigned,
    desired,
    reports,
    metrics,
    view: {
      attachment: (claim) => machines.attachment(claim),
      heldByOthers: (claim, key) => ledger.heldByOthers(claim, key),
      immutable,
      machineOf: (name) => {
        const node = caches.nodes.get({ name });
        return node && machineOfNode(node, options.fallback?.());
      },
    },
  });
  const assignments = new Controller<Assigned>(runtime, {
    name: 'assignments',
    primary: assigned,
    reconcile: assigner.reconcile,
    sources: [desiredSource(desired, (keys) => firstOfTheirClaim(keys)), ledgerSource(ledger, assigned)],
    concurrency: options.writes ?? 20,
  });
  // Whoever records a claim first lets its machine be told; in a storm those go ahead, so that one PATCH serves them all.
  const firstOfTheirClaim = (keys: Iterable<string>): void => {
    const seen = new Set<string>();
    for (const key of keys) {
      const claim = desired.get(key)?.claim;
      if (!claim || ledger.of(claim.machine).has(claim.identity)) continue;
      const id = `${claim.machine} ${claim.identity}`;
      if (!seen.has(id)) assignments.enqueue(keyFrom(key), { priority: priorities.change });
      seen.add(id);
    }
  };
  manager.addController(assignments);
  manager.addTask((stop, lost) => machines.run(stop, lost));
  addVerdicts(manager, caches);
  return { desired, ledger, machines };
}

function addVerdicts(
  manager: Manager,
  { identities, bindings }: Pick<ConstructorParameters<typeof DesiredAssignments>[0], 'identities' | 'bindings'>,
): void {
  const { runtime, events } = manager;
  const secrets = new SecretWatches(runtime, (users) => {
    for (const user of users) identityVerdicts.enqueue(keyFrom(user));
  });
  const verdicts = new Verdicts({ runtime, events, identities, bindings, secrets });
  const identityVerdicts = new Controller<Identity>(runtime, {
    name: 'azureidentities',
    primary: identities,
    reconcile: verdicts.identity,
    filter: specOrStatusChanged,
  });
  const bindingVerdicts = new Controller(runtime, {
    name: 'azureidentitybindings',
    primary: bindings,
    reconcile: verdicts.binding,
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
            if (change.type !== 'updated' || !sameJson(change.object.spec, change.old.spec))
              enqueue(map(change), initial);
          });
          initial = false;
          return stop;
        },
      },
    ],
  });
  manager.addController(identityVerdicts);
  manager.addController(bindingVerdicts);
  manager.addTask(async (stop, lost) => {
    const ended = lost ? AbortSignal.any([stop, lost]) : stop;
    if (!ended.aborted) await new Promise((resolve) => ended.addEventListener('abort', resolve, { once: true }));
    secrets.close();
  });
}

/** Assignments that are wanted, also those that do not exist. `hurry` sends some of them ahead. */
function desiredSource(desired: DesiredAssignments, hurry: (keys: Iterable<string>) => void): Source {
  return {
    whenSynced: async () => undefined,
    start: (enqueue) => {
      const add = (keys: Iterable<string>, initial: boolean) => {
        const all = [...keys];
        hurry(all);
        enqueue(all.map(keyFrom), initial);
      };
      add(desired.keys(), true);
      return desired.onChange((keys) => add(keys, false));
    },
  };
}

/** Those that wait for another one to record that it needs what they give up. */
function ledgerSource(
  ledger: Ledger,
  assigned: { readonly whenSynced: (signal?: AbortSignal) => Promise<void> },
): Source {
  return {
    whenSynced: (signal) => assigned.whenSynced(signal),
    start: (enqueue) => ledger.onHeld((keys) => enqueue([...keys].map(keyFrom), false)),
  };
}

function specOrStatusChanged(change: CacheChange<KubeObject>): boolean {
  if (change.type !== 'updated') return true;
  const { object, old } = change;
  return object.metadata.generation !== old.metadata.generation || !sameJson(object['status'], old['status']);
}

function grantChanged(change: CacheChange<KubeObject>): boolean {
  const grant = ({ metadata }: KubeObject) => metadata.annotations?.[grantAnnotation];
  return change.type === 'updated' && grant(change.object) !== grant(change.old);
}

function keyFrom(key: string): ObjectKey {
  const [namespace = '', name = ''] = key.split('/');
  return { namespace, name };
}
