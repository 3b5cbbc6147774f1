import { type Applied, accepted } from '../../arm-kinds/comparison/applied-record.ts';
import { annotations, operatorName } from '../../arm-kinds/names.ts';
import { AzimuthError } from '../../base/errors.ts';
import type { EffectResult } from '../../engine/index.ts';
import type { KubeObject, Patch } from '../../kube/client/types.ts';
import type { AcquiredBy, Acquisition } from '../objects/acquisition.ts';
import { ownsArmId } from '../objects/acquisition.ts';
import { nodeOf } from '../objects/node-id.ts';
import type { AnnotationChanges } from '../objects/object-records.ts';
import { mayBeStale } from './applied.ts';
import type { ResourceRequests } from './arm-requests.ts';
import { failureInfo } from './failures.ts';
import type { Memory } from './memory.ts';
import type { ObservedChanges, ObservedState } from './observation.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';
import type { ReconcilePlan } from './reconcile-plan.ts';

/** The report of an effect: its outcome, and its observations. */
export type EffectReport = EffectResult & {
  readonly observed?: ObservedChanges;
  /** The error, where the outcome is a failure. */
  readonly error?: unknown;
};

/** The report of a successful effect. */
export function succeeded(observed: ObservedChanges = {}): EffectReport {
  return { outcome: 'succeeded', observed };
}

/** The report of a failed effect: a later run tries it again. */
export function failed({ plan }: Pick<EffectContext, 'plan'>, error: unknown): EffectReport {
  const { reason: code, message } = failureInfo(error, plan.model.errorOverrides);
  return { outcome: 'retry', failure: { code, message }, error };
}

/** Writes to one object, and keeps the object that the API server returned last. */
export class ObjectWriter {
  #object: KubeObject;
  readonly #deps: ReconcileDeps;
  readonly #request: Pick<ReconcilePlan, 'type' | 'signal'>;

  constructor(deps: ReconcileDeps, request: Pick<ReconcilePlan, 'type' | 'signal' | 'object'>) {
    this.#deps = deps;
    this.#request = request;
    this.#object = request.object;
  }

  /** The object as last written. */
  get object(): KubeObject {
    return this.#object;
  }

  async patch(patch: Patch): Promise<void> {
    const { type, signal } = this.#request;
    const { namespace = '', name } = this.#object.metadata;
    const options = { fieldManager: operatorName, signal };
    const written = await this.#deps.runtime.client.patch(type, { namespace, name }, patch, options);
    this.#object = this.#deps.records.authenticated(written);
  }
}

/** The inputs of an effect's context. */
export interface EffectInput {
  readonly shared: ReconcileDeps;
  readonly plan: ReconcilePlan;
  readonly observed: ObservedState;
  readonly memory: Memory;
  readonly requests: ResourceRequests;
  readonly writer: ObjectWriter;
  /** The object did not own its ARM id before this run. */
  readonly isNew: boolean;
}

/** The context of one effect. An effect changes neither plan nor observed state; it returns its observations. */
export class EffectContext {
  readonly shared: ReconcileDeps;
  readonly plan: ReconcilePlan;
  readonly observed: ObservedState;
  readonly memory: Memory;
  readonly requests: ResourceRequests;
  readonly isNew: boolean;
  readonly #writer: ObjectWriter;

  constructor({ shared, plan, observed, memory, requests, writer, isNew }: EffectInput) {
    this.shared = shared;
    this.plan = plan;
    this.observed = observed;
    this.memory = memory;
    this.requests = requests;
    this.isNew = isNew;
    this.#writer = writer;
  }

  /** The object as last written. */
  get object(): KubeObject {
    return this.#writer.object;
  }

  /** The ARM id. Throws AZ_REFERENCE_MISSING while it is not known. */
  id(): string {
    const { resourceId } = this.plan;
    if (resourceId === undefined) throw new AzimuthError('AZ_REFERENCE_MISSING', 'The ARM id is not known yet');
    return resourceId;
  }

