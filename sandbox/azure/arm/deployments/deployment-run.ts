import type { ExpandedResource, ExpandedTemplate } from '../../../../runtime/compute/templates/expand-template.ts';
import { Refusal, type Reply, refuse } from '../../exchange.ts';
import { at, type Json, objectOf } from '../../json.ts';
import type { BehaviourContext } from '../behaviour.ts';
import type { Caller, ResourceEngine } from '../resources/resource-engine.ts';
import { parsePath, type ResourcePath } from '../resources/resource-path.ts';
import type { StoredResource } from '../resources/stored-resources.ts';
import { type DeploymentRecord, expansionOf, isRunning, recordOf, type Step } from './deployment-record.ts';
import { deploymentType, requestPath } from './deployment-scope.ts';
import { knownAnswers, waiting } from './known-answers.ts';
import { expand, outputViews, requestBody } from './template-expansion.ts';

/** Sends a request of the deployment to Resource Manager, as its caller. Never throws a refusal. */
export type Submit = (method: string, id: string, apiVersion: string, body?: Json) => Reply;

/**
 * Runs deployments. Nothing runs in the background: each request to Resource Manager brings them as far as their
 * resources are.
 */
export class DeploymentRun {
  readonly #engine: ResourceEngine;
  /** Templates of running deployments by id; made again after a restart. */
  readonly #expanded = new Map<string, ExpandedTemplate>();
  /** Ids of the running deployments whose vaults can be made. */
  readonly #ready = new Set<string>();

  constructor(engine: ResourceEngine) {
    this.#engine = engine;
  }

  /** Brings every running deployment as far as it can go. `submitAs` gives the sender for the caller of one. */
  async advance(
    context: BehaviourContext,
    prepare: (path: ResourcePath) => Promise<void>,
    submitAs: (caller: Caller) => Submit,
  ): Promise<void> {
    for (let moved = true; moved; ) {
      moved = false;
      for (const resource of context.state.resources.ofType(deploymentType)) {
        const record = recordOf(resource);
        if (!isRunning(record)) continue;
        await this.#prepare(resource, record, prepare);
        // Another request may have come meanwhile.
        if (isRunning(record)) moved = this.#advance(resource, record, context, submitAs(record.caller)) || moved;
      }
    }
  }

