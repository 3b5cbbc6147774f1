import { at, objectOf } from '../../json.ts';
import type { SandboxState } from '../../state.ts';
import type { BehaviourContext } from '../behaviour.ts';
import { isRunning, recordOf } from '../deployments/deployment-record.ts';
import type { Submit } from '../deployments/deployment-run.ts';
import { deploymentType, requestPath } from '../deployments/deployment-scope.ts';
import type { Caller, ResourceEngine } from '../resources/resource-engine.ts';
import { groupType, parsePath } from '../resources/resource-path.ts';
import type { StoredResource } from '../resources/stored-resources.ts';
import { isAtWork, type StackRecord, stackRecordOf, stackType, type UnmanageAction } from './stack-record.ts';

/** Brings every stack that is at work as far as its deployment and its deletions are. */
export function advanceStacks(
  context: BehaviourContext,
  engine: ResourceEngine,
  submitAs: (caller: Caller) => Submit,
): void {
  for (const resource of context.state.resources.ofType(stackType)) {
    const record = stackRecordOf(resource);
    if (!isAtWork(record)) continue;
    if (record.state === 'deploying') endDeployment(record, context);
    if (record.state === 'deploying' || deleteLeaving(record, engine, submitAs(record.caller))) continue;
    end(resource, record, context, engine);
  }
}

/** Takes over the resources of the deployment once it has ended, and lets the others leave. */
function endDeployment(record: StackRecord, { state }: BehaviourContext): void {
  const deployment = state.resources.get(record.deploymentId);
  if (deployment && isRunning(recordOf(deployment))) return;
  const { error } = deployment ? recordOf(deployment) : {};
  const deployed = deployment ? deployedBy(deployment, state) : [];
  if (!deployment || error !== undefined) {
    record.error = {
      code: 'DeploymentStackDeploymentFailed',
      message: `One or more stages of the deployment stack deployment failed. Correlation id: '${record.correlationId}'.`,
      details: [objectOf(error)],
    };
    record.managed = [...new Set([...record.managed, ...deployed])];
    record.state = 'deletingResources';
    return;
  }
  const kept = new Set(deployed.map((id) => id.toLowerCase()));
  const left = record.managed.filter((id) => !kept.has(id.toLowerCase()));
  record.managed = deployed;
  leave(record, left);
  record.state = 'deletingResources';
}

/** Resources leave the stack: what its action says becomes of them. */
export function leave(record: StackRecord, ids: readonly string[]): void {
  const goes = (id: string) => actionFor(id, record.unmanage) === 'delete';
  // A group goes after what is in it.
  const inOrder = [...ids].reverse().sort((a, b) => Number(isGroup(a)) - Number(isGroup(b)));
  record.detached = ids.filter((id) => !goes(id));
  record.leaving = inOrder.filter(goes);
}

const isGroup = (id: string) => parsePath(id).type === groupType;

const actionFor = (id: string, { resources, resourceGroups }: UnmanageAction) =>
  isGroup(id) ? resourceGroups : resources;

/** The resources that a deployment made, with those of the deployments inside of it. */
function deployedBy(deployment: StoredResource, state: SandboxState): string[] {
  return recordOf(deployment).steps.flatMap((step) => {
    const id = requestPath(step.id);
    const nested = step.type.toLowerCase() === deploymentType.toLowerCase() ? state.resources.get(id) : undefined;
    if (nested) return deployedBy(nested, state);
    return step.state === 'succeeded' ? [id] : [];
  });
}

/** Deletes what has left the stack; whether a deletion is under way. */
function deleteLeaving(record: StackRecord, engine: ResourceEngine, submit: Submit): boolean {
  let running = false;
  for (let moved = true; moved && !running; ) {
    moved = false;
    record.failed = [];
    for (const id of [...record.leaving]) {
      const before = engine.resources.find(id);
      const reply = before && !before.operationId ? submit('DELETE', id, versionFor(id, engine)) : undefined;
      if (engine.resources.find(id)?.operationId) running = true;
      else if (engine.resources.find(id)) record.failed.push({ id, error: objectOf(at(reply?.body, 'error')) });
      else {
        record.leaving = record.leaving.filter((other) => other !== id);
        record.deleted.push(id);
        moved = true;
      }
    }
  }
  return running;
}

const versionFor = (id: string, engine: ResourceEngine) =>
  engine.resources.behaviourOf(parsePath(id).type).apiVersions?.at(-1) ?? '2024-01-01';

function end(resource: StoredResource, record: StackRecord, context: BehaviourContext, engine: ResourceEngine): void {
  const { now } = context;
  if (record.failed.length > 0) {
    record.managed.push(...record.leaving);
    record.error ??= {
      code: 'DeploymentStackDeleteResourcesFailed',
      message:
        'An error occurred while deleting resources. These resources are still present in the stack but can be deleted manually. Please see the FailedResources property for specific error information. Deletion failures that are known limitations are documented here: https://aka.ms/DeploymentStacksKnownLimitations',
      details: record.failed.map(({ error }) => error),
    };
  }
  const operation = engine.running.operations.find(record.operationId);
  const { code, message } = objectOf(record.error);
  if (operation) {
    operation.state = record.error === undefined ? 'succeeded' : 'failed';
    operation.endedAt = now;
    if (record.error) operation.failure = { state: 'failed', code: String(code), message: String(message) };
  }
  const gone = record.state === 'deleting' && record.error === undefined;
  record.leaving = [];
  record.endedAt = now;
  record.state = record.error === undefined ? 'succeeded' : 'failed';
  if (gone) engine.resources.drop(resource);
}