  /** Whether the object owns its ARM id for the credential of this run. */
  ownsArmId(): boolean {
    const { credentialOf, adopt } = this.plan;
    return ownsArmId(this.observed.acquired, { credentialOf, adopt, time: this.shared.runtime.clock.now() });
  }

  /** The acquisition of the ARM id by this object. A stronger existing acquisition stays. */
  acquired(by: AcquiredBy): Acquisition | undefined {
    const { acquired } = this.observed;
    if (this.ownsArmId() && acquired?.by !== 'announced') return acquired;
    return { by, credentialOf: this.plan.credentialOf, at: this.shared.runtime.clock.now() };
  }

  /**
   * Keeps that an earlier PUT of this object may have arrived, because the journal forgets that PUT when a later one
   * ends.
   */
  withEarlierPut(): ObservedChanges {
    return this.isNew ? {} : { applied: this.observed.applied ?? accepted };
  }

  /** The record of the last PUT while Azure may still show the state before the one that it has just finished. */
  unsettled(): Applied {
    const { clock } = this.shared.runtime;
    return { ...(this.observed.applied ?? accepted), settlesAt: Math.ceil(clock.now()) + this.shared.settleMs };
  }

  /** Whether Azure has had time to show the last PUT. */
  isSettled(): boolean {
    return !mayBeStale({ ...this.observed, now: this.shared.runtime.clock.now() });
  }

  /** Throws ScopeNotAllowed for an ARM id that this object may not reach with its credential. */
  checkReach(armId: string): void {
    const { usesOperatorCredential, object } = this.plan;
    if (usesOperatorCredential) this.shared.credentialScopes.checkReach(object, armId);
  }

  /** Whether rules limit the ARM ids that this object may reach. */
  isBounded(): boolean {
    const { usesOperatorCredential, object } = this.plan;
    return usesOperatorCredential && this.shared.credentialScopes.bounds(object);
  }

  /** Whether the last PUT sent the pending password of a generated administrator, so that Azure accepts no other. */
  hasNewPassword(): boolean {
    const { admin, inputsVersion } = this.plan.resolution;
    return admin?.pending !== undefined && this.observed.applied?.inputs === inputsVersion;
  }

  /** The Secrets and ConfigMaps to write, as `Secret/name` and `ConfigMap/name`. */
  plannedExports(): string[] {
    const written = this.plan.exports.items.filter(({ target }) => target !== 'KeyVault');
    return [...new Set(written.map(({ target, to }) => `${target}/${to.name}`))];
  }

  /** The Secrets and ConfigMaps that may have been written for the object before. */
  recordedExports(): string[] {
    return (this.object.metadata.annotations?.[annotations.exports] ?? '').split(' ').filter(Boolean);
  }

  /**
   * Makes the object wait for a node of the graph until its next run. Call it before reading whether the node is
   * ready, so that no change is missed in between.
   */
  waitFor(node: string): void {
    const { graph } = this.shared;
    const objectNode = nodeOf(this.object);
    graph.set(objectNode, [...graph.dependencies(objectNode), { kind: 'explicit', to: node }]);
  }

  /** Does work that may have to wait: the nodes that it waits for count only if it throws. */
  async orWait<T>(work: () => Promise<T>): Promise<T> {
    const { graph } = this.shared;
    const objectNode = nodeOf(this.object);
    const before = graph.dependencies(objectNode);
    const result = await work();
    graph.set(objectNode, before);
    return result;
  }

  event(type: 'Normal' | 'Warning', reason: string, action: string, note: string): void {
    this.shared.events.record({ regarding: this.object, type, reason, action, note });
  }

  /**
   * Writes the annotations that differ; null removes. Bound to the uid alone, because the values stay true after other
   * writes.
   */
  async annotate(changes: AnnotationChanges): Promise<void> {
    const different = this.shared.records.changes(this.object, changes);
    if (Object.keys(different).length === 0) return;
    const { uid } = this.object.metadata;
    await this.patch({ type: 'merge', body: { metadata: { uid, annotations: different } } });
  }

  patch(patch: Patch): Promise<void> {
    return this.#writer.patch(patch);
  }
}
