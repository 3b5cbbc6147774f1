import { randomUUID } from 'node:crypto';
import type { Condition } from '../../api/common-schemas.ts';
import type { ArmModel } from '../../arm-kinds/model.ts';
import { annotations, finalizer, operatorName, reasons } from '../../arm-kinds/names.ts';
import { sameResourceId } from '../../azure/arm/resource-ids.ts';
import { AzimuthError } from '../../base/errors.ts';
import { canonicalJson, isDeeperThan, isObject, jsonHash } from '../../base/json.ts';
import type { Logger } from '../../base/observability/log.ts';
import type { Span } from '../../base/observability/tracing.ts';
import { type Host, type Journal, parseJournal, type RunResult, run, withoutFailures } from '../../engine/index.ts';
import type { ReconcileResult, Reconciler } from '../../kube/cache/types.ts';
import { isConflict, isTooLarge } from '../../kube/client/status-error.ts';
import type { KubeObject, ResourceType } from '../../kube/client/types.ts';
import { hasFinalizer } from '../../kube/controller/finalizers.ts';
import { deletedNamespace } from '../lifecycle/deletion.ts';
import { nodeId, nodeOf } from '../references/node-id.ts';
import { isReady, isReadyAsIs, withReadiness, withRotation } from './conditions.ts';
import type { Memory, OperatorContext } from './dependencies.ts';
import { Pass } from './effects.ts';
import { isThrottled, jittered, putOffDelay } from './errors.ts';
import { bodyFingerprint, type Effect, type Facts } from './observed.ts';
import { type Deleting, judge, type Outcome } from './outcome.ts';
import { applyPipeline, deletePipeline } from './pipelines.ts';
import { Preparation, type Trace } from './prepare.ts';
import { PassEvents } from './run-events.ts';
import type { PassInput } from './run-state.ts';

const second = 1000;

/** The reconciler of one kind. All kinds run through it; what differs is the model. */
export class ResourceReconciler {
  readonly #model: ArmModel;
  readonly #type: ResourceType;
  readonly #context: OperatorContext;
  readonly #preparation: Preparation;
  readonly #events: PassEvents;

  constructor(model: ArmModel, type: ResourceType, context: OperatorContext) {
    this.#model = model;
    this.#type = type;
    this.#context = context;
    this.#preparation = new Preparation(model, type, context);
    this.#events = new PassEvents(context.events, model);
  }

  readonly reconcile: Reconciler = async (request, signal) => {
    const { client } = this.#context.runtime;
    const key = { namespace: request.namespace ?? '', name: request.name };
    // Not from the cache: the journal must be the one that was written last.
    const stored = await client.tryGet(this.#type, key, signal);
    if (!stored) {
      const { group, kind } = this.#type;
      this.#forget(request.key, nodeId(group, kind, key));
      return undefined;
    }
    await this.#context.records.load(signal);
    const object = this.#context.records.authenticated(stored);
    const deleting = object.metadata.deletionTimestamp !== undefined;
    if (deleting && !hasFinalizer(object, finalizer)) {
      this.#forget(object.metadata.uid ?? '', nodeOf(object));
      return undefined;
    }
    return this.#traced(object, deleting, (trace, span) =>
      (deleting ? this.#remove(object, trace, span, signal) : this.#apply(object, trace, span, signal)).catch(
        (error: unknown) => {
          if (!isTooLarge(error)) throw error;
          return this.#finish(object, { error, ...(deleting && { deleting: this.#deleting(object) }) });
        },
      ),
    );
  };

