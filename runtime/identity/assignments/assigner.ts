import { messageOf } from '../../base/errors.ts';
import type { ReconcileKey, ReconcileResult, Runtime, WatchedCache } from '../../kube/cache/types.ts';
import { isAlreadyExists, isConflict, isNotFound, KubeStatusError } from '../../kube/client/status-error.ts';
import { objectKeyOf } from '../../kube/controller/mappers.ts';
import type { AssignmentOperation, IdentityMetrics } from '../identity-metrics.ts';
import { type Assigned, assignedType } from '../objects.ts';
import type { Reports } from '../reports.ts';
import { assignedFinalizer, nameProblem } from './assigned-object.ts';
import type { Desired } from './desired.ts';
import type { DesiredAssignments } from './desired-assignments.ts';
import { nextStep, type Step, stateOf, type View } from './next-step.ts';

/** Dependencies of the assigner. */
export interface AssignerDeps {
  readonly runtime: Runtime;
  readonly assigned: WatchedCache<Assigned>;
  readonly desired: DesiredAssignments;
  readonly view: View;
  readonly reports: Reports;
  readonly metrics: IdentityMetrics;
}

/** Retry after a conflict, milliseconds. Usually the watch event of the other write enqueues the key before. */
const staleRetryMs = 500;
/** How long a pod's node may be unknown before the controller reports it, milliseconds. */
const nodeGraceMs = 5000;

/** Reconciles one AzureAssignedIdentity with the desired state, one write a run. The only writer of the kind. */
export class Assigner {
  readonly #deps: AssignerDeps;

  constructor(deps: AssignerDeps) {
    this.#deps = deps;
  }

  reconcile = async (
    { namespace = '', name }: ReconcileKey,
    signal: AbortSignal,
  ): Promise<ReconcileResult | undefined> => {
    const { assigned, desired, view, reports } = this.#deps;
    const key = `${namespace}/${name}`;
    const current = assigned.get({ namespace, name });
    const desiredAssignment = desired.get(key);
    for (const loser of desired.collisions(key)) if (desiredAssignment) reports.collision(loser, desiredAssignment);
    const invalidName = desiredAssignment && nameProblem(desiredAssignment);
    if (desiredAssignment && invalidName) {
      reports.applyFailed(desiredAssignment, invalidName);
      if (!current) return undefined;
    }
    const unverified =
      desiredAssignment?.verification.state === 'pending' ? desiredAssignment.verification.problem : undefined;
    if (desiredAssignment && unverified) reports.applyFailed(desiredAssignment, unverified.message);
    const step = nextStep(current, desiredAssignment, view);
    try {
      await this.#perform(step, current, desiredAssignment, signal);
      if (desiredAssignment && step.kind !== 'wait') desired.replaced(desiredAssignment);
      return desiredAssignment?.attachable && !desiredAssignment.machine
        ? this.#noMachine(current, desiredAssignment)
        : undefined;
    } catch (error) {
      if (isConflict(error) || isAlreadyExists(error)) return { requeueAfterMs: staleRetryMs };
      if (isNotFound(error) && step.kind !== 'create') return undefined;
      if (error instanceof KubeStatusError) {
        if (desiredAssignment) reports.applyFailed(desiredAssignment, messageOf(error));
        else if (current) reports.removeFailed(current, messageOf(error));
      }
      throw error;
    }
  };

  async #perform(
    step: Step,
    current: Assigned | undefined,
    desiredAssignment: Desired | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { client } = this.#deps.runtime;
    switch (step.kind) {
      case 'none':
      case 'wait':
        return;
      case 'create': {
        const stored = await this.#timed('addition', () => client.create(assignedType, step.object, { signal }));
        this.#becameAssigned(undefined, stored, desiredAssignment);
        return;
      }
      case 'replace': {
        const stored = await this.#timed('update', () => client.replace(assignedType, step.object, { signal }));
        this.#becameAssigned(current, stored, desiredAssignment);
        return;
      }
      case 'patch': {
        if (!current) return;
        const patch = { type: 'merge', body: step.body } as const;
        const stored = await this.#timed('update', () =>
          client.patch<Assigned>(assignedType, objectKeyOf(current), patch, { signal }),
        );
        this.#becameAssigned(current, stored, desiredAssignment);
        return;
      }
      case 'finish':
        if (current) await this.#finish(current, signal);
    }
  }

  /** One PATCH sets the state and removes the finalizer, so that a crash leaves no object stuck in deletion. */
  async #finish(current: Assigned, signal: AbortSignal): Promise<void> {
    const { client } = this.#deps.runtime;
    const key = objectKeyOf(current);
    const { uid, resourceVersion, finalizers = [], deletionTimestamp } = current.metadata;
    await this.#timed('deletion', async () => {
      if (finalizers.includes(assignedFinalizer)) {
        const left = finalizers.filter((each) => each !== assignedFinalizer);
        const body = { metadata: { resourceVersion, finalizers: left }, status: { status: 'Unassigned' } };
        await client.patch(assignedType, key, { type: 'merge', body }, { signal });
      }
      if (deletionTimestamp === undefined)
        await client.delete(assignedType, key, { preconditions: { ...(uid && { uid }) }, signal });
    });
    this.#deps.reports.removed(current);
  }

  #becameAssigned(before: Assigned | undefined, stored: Assigned, desiredAssignment: Desired | undefined): void {
    if (stateOf(stored) !== 'Assigned' || (before && stateOf(before) === 'Assigned') || !desiredAssignment) return;
    this.#deps.reports.applied(desiredAssignment);
    const created = Date.parse(stored.metadata.creationTimestamp ?? '');
    if (!Number.isNaN(created))
      this.#deps.metrics.assigned(Math.max(0, (this.#deps.runtime.clock.now() - created) / 1000));
  }

  /** The node may appear a moment after its pods: reports a missing machine only after a grace period. */
  #noMachine(current: Assigned | undefined, desiredAssignment: Desired): ReconcileResult | undefined {
    const created = Date.parse(current?.metadata.creationTimestamp ?? '');
    const leftMs = Number.isNaN(created) ? nodeGraceMs : created + nodeGraceMs - this.#deps.runtime.clock.now();
    if (leftMs > 0) return { requeueAfterMs: leftMs };
    const why = 'the node does not exist, or its spec.providerID names no virtual machine or scale set of Azure';
    this.#deps.reports.applyFailed(desiredAssignment, why);
    return undefined;
  }

  async #timed<T>(operation: AssignmentOperation, write: () => Promise<T>): Promise<T> {
    const { clock } = this.#deps.runtime;
    const started = clock.monotonic();
    let failed = true;
    try {
      const result = await write();
      failed = false;
      return result;
    } catch (error) {
      // A conflict with another write is no failure.
      failed = !isConflict(error) && !isAlreadyExists(error) && !isNotFound(error);
      throw error;
    } finally {
      this.#deps.metrics.write(operation, (clock.monotonic() - started) / 1000, failed);
    }
  }
}
