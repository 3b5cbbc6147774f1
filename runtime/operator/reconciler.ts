import { randomUUID } from 'node:crypto';
import type { Condition } from '../api/common-schemas.ts';
import { normalizeResourceId, tryParseResourceId } from '../azure/resource-ids.ts';
import { AzimuthError } from '../base/errors.ts';
import {
  canonicalJson,
  describeCycle,
  type Edge,
  goalHash,
  type Journal,
  parseJournal,
  type RunResult,
  run,
  type Wait,
} from '../engine/index.ts';
import type { ReconcileResult, Reconciler } from '../kube/cache-types.ts';
import { hasFinalizer } from '../kube/finalizers.ts';
import { isConflict } from '../kube/status-error.ts';
import type { KubeObject, ResourceType } from '../kube/types.ts';
import { type AdoptPolicy, adoptPolicyOf } from './adoption.ts';
import { isReady, readyCondition, withReadiness } from './conditions.ts';
import type { Memory, OperatorContext } from './context.ts';
import type { ChosenCredential } from './credentials.ts';
import { type DeletionPlan, planDeletion } from './deletion.ts';
import { bodyFingerprint } from './facts.ts';
import { failureFacts, jittered } from './failures.ts';
import { ignoredPaths } from './ignored-fields.ts';
import { judge, type Outcome, SubscriptionMismatch } from './judge.ts';
import type { ArmModel } from './model.ts';
import { annotations, eventReasons, finalizer, operatorName, reasons } from './names.ts';
import { nodeId, nodeOf } from './node-id.ts';
import { Pass, type PassInput } from './pass.ts';
import { applyPipeline, deletePipeline } from './pipelines.ts';
import { policyOf } from './policy.ts';
import { edgesOf, type Resolution, resolve } from './resolve.ts';
import { armIdInAzure } from './stores.ts';

const noResolution: Resolution = { waits: [], owner: undefined, inputs: new Map(), inputsVersion: '' };

/** The reconciler of one kind. All kinds run through it; what differs is the model. */
export class ResourceReconciler {
  readonly #model: ArmModel;
  readonly #type: ResourceType;
  readonly #context: OperatorContext;

  constructor(model: ArmModel, type: ResourceType, context: OperatorContext) {
    this.#model = model;
    this.#type = type;
    this.#context = context;
  }