  async #apply(
    object: KubeObject,
    trace: Trace,
    span: Span,
    signal: AbortSignal,
  ): Promise<ReconcileResult | undefined> {
    const memory = this.#memory(object);
    const prepared = await this.#preparation.apply(object, trace, signal);
    if ('failed' in prepared) {
      span.set('azimuth.failure', codeOf(prepared.failed));
      return this.#finish(object, { error: prepared.failed });
    }
    const { input, chosen } = prepared;
    const { policy, body, resolution, log } = input;
    const pass = new Pass(this.#context, input, memory);
    const { syncPeriodMs, metrics } = this.#context;
    if (!memory.met && syncPeriodMs !== undefined && pass.mayWait) {
      // As the looks of an earlier process were: not all at once.
      memory.met = true;
      metrics.state(this.#model.definition, object.metadata.uid ?? '', 'Succeeded');
      log.debug({ credential: chosen?.source }, 'at rest: to be looked at within the period');
      return { requeueAfterMs: Math.ceil(Math.random() * syncPeriodMs) };
    }
    const current = journalOf(object);
    const wanted = jsonHash({
      spec: object['spec'],
      policy,
      retry: object.metadata.annotations?.[annotations.retry],
      ...(body && { body: bodyFingerprint(body), inputs: resolution.inputsVersion }),
    });
    // While an input is missing nobody knows what is wanted, so that nothing which was begun is forgotten.
    const goal = body === undefined && input.waits.length > 0 && current ? current.goal : wanted;
    const journal = memory.met ? current : withoutFailures(current);
    memory.met = true;
    const result = await this.#run(applyPipeline, goal, journal, pass, input, span).finally(() => {
      // Who owns nothing keeps nobody else from it.
      if (!pass.hasAcquired) this.#context.armIds.release(input.resourceId, object.metadata.uid);
    });
    this.#events.ended(object, pass, result);
    const { state } = result;
    reportRun(log, result, { credential: chosen?.source, acted: pass.acted }, 'reconciled');
    const rotation = state === 'Succeeded' ? await pass.rotateKeys() : undefined;
    return this.#finish(object, { pass, result, ...(rotation && { rotation }) });
  }

  async #remove(
    object: KubeObject,
    trace: Trace,
    span: Span,
    signal: AbortSignal,
  ): Promise<ReconcileResult | undefined> {
    const journal = journalOf(object);
    const prepared = await this.#preparation.remove(object, journal, trace, signal);
    if ('failed' in prepared) {
      span.set('azimuth.failure', codeOf(prepared.failed));
      return this.#finish(object, { error: prepared.failed, deleting: this.#deleting(object) });
    }
    const { input, plan } = prepared;
    const { policy, log, resourceId } = input;
    const pass = new Pass(this.#context, input, this.#memory(object));
    const goal = jsonHash({ delete: true, policy });
    const result = await this.#run(deletePipeline, goal, journal, pass, input, span);
    reportRun(log, result, { left: plan.leave, acted: pass.acted }, 'deletion reconciled');
    if (pass.released) {
      this.#events.released(object, resourceId, plan);
      const { uid = '', annotations: own } = object.metadata;
      this.#context.armIds.release(resourceId, uid);
      this.#forget(uid, nodeOf(object));
      await this.#context.credentialFinalizers.removeIfUnused(own?.[annotations.credential], signal, uid);
      return undefined;
    }
    this.#events.ended(object, pass, result, true);
    return this.#finish(object, { pass, result, deleting: this.#deleting(object) });
  }

  #deleting(object: KubeObject): Deleting {
    const { namespaces, runtime, deletionHintMs } = this.#context;
    const { namespace: place = '', name, deletionTimestamp = '' } = object.metadata;
    const namespace = deletedNamespace(namespaces, object)?.metadata.name;
    if (runtime.clock.now() - Date.parse(deletionTimestamp) < deletionHintMs) return { namespace, letGo: undefined };
    const target = `${this.#type.plural}.${this.#type.group} ${name} -n ${place}`;
    const letGo = ` To let go of the object and keep the resource in Azure: kubectl annotate ${target} --overwrite ${annotations.reconcilePolicy}=detach-on-delete`;
    return { namespace, letGo };
  }

  /** One span for the pass, from the look at what it needs to the last request; its trace is the id that Azure gets. */
  #traced<T>(object: KubeObject, deleting: boolean, work: (trace: Trace, span: Span) => Promise<T>): Promise<T> {
    const { namespace, name, uid, generation } = object.metadata;
    const correlationId = randomUUID();
    const log = this.#context.runtime.log.child({ kind: object.kind, namespace, name, uid, generation, correlationId });
    const attributes = {
      'k8s.resource.kind': object.kind,
      'k8s.namespace.name': namespace,
      'k8s.object.name': name,
      'k8s.object.uid': uid,
      'k8s.object.generation': generation,
      'azure.correlation_id': correlationId,
    };
    const options = { name: `${deleting ? 'delete' : 'apply'} ${object.kind}`, correlationId, attributes };
    return this.#context.tracer.run(options, (span) => work({ correlationId, log }, span));
  }

  /** Runs the blocks, with a span for each effect. */
  async #run(
    line: typeof applyPipeline,
    hash: string,
    journal: Journal | undefined,
    pass: Pass,
    { resourceId, signal }: PassInput,
    span: Span,
  ): Promise<RunResult> {
    const { tracer, limits } = this.#context;
    const host: Host<Facts, Effect> = {
      observe: () => pass.observe(),
      save: (next) => pass.save(next),
      boundsOf: (effect) => pass.boundsOf(effect),
      perform: (effect, context) => tracer.run({ name: effect.do }, () => pass.perform(effect, context)),
    };
    span.set('azure.resource_id', resourceId);
    const result = await run(line, { hash, value: undefined }, journal, host, { limits, signal });
    span.set('azimuth.state', result.state);
    span.set('azimuth.failure', result.failure?.code);
    return result;
  }

  /** Writes the status and says when to come back. */
  async #finish(object: KubeObject, outcome: Outcome): Promise<ReconcileResult | undefined> {
    const { runtime, metrics, records, syncPeriodMs } = this.#context;
    const memory = this.#memory(object);
    const { pass, error = pass?.error } = outcome;
    if (isConflict(pass?.error)) throw pass?.error;
    if (isThrottled(error) && !outcome.deleting && (pass ? pass.onlyLooked : isReadyAsIs(object))) {
      metrics.state(this.#model.definition, object.metadata.uid ?? '', 'Succeeded');
      return { requeueAfterMs: putOffDelay((error as AzimuthError).retryAfterMs, syncPeriodMs) };
    }
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
    const old = statusOf(current);
    const now = runtime.clock.now();
    const { rotation } = outcome;
    const found = withReadiness(old.conditions ?? [], readiness, generation, now);
    const conditions = [
      ['KeysRotated', rotation?.found] as const,
      ['CredentialsRotated', outcome.pass?.credentials] as const,
    ].reduce((all, [type, told]) => (told ? withRotation(all, type, told, generation, now) : all), found);
    const live = outcome.pass?.live;
    // Azure is done with it once `ready` is, though values may still be owed: what lives in it does not wait for those.
    const isThere = state === 'Succeeded' || outcome.result?.blocks['ready'] === 'Succeeded';
    const settled = live?.exists && (isThere || old.id !== undefined);
    const id = current.metadata.annotations?.[annotations.resourceId];
    const hidden = live?.exists && live.hidden && Object.keys(live.body).length === 0;
    const shown = hidden
      ? { ...without(old, 'conditions'), id }
      : settled
        ? { ...this.#model.status(live.body), id: spellingOf(id, live.body['id']) }
        : without(old, 'conditions');
    const status = { ...shown, observedGeneration: generation, conditions };
    metrics.state(this.#model.definition, uid, state);
    if (canonicalJson(status) !== canonicalJson(records.stored(current)['status'] ?? {})) {
      const operations = [
        { op: 'test', path: '/metadata/uid', value: uid },
        { op: 'add', path: '/status', value: status },
      ] as const;
      const options = { subresource: 'status', fieldManager: operatorName };
      try {
        await runtime.client.patch(this.#type, { namespace, name }, { type: 'json', operations }, options);
      } catch (error) {
        if (!isTooLarge(error)) throw error;
        this.#events.tooLarge(current, readiness);
        metrics.statusTooLarge(this.#model.definition);
      }
      if (isReady(conditions) && !isReady(old.conditions) && !memory.wasReady && creationTimestamp) {
        metrics.ready(this.#model.definition, Math.max(0, now - Date.parse(creationTimestamp)) / 1000);
      }
    }
    if (readiness.severity === undefined) {
      memory.wasReady = true;
      memory.attempts = 0;
    }
    if (readiness.severity !== undefined) return soonest(afterMs, rotation?.afterMs);
    const { renewAt } = outcome.pass ?? {};
    return soonest(
      syncPeriodMs === undefined ? undefined : jittered(syncPeriodMs),
      renewAt === undefined ? undefined : Math.max(second, renewAt - now),
      rotation?.afterMs,
    );
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
    this.#context.records.forget(id);
    this.#context.metrics.state(this.#model.definition, id, undefined);
    if (node !== undefined) this.#context.graph.delete(node);
  }
}

function soonest(...times: (number | undefined)[]): ReconcileResult | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : { requeueAfterMs: Math.min(...known) };
}

/** An ARM id as Azure spells it; should Azure name another one, that is not what this object has. */
function spellingOf(id: string | undefined, shown: unknown): unknown {
  if (id === undefined) return shown;
  return typeof shown === 'string' && sameResourceId(shown, id) ? shown : id;
}

/** One line for a run; a failure is a warning with the reason and message of the condition. */
function reportRun(log: Logger, { state, blocks, failure }: RunResult, more: object, message: string): void {
  const fields = { state, blocks, ...more };
  if (!failure || failure.code === reasons.reconciling) log.info(fields, message);
  else log.warn({ ...fields, reason: failure.code, error: failure.message }, message);
}

type Status = { readonly conditions?: readonly Condition[]; readonly id?: string };

/** What somebody else wrote into the status is not read where it is nested too deep to be compared. */
function statusOf(object: KubeObject): Status {
  const status: unknown = object['status'];
  return isObject(status) && !isDeeperThan(status, MAX_STATUS_LEVELS) ? (status as Status) : {};
}

const MAX_STATUS_LEVELS = 100;

function codeOf(error: unknown): string {
  return error instanceof AzimuthError ? error.code : 'AZ_UNEXPECTED';
}

function journalOf(object: KubeObject): Journal | undefined {
  return parseJournal(object.metadata.annotations?.[annotations.journal]);
}

function without(object: object, member: string): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== member));
}