  async #prepare(
    { id }: StoredResource,
    { steps }: DeploymentRecord,
    prepare: (path: ResourcePath) => Promise<void>,
  ): Promise<void> {
    if (this.#ready.has(id)) return;
    for (const step of steps) await prepare(parsePath(step.id));
    this.#ready.add(id);
  }

  #advance(resource: StoredResource, record: DeploymentRecord, context: BehaviourContext, submit: Submit): boolean {
    const { steps } = record;
    let moved = false;
    for (const step of steps) if (step.state === 'running') moved = this.#settle(step, context) || moved;
    const failed = steps.some(({ state }) => state === 'failed');
    if (!failed) moved = this.#startReady(resource, record, context, submit) || moved;
    if (steps.some(({ state }) => state === 'running')) return moved;
    if (!failed && moved) return true;
    if (!failed && steps.some(({ state }) => state === 'waiting')) return moved;
    this.#end(resource, record, context, submit);
    return true;
  }

  /** Whether the resource of a step has come to an end. */
  #settle(step: Step, context: BehaviourContext): boolean {
    const resource = context.state.resources.get(requestPath(step.id));
    const nested = resource?.type === deploymentType ? recordOf(resource) : undefined;
    if (nested ? isRunning(nested) : resource?.operationId !== undefined) return false;
    const operation = step.operationId === undefined ? undefined : context.state.operations[step.operationId];
    const failure = nested?.error ?? operation?.failure;
    step.endedAt = context.now;
    const ended = !resource || failure !== undefined || nested?.state === 'Canceled';
    step.state = ended ? 'failed' : 'succeeded';
    if (!ended) return true;
    step.statusCode = 'Conflict';
    const { code, message } = objectOf(failure);
    const text =
      "The resource write operation failed to complete successfully, because it reached terminal provisioning state 'Failed'.";
    const details = code === undefined ? {} : { details: [{ code, message }] };
    step.error = { code: 'ResourceDeploymentFailure', message: text, ...details };
    return true;
  }

  #startReady(resource: StoredResource, record: DeploymentRecord, context: BehaviourContext, submit: Submit): boolean {
    const expanded = this.#expandedOf(resource, record, context);
    const states = new Map(record.steps.map((step) => [step.id.toLowerCase(), step.state]));
    const isThere = (id: string) => (states.get(id.toLowerCase()) ?? 'succeeded') === 'succeeded';
    let moved = false;
    for (const part of expanded.resources) {
      const step = record.steps.find(({ id }) => id === part.id);
      if (step?.state !== 'waiting' || ![...part.dependsOn, ...part.waitsFor].every(isThere)) continue;
      record.state = 'Running';
      this.#startStep(step, part, context, submit);
      moved = true;
    }
    return moved;
  }

  #startStep(step: Step, part: ExpandedResource, context: BehaviourContext, submit: Submit): void {
    step.startedAt = context.now;
    const reply = this.#send(step, part, context, submit);
    step.statusCode = statusCodes[reply.status] ?? 'OK';
    if (reply.status >= 400) {
      step.state = 'failed';
      step.endedAt = context.now;
      step.error = objectOf(at(reply.body, 'error'));
      return;
    }
    step.state = 'running';
    const operationId = context.state.resources.get(requestPath(step.id))?.operationId;
    if (operationId !== undefined) step.operationId = operationId;
  }

  #send(step: Step, part: ExpandedResource, context: BehaviourContext, submit: Submit): Reply {
    try {
      const known = knownAnswers(part.waitsFor, this.#engine);
      const { resourceGroup: _group, subscriptionId: _subscription, ...body } = requestBody(part, known, context);
      return submit('PUT', requestPath(step.id), step.apiVersion, body);
    } catch (error) {
      if (error instanceof Refusal) return error.reply;
      const message = error instanceof Error ? error.message : String(error);
      return refuse(400, 'DeploymentTemplateEvaluationFailed', message).reply;
    }
  }

  #end(resource: StoredResource, record: DeploymentRecord, context: BehaviourContext, submit: Submit): void {
    const failed = record.steps.filter(({ state }) => state === 'failed');
    record.endedAt = context.now;
    if (record.failure) record.error = { ...record.failure };
    else if (failed.length > 0) record.error = deploymentFailed(failed);
    else this.#complete(resource, record, context, submit);
    record.state = record.error === undefined ? 'Succeeded' : 'Failed';
    this.#expanded.delete(resource.id.toLowerCase());
    this.#ready.delete(resource.id);
  }

  #complete(resource: StoredResource, record: DeploymentRecord, context: BehaviourContext, submit: Submit): void {
    try {
      const expanded = this.#expandedOf(resource, record, context);
      const ids = Object.values(expanded.outputs).map(({ value }) => value);
      record.outputs = outputViews(expanded, knownAnswers(waiting(ids), this.#engine), context);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      record.error = {
        code: 'DeploymentOutputEvaluationFailed',
        message: `Unable to evaluate template outputs: '${message}'.`,
      };
      return;
    }
    if (record.request.mode === 'Complete') {
      for (const { id, type } of unmanaged(record, context)) {
        submit('DELETE', id, this.#engine.resources.behaviourOf(type).apiVersions?.at(-1) ?? '2024-01-01');
      }
    }
  }

  #expandedOf(resource: StoredResource, record: DeploymentRecord, context: BehaviourContext): ExpandedTemplate {
    const key = resource.id.toLowerCase();
    const expanded = this.#expanded.get(key) ?? expand(expansionOf(resource, record), context);
    this.#expanded.set(key, expanded);
    return expanded;
  }
}

/** The top-level resources of the group that the template does not have, last created first. */
export function unmanaged(
  { scope, steps }: Pick<DeploymentRecord, 'scope' | 'steps'>,
  context: BehaviourContext,
): StoredResource[] {
  if (scope.resourceGroup === undefined) return [];
  const kept = new Set(steps.map(({ id }) => id.toLowerCase()));
  return context.state.resources
    .below(scope.id)
    .filter(({ id, body }) => body['location'] !== undefined && !kept.has(id.toLowerCase()))
    .reverse();
}

function deploymentFailed(failed: readonly Step[]): Json {
  const message =
    'At least one resource deployment operation failed. Please list deployment operations for details. Please see https://aka.ms/arm-deployment-operations for usage details.';
  return { code: 'DeploymentFailed', message, details: failed.map(({ error }) => objectOf(error)) };
}

const statusCodes: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  400: 'BadRequest',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  412: 'PreconditionFailed',
};
