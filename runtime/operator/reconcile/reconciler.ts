import { randomUUID } from 'node:crypto';
import type { ArmModel } from '../../arm-kinds/model.ts';
import { annotations, finalizer, reasons } from '../../arm-kinds/names.ts';
import { AzimuthError } from '../../base/errors.ts';
import { jsonHash } from '../../base/json.ts';
import type { Logger } from '../../base/observability/log.ts';
import type { Span } from '../../base/observability/tracing.ts';
import { type EngineResult, type Journal, run as runPipeline, withoutFailures } from '../../engine/index.ts';
import type { ReconcileResult, Reconciler } from '../../kube/cache/types.ts';
import { isTooLarge } from '../../kube/client/status-error.ts';
import type { KubeObject, ResourceType } from '../../kube/client/types.ts';
import { isRunTooLong } from '../../kube/controller/controller.ts';
import { hasFinalizer } from '../../kube/controller/finalizers.ts';
import { deliverSecrets, undelivered } from '../delivery/deliver.ts';
import type { Memory } from '../effects/memory.ts';
import type { ReconcileDeps } from '../effects/reconcile-deps.ts';
import type { Trace } from '../effects/reconcile-plan.ts';
import { deletedNamespace } from '../lifecycle/deletion.ts';
import { isReadyAsIs } from '../objects/conditions.ts';
import { nodeId, nodeOf } from '../objects/node-id.ts';
import { followInstances } from '../rolls/follow-instances.ts';
import { rotateKeys } from '../rotation/rotate-keys.ts';
import { hashOfDesiredState, journalOf } from './desired-state.ts';
import { isLoading } from './loading.ts';
import { applyPipeline, deletePipeline } from './pipelines.ts';
import { PlanBuilder } from './plan/plan-builder.ts';
import { Reconciliation } from './reconciliation.ts';
import type { Deleting, Outcome } from './report/outcome.ts';
import { ReconcileEvents } from './report/reconcile-events.ts';
import { StatusReporter } from './report/status.ts';

/**
 * The reconciler of one kind: the path from a watch event to a request to Azure and to the status. All kinds share it;
 * only the model differs.
 *
 *   reconcile               reads the object and its records
 *     #createOrUpdate       builds the plan (plan/plan-builder.ts) and the hash of the desired state
 *       #run                runs the pipeline (pipelines.ts): determineCreateOrUpdateAction decides on plan and
 *                           observation; the reconciliation (reconciliation.ts) performs the effect (effects/) and
 *                           keeps its observation
 *       rotateKeys          continues a rotation of keys (rotation/)
 *     #delete               the same with the pipeline for deletions
 *     #report               computes the Ready condition (report/outcome.ts) and writes the status (report/status.ts)
 */
export class ResourceReconciler {
  readonly #model: ArmModel;
  readonly #type: ResourceType;
  readonly #deps: ReconcileDeps;
  readonly #plans: PlanBuilder;
  readonly #events: ReconcileEvents;
  readonly #status: StatusReporter;

  constructor(model: ArmModel, type: ResourceType, deps: ReconcileDeps) {
    this.#model = model;
    this.#type = type;
    this.#deps = deps;
    this.#plans = new PlanBuilder({ model, type, shared: deps });
    this.#events = new ReconcileEvents(deps.events, model);
    this.#status = new StatusReporter(model, type, deps, this.#events);
  }