  readonly reconcile: Reconciler = async (request, signal) => {
    const { client } = this.#context.runtime;
    const key = { namespace: request.namespace ?? '', name: request.name };
    // Not from the cache: the journal must be the one that was written last.
    const object = await client.tryGet(this.#type, key, signal);
    if (!object) {
      const { group, kind } = this.#type;
      this.#forget(request.key, nodeId(group, kind, key));
      return undefined;
    }
    const deleting = object.metadata.deletionTimestamp !== undefined;
    if (deleting && !hasFinalizer(object, finalizer)) {
      this.#forget(object.metadata.uid ?? '', nodeOf(object));
      return undefined;
    }
    return deleting ? this.#remove(object, signal) : this.#apply(object, signal);
  };

  async #apply(object: KubeObject, signal: AbortSignal): Promise<ReconcileResult | undefined> {
    const prepared = await this.#prepare(object, signal);
    if ('failed' in prepared) return this.#finish(object, prepared.failed);
    const { input, chosen } = prepared;
    const memory = this.#memory(object);
    const pass = new Pass(this.#context, input, memory);
    const { policy, body, resolution } = input;
    const goal = goalHash({
      spec: object['spec'],
      policy,
      ...(body && { body: bodyFingerprint(body), inputs: resolution.inputsVersion }),
    });
    const journal = parseJournal(object.metadata.annotations?.[annotations.journal]);
    const result = await this.#run(applyPipeline, goal, journal, pass, input, signal);
    this.#report(object, pass, result);
    input.log.info(
      { state: result.state, blocks: result.blocks, credential: chosen.source, acted: pass.acted },
      'reconciled',
    );
    return this.#finish(object, { pass, result });
  }

  async #remove(object: KubeObject, signal: AbortSignal): Promise<ReconcileResult | undefined> {
    const { stores, graph, events, credentials } = this.#context;
    const trace = this.#trace(object);
    const { log } = trace;
    const journal = parseJournal(object.metadata.annotations?.[annotations.journal]);
    const policy = this.#policy(object);
    const { client } = this.#context.runtime;
    const edges = [...edgesOf(this.#model, object), credentials.edgeOf(object)];
    graph.set(nodeOf(object), edges);
    const plan = await planDeletion(this.#model, object, policy, journal, { stores, client, signal });
    graph.set(nodeOf(object), [...edges, ...plan.waits.map(({ kind, node }) => ({ kind, to: node }))]);
    let chosen: ChosenCredential | undefined;
    try {
      if (plan.leave === undefined || journal !== undefined) chosen = await credentials.credentialFor(object, signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof AzimuthError) || error.code.startsWith('AZ_KUBE')) throw error;
      return this.#finish(object, { error, deleting: true });
    }
    const waits = [...plan.waits, ...(plan.leave === undefined ? (chosen?.waits ?? []) : [])];
    const input: PassInput = {
      ...this.#input(object, policy, chosen, noResolution, waits, trace, signal),
      resourceId: object.metadata.annotations?.[annotations.resourceId],
      body: undefined,
      ignored: [],
      deletion: { leave: plan.leave, unsure: plan.unsure, deleted: false, released: false },
    };
    const pass = new Pass(this.#context, input, this.#memory(object));
    const result = await this.#run(deletePipeline, goalHash({ delete: true, policy }), journal, pass, input, signal);
    log.info(
      { state: result.state, blocks: result.blocks, left: plan.leave, acted: pass.acted },
      'deletion reconciled',
    );
    if (pass.released) {
      if (plan.noteworthy) this.#left(object, plan);
      else if (plan.leave === undefined) {
        const note = `${input.resourceId} is gone from Azure`;
        events.record({ regarding: object, reason: eventReasons.deleteSucceeded, action: 'Delete', note });
      }
      this.#forget(object.metadata.uid ?? '', nodeOf(object));
      return undefined;
    }
    this.#report(object, pass, result, true);
    return this.#finish(object, { pass, result, deleting: true });
  }

  #left(object: KubeObject, { leave }: DeletionPlan): void {
    const note = `The object is gone, and nothing was deleted in Azure: ${leave}`;
    this.#context.events.record({
      regarding: object,
      reason: eventReasons.notPossibleInAzure,
      action: 'Delete',
      note,
    });
  }

