import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../../runtime/base/json.ts';
import type { Json } from '../../json.ts';
import type { StoredResource } from '../resources/stored-resources.ts';
import { type DeploymentRecord, recordOf, type Step } from './deployment-record.ts';
import { requestPath } from './deployment-scope.ts';

/** A deployment as GET shows it. */
export function deploymentView(resource: StoredResource): Json {
  const record = recordOf(resource);
  const { request, steps } = record;
  const { location, tags } = request;
  const done = steps.filter(({ state }) => state === 'succeeded').map(({ id }) => ({ id: requestPath(id) }));
  return {
    id: resource.id,
    name: resource.name,
    type: 'Microsoft.Resources/deployments',
    ...(location === undefined ? {} : { location }),
    ...(tags === undefined ? {} : { tags }),
    properties: {
      ...commonProperties(record),
      ...(record.outputs === undefined ? {} : { outputs: record.outputs }),
      ...(record.state === 'Succeeded' ? { outputResources: done } : {}),
      ...(record.error === undefined ? {} : { error: record.error }),
    },
  };
}

function commonProperties(record: DeploymentRecord): Json {
  const { request, steps, state, startedAt, endedAt, correlationId, parameters } = record;
  return {
    templateHash: templateHash(request.template),
    parameters,
    mode: request.mode,
    provisioningState: state,
    timestamp: new Date(endedAt ?? startedAt).toISOString(),
    duration: duration((endedAt ?? startedAt) - startedAt),
    correlationId,
    providers: providers(steps, request.location),
    dependencies: [],
  };
}

/** A number that depends on the template alone. */
export function templateHash(template: Json): string {
  const hex = createHash('sha256').update(canonicalJson(template)).digest('hex');
  return BigInt(`0x${hex.slice(0, 16)}`).toString();
}

const duration = (ms: number) => `PT${(Math.max(0, ms) / 1000).toFixed(7).replace(/\.?0+$/, '')}S`;

function providers(steps: readonly Step[], location: string | undefined): Json[] {
  const byNamespace = new Map<string, Set<string>>();
  for (const { type } of steps) {
    const [namespace = '', ...rest] = type.split('/');
    byNamespace.set(namespace, (byNamespace.get(namespace) ?? new Set()).add(rest.join('/')));
  }
  const locations = [location ?? null];
  return [...byNamespace].map(([namespace, types]) => ({
    namespace,
    resourceTypes: [...types].map((resourceType) => ({ resourceType, locations })),
  }));
}

/** The answer of `validate`. */
export function validatedView(id: string, record: DeploymentRecord): Json {
  const validatedResources = record.steps.map((step) => ({ id: requestPath(step.id) }));
  const properties = { ...commonProperties(record), provisioningState: 'Succeeded', validatedResources };
  return { id, name: id.split('/').at(-1), type: 'Microsoft.Resources/deployments', properties };
}

/** The operations of a deployment: one for each resource that was begun, and the evaluation of outputs. */
export function operationViews(resource: StoredResource): Json[] {
  const begun = recordOf(resource).steps.filter(({ state }) => state !== 'waiting');
  return begun.map((step) => ({
    id: `${resource.id}/operations/${step.operation}`,
    operationId: step.operation,
    properties: {
      provisioningOperation: 'Create',
      provisioningState: { running: 'Running', succeeded: 'Succeeded', failed: 'Failed', waiting: '' }[step.state],
      timestamp: new Date(step.endedAt ?? step.startedAt ?? 0).toISOString(),
      duration: duration((step.endedAt ?? step.startedAt ?? 0) - (step.startedAt ?? 0)),
      trackingId: step.operation,
      statusCode: step.statusCode ?? 'OK',
      ...(step.error ? { statusMessage: { status: 'Failed', error: step.error } } : {}),
      targetResource: { id: requestPath(step.id), resourceType: step.type, resourceName: step.name },
    },
  }));
}