  readonly reconcile: Reconciler = async (request, signal) => {
    const { client } = this.#deps.runtime;
    const key = { namespace: request.namespace ?? '', name: request.name };
    // Not from the cache: the run needs the journal that was written last.
    const stored = await client.tryGet(this.#type, key, signal);
    if (!stored) {
      const { group, kind } = this.#type;
      this.#forget(request.key, nodeId(group, kind, key));
      return undefined;
    }
    const waitMs = this.#deps.reconcileCredit.spend(stored);
    if (waitMs > 0) return { requeueAfterMs: waitMs };
    await this.#deps.records.load(signal);
    const object = this.#deps.records.authenticated(stored);
    const deleting = object.metadata.deletionTimestamp !== undefined;
    if (deleting && !hasFinalizer(object, finalizer)) {
      this.#forget(object.metadata.uid ?? '', nodeOf(object));
      return undefined;
    }
    return this.#traced(object, deleting, (trace, span) => {
      const reconciling = deleting
        ? this.#delete(object, trace, span, signal)
        : this.#createOrUpdate(object, trace, span, signal);
      return reconciling.catch((error: unknown) => {
        const isTooLong = isRunTooLong(signal.reason);
        if (!isTooLarge(error) && !isTooLong) throw error;
        return this.#report(object, {
          error: isTooLong ? signal.reason : error,
          ...(deleting && { deleting: this.#deletingOf(object) }),
        });
      });
    });
  };

  async #createOrUpdate(
    object: KubeObject,
    trace: Trace,
    span: Span,
    signal: AbortSignal,
  ): Promise<ReconcileResult | undefined> {
    const memory = this.#memory(object);
    const prepared = await this.#plans.forApply(object, trace, signal);
    if ('failed' in prepared) {
      span.set('azimuth.failure', codeOf(prepared.failed));
      return this.#report(object, { error: prepared.failed });
    }
    const { plan, chosen } = prepared;
    const { log } = plan;
    const run = new Reconciliation(this.#deps, plan, memory);
    const { syncPeriodMs, metrics, runtime } = this.#deps;
    if (isLoading(memory, plan.waits, runtime.clock.now()) && isReadyAsIs(object)) return { requeueAfterMs: loadingMs };
    if (!memory.seenInThisProcess && syncPeriodMs !== undefined && run.mayWait) {
      // After a restart, the checks of all objects are spread over the resync period again.
      memory.seenInThisProcess = true;
      metrics.state(this.#model.definition, object.metadata.uid ?? '', 'Succeeded');
      log.debug({ credential: chosen?.source }, 'in sync: checked within the resync period');
      return { requeueAfterMs: Math.ceil(Math.random() * syncPeriodMs) };
    }
    const current = journalOf(object);
    const journal = memory.seenInThisProcess ? current : withoutFailures(current);
    memory.seenInThisProcess = true;
    const hash = hashOfDesiredState(plan, current);
    const result = await this.#run(applyPipeline, hash, journal, run, span).finally(() => {
      // An object that owns no ARM id reserves none after its run.
      if (!run.observed.acquired) this.#deps.armIds.release(plan.resourceId, object.metadata.uid);
    });
    this.#events.ended(object, run, result);
    const { wroteToAzure: acted } = run.observed;
    logResult(log, result, { credential: chosen?.source, acted }, 'reconciled');
    const rotation = result.state === 'Succeeded' ? await rotateKeys(run.effectContext()) : undefined;
    const effects = run.effectContext();
    const delivery = result.state === 'Succeeded' ? await deliverSecrets(effects) : undelivered(effects, result);
    const instances = result.state === 'Succeeded' ? await followInstances(effects, delivery?.progress) : undefined;
    return this.#report(object, {
      run,
      result,
      ...(rotation && { rotation }),
      ...(delivery && { delivery }),
      ...(instances && { instances }),
    });
  }

  async #delete(
    object: KubeObject,
    trace: Trace,
    span: Span,
    signal: AbortSignal,
  ): Promise<ReconcileResult | undefined> {
    const journal = journalOf(object);
    const prepared = await this.#plans.forDeletion(object, journal, trace, signal);
    if ('failed' in prepared) {
      span.set('azimuth.failure', codeOf(prepared.failed));
      return this.#report(object, { error: prepared.failed, deleting: this.#deletingOf(object) });
    }
    const { plan, deletionPlan } = prepared;
    const { policy, log, resourceId } = plan;
    const run = new Reconciliation(this.#deps, plan, this.#memory(object));
    const hash = jsonHash({ delete: true, policy });
    const result = await this.#run(deletePipeline, hash, journal, run, span);
    const { wroteToAzure: acted, finalizerRemoved } = run.observed;
    logResult(log, result, { left: deletionPlan.keepReason, acted }, 'deletion reconciled');
    if (finalizerRemoved) {
      this.#events.removed(object, resourceId, deletionPlan);
      const { uid = '', annotations: objectAnnotations } = object.metadata;
      this.#deps.armIds.release(resourceId, uid);
      this.#forget(uid, nodeOf(object));
      await this.#deps.credentialFinalizers.removeIfUnused(objectAnnotations?.[annotations.credential], signal, uid);
      return undefined;
    }
    this.#events.ended(object, run, result, true);
    return this.#report(object, { run, result, deleting: this.#deletingOf(object) });
  }

  #deletingOf(object: KubeObject): Deleting {
    const { namespaces, runtime, deletionHintMs } = this.#deps;
    const { namespace: place = '', name, deletionTimestamp = '' } = object.metadata;
    const namespace = deletedNamespace(namespaces, object)?.metadata.name;
    if (runtime.clock.now() - Date.parse(deletionTimestamp) < deletionHintMs) return { namespace, hint: undefined };
    const target = `${this.#type.plural}.${this.#type.group} ${name} -n ${place}`;
    const command = `kubectl annotate ${target} --overwrite ${annotations.reconcilePolicy}=detach-on-delete`;
    return { namespace, hint: `To delete the object and keep the resource in Azure: ${command}` };
  }

  /**
   * One span for the run, from reading the object to the last request; its trace id is the correlation id for Azure.
   */
  #traced<T>(object: KubeObject, deleting: boolean, work: (trace: Trace, span: Span) => Promise<T>): Promise<T> {
    const { namespace, name, uid, generation } = object.metadata;
    const correlationId = randomUUID();
    const log = this.#deps.runtime.log.child({ kind: object.kind, namespace, name, uid, generation, correlationId });
    const attributes = {
      'k8s.resource.kind': object.kind,
      'k8s.namespace.name': namespace,
      'k8s.object.name': name,
      'k8s.object.uid': uid,
      'k8s.object.generation': generation,
      'azure.correlation_id': correlationId,
    };
    const options = { name: `${deleting ? 'delete' : 'apply'} ${object.kind}`, correlationId, attributes };
    return this.#deps.tracer.run(options, (span) => work({ correlationId, log }, span));
  }

  async #run(
    pipeline: typeof applyPipeline,
    hash: string,
    journal: Journal | undefined,
    run: Reconciliation,
    span: Span,
  ): Promise<EngineResult> {
    const { limits } = this.#deps;
    const { resourceId, signal } = run.plan;
    span.set('azure.resource_id', resourceId);
    run.begin(journal);
    const running = runPipeline(pipeline, { hash, value: run.plan }, journal, run, { limits, signal });
    const result = await running.finally(() => run.close());
    run.end(result.journal);
    span.set('azimuth.state', result.state);
    span.set('azimuth.failure', result.failure?.code);
    return result;
  }

  #report(object: KubeObject, outcome: Outcome): Promise<ReconcileResult | undefined> {
    return this.#status.report(object, outcome, this.#memory(object));
  }

  #memory(object: KubeObject): Memory {
    const { uid = '', generation } = object.metadata;
    const memory = this.#deps.memory.get(uid) ?? { attempts: 0, generation };
    if (memory.generation !== generation) {
      memory.attempts = 0;
      memory.generation = generation;
    }
    this.#deps.memory.set(uid, memory);
    return memory;
  }

  #forget(uid: string, node?: string): void {
    const id = uid.split('/').at(-1) ?? uid;
    this.#deps.memory.delete(id);
    this.#deps.records.forget(id);
    this.#deps.machines?.forget(id);
    this.#deps.metrics.state(this.#model.definition, id, undefined);
    if (node !== undefined) this.#deps.graph.delete(node);
  }
}

/** Milliseconds to the next run of an object whose ManagedSecrets this process has not read yet. */
const loadingMs = 15_000;

/** One line for a run; a failure is a warning with the reason and message of the condition. */
function logResult(log: Logger, { state, blocks, failure }: EngineResult, more: object, message: string): void {
  const fields = { state, blocks, ...more };
  if (!failure || failure.code === reasons.reconciling) log.info(fields, message);
  else log.warn({ ...fields, reason: failure.code, error: failure.message }, message);
}

function codeOf(error: unknown): string {
  return error instanceof AzimuthError ? error.code : 'AZ_UNEXPECTED';
}