  /** Everything that an apply pass needs from outside of the object. */
  async #prepare(
    object: KubeObject,
    signal: AbortSignal,
  ): Promise<{ readonly input: PassInput; readonly chosen: ChosenCredential } | { readonly failed: Outcome }> {
    const { client } = this.#context.runtime;
    const { stores, graph, roles, credentials } = this.#context;
    const model = this.#model;
    const node = nodeOf(object);
    const trace = this.#trace(object);
    const { log } = trace;
    try {
      const edges = [...edgesOf(model, object), credentials.edgeOf(object)];
      graph.set(node, edges);
      const chosen = await credentials.credentialFor(object, signal);
      const { credential } = chosen;
      const resolution = await resolve(model, object, {
        client,
        stores,
        signal,
        roles: async (name) =>
          credential && roles.find(name, credential.subscriptionId ?? '', credential.authorizer, signal),
      });
      const ownerKnown = resolution.owner !== undefined || model.owner(object) === undefined;
      const subscriptionId = credential?.subscriptionId ?? '';
      const resourceId = ownerKnown && credential ? this.#resourceId(object, resolution, subscriptionId) : undefined;
      const overlap = resourceId === undefined ? [] : this.#overlap(object, resourceId);
      const cycle = this.#link(node, [...edges, ...overlap.map(({ kind, node: to }) => ({ kind, to }))]);
      const waits = [...chosen.waits, ...resolution.waits, ...overlap].map((wait) =>
        cycle === undefined ? wait : { ...wait, message: `${wait.message}. ${cycle}` },
      );
      const input: PassInput = {
        ...this.#input(object, this.#policy(object), chosen, resolution, waits, trace, signal),
        resourceId,
        ignored: ignoredPaths(model, object),
        body: waits.length === 0 ? model.body(object, resolution.inputs) : undefined,
        deletion: undefined,
      };
      return { input, chosen };
    } catch (error) {
      if (signal.aborted || !(error instanceof AzimuthError) || error.code.startsWith('AZ_KUBE')) throw error;
      log.warn({ code: error.code, error: error.message }, 'the object cannot be prepared');
      return { failed: { error } };
    }
  }

  #input(
    object: KubeObject,
    policy: PassInput['policy'],
    chosen: ChosenCredential | undefined,
    resolution: Resolution,
    waits: readonly Wait[],
    { correlationId, log }: Trace,
    signal: AbortSignal,
  ): Omit<PassInput, 'resourceId' | 'body' | 'deletion' | 'ignored'> {
    return {
      model: this.#model,
      type: this.#type,
      object,
      policy,
      adopt: this.#adoptPolicy(object),
      credential: chosen?.credential,
      resolution,
      waits,
      correlationId,
      log,
      signal,
    };
  }

  /** A correlation id, which goes to ARM, and a logger whose lines carry it. */
  #trace(object: KubeObject): Trace {
    const { namespace, name, uid, generation } = object.metadata;
    const correlationId = randomUUID();
    const log = this.#context.runtime.log.child({ kind: object.kind, namespace, name, uid, generation, correlationId });
    return { correlationId, log };
  }

  #policy(object: KubeObject) {
    const { namespaces, defaultPolicy, runtime } = this.#context;
    const namespace = namespaces.get({ name: object.metadata.namespace ?? '' });
    return policyOf(object, namespace, defaultPolicy, runtime.log);
  }

  #adoptPolicy(object: KubeObject): AdoptPolicy {
    const { namespaces, defaultAdopt, runtime } = this.#context;
    const namespace = namespaces.get({ name: object.metadata.namespace ?? '' });
    return adoptPolicyOf(object, namespace, defaultAdopt, runtime.log);
  }

  /** Once something was sent to Azure under an id, that id stays, whatever the spec says. */
  #resourceId(object: KubeObject, resolution: Resolution, subscriptionId: string): string {
    const own = object.metadata.annotations ?? {};
    const claimed = own[annotations.resourceId];
    const computed = this.#model.resourceId(object, resolution.owner, subscriptionId);
    const used = own[annotations.applied] ?? own[annotations.journal] ?? armIdInAzure(object);
    const id = claimed !== undefined && used !== undefined ? claimed : computed;
    const actual = tryParseResourceId(id)?.subscriptionId;
    if (actual !== undefined && actual.toLowerCase() !== subscriptionId.toLowerCase()) {
      throw new SubscriptionMismatch(actual, subscriptionId);
    }
    return id;
  }

  /** Another object that claimed the same ARM id and has it in Azure, or is older. */
  #overlap(object: KubeObject, resourceId: string): Wait[] {
    const { metadata } = object;
    // Whoever has it in Azure already comes first: times of creation are equal within a second.
    const rank = (each: KubeObject) =>
      `${armIdInAzure(each) === undefined ? 1 : 0} ${each.metadata.creationTimestamp} ${each.metadata.uid}`;
    const others = this.#context.stores
      .claimants(resourceId)
      .filter((other) => other.metadata.uid !== metadata.uid && rank(other) < rank(object));
    const [first] = others;
    if (!first) return [];
    const message = `${first.kind} ${first.metadata.namespace}/${first.metadata.name} already manages ${normalizeResourceId(resourceId)}`;
    this.#context.events.record({
      regarding: object,
      type: 'Warning',
      reason: eventReasons.overlap,
      action: 'Claim',
      note: message,
    });
    return [{ kind: 'explicit', node: nodeOf(first), reason: reasons.blocked, message }];
  }

  #link(node: string, edges: readonly Edge[]): string | undefined {
    const { graph } = this.#context;
    graph.set(node, edges);
    const cycle = graph.cycleThrough(node);
    return cycle && describeCycle(cycle);
  }

  #run(
    line: typeof applyPipeline,
    hash: string,
    journal: Journal | undefined,
    pass: Pass,
    { signal }: PassInput,
    abort: AbortSignal,
  ): Promise<RunResult> {
    const { limits } = this.#context;
    return run(line, { hash, value: undefined }, journal, pass, { limits, signal: AbortSignal.any([signal, abort]) });
  }

  /** Events for what was done or failed in this pass; never for a pass that only looked. */
  #report(object: KubeObject, pass: Pass, result: RunResult, deleting = false): void {
    const { events } = this.#context;
    const done = result.state === 'Succeeded';
    const action = deleting ? 'Delete' : 'CreateOrUpdate';
    if (done && !deleting && wasSent(object, pass)) {
      const note = `${this.#model.armType(object)} is as declared`;
      events.record({ regarding: object, reason: eventReasons.createOrUpdateSucceeded, action, note });
    }
    const refused = result.waits.find(({ reason }) => reason === reasons.adoptionRefused);
    // Said once: a condition that says it already was preceded by its event.
    if (refused && readyCondition(object['status']?.conditions)?.reason !== refused.reason) {
      const note = refused.message;
      events.record({
        regarding: object,
        type: 'Warning',
        reason: eventReasons.adoptionRefused,
        action: 'Adopt',
        note,
      });
    }
    if (result.failure && pass.error !== undefined && !isConflict(pass.error)) {
      const { reason, message } = failureFacts(pass.error, this.#model.errorOverrides);
      const name = deleting ? eventReasons.deleteActionError : eventReasons.createOrUpdateActionError;
      events.record({ regarding: object, type: 'Warning', reason: name, action, note: `${reason}: ${message}` });
    }
  }

  /** Writes the status and says when to come back. */
  async #finish(object: KubeObject, outcome: Outcome): Promise<ReconcileResult | undefined> {
    const { runtime, metrics, syncPeriodMs } = this.#context;
    const memory = this.#memory(object);
    if (isConflict(outcome.pass?.error)) throw outcome.pass?.error;
    const { readiness, afterMs, state } = judge(outcome, {
      memory,
      now: runtime.clock.now(),
      syncPeriodMs,
      overrides: this.#model.errorOverrides,
    });
    const current = outcome.pass?.object ?? object;
    const { namespace = '', name, uid = '', creationTimestamp } = current.metadata;
    // Of the spec that was worked on: `current` may carry an edit that came in meanwhile.
    const { generation } = object.metadata;
    const { kind } = this.#model.definition;
    const old = (current['status'] ?? {}) as { readonly conditions?: readonly Condition[]; readonly id?: string };
    const now = runtime.clock.now();
    const conditions = withReadiness(old.conditions ?? [], readiness, generation, now);
    const live = outcome.pass?.live;
    const settled = live?.exists && (state === 'Succeeded' || old.id !== undefined);
    const id = current.metadata.annotations?.[annotations.resourceId];
    const shown = settled
      ? { ...this.#model.status(live.body), id: live.body['id'] ?? id }
      : without(old, 'conditions');
    const status = { ...shown, observedGeneration: generation, conditions };
    metrics.state(kind, uid, state);
    if (canonicalJson(status) !== canonicalJson(old)) {
      const operations = [
        { op: 'test', path: '/metadata/uid', value: uid },
        { op: 'add', path: '/status', value: status },
      ] as const;
      const options = { subresource: 'status', fieldManager: operatorName };
      await runtime.client.patch(this.#type, { namespace, name }, { type: 'json', operations }, options);
      if (isReady(conditions) && !isReady(old.conditions) && !memory.wasReady && creationTimestamp) {
        metrics.ready(kind, Math.max(0, now - Date.parse(creationTimestamp)) / 1000);
      }
    }
    if (readiness.severity === undefined) {
      memory.wasReady = true;
      memory.attempts = 0;
      return syncPeriodMs === undefined ? undefined : { requeueAfterMs: jittered(syncPeriodMs) };
    }
    return afterMs === undefined ? undefined : { requeueAfterMs: afterMs };
  }

  #memory(object: KubeObject): Memory {
    const { uid = '', generation } = object.metadata;
    const memory = this.#context.memory.get(uid) ?? { attempts: 0, generation };
    if (memory.generation !== generation) {
      memory.attempts = 0;
      memory.generation = generation;
    }
    this.#context.memory.set(uid, memory);
    return memory;
  }

  #forget(uid: string, node?: string): void {
    const id = uid.split('/').at(-1) ?? uid;
    this.#context.memory.delete(id);
    this.#context.metrics.state(this.#model.definition.kind, id, undefined);
    if (node !== undefined) this.#context.graph.delete(node);
  }
}

type Trace = Pick<PassInput, 'correlationId' | 'log'>;

/** Whether this pass ended what a PUT began, in this pass or in an earlier one. */
function wasSent(object: KubeObject, pass: Pass): boolean {
  const before = parseJournal(object.metadata.annotations?.[annotations.journal]);
  return pass.acted || before?.blocks['submit'] !== undefined;
}

function without(object: object, member: string): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== member));
}
