import type { ArmMethod, Operation } from '../../types.ts';
import { member, text } from '../answer-members.ts';
import { sameResourceId } from '../resource-ids.ts';
import { type Answer, nextPollAt, type OperationContext, trusted } from './operation-context.ts';
import { provisioningState, terminalStateOf } from './provisioning-state.ts';

/** The request that started an operation. */
export interface StartingRequest {
  readonly method: ArmMethod;
  readonly path: string;
  readonly apiVersion?: string;
}

/** The operation that a request started; undefined for none, `lost` for a 202 without a URL to poll. */
export function detectOperation(
  request: StartingRequest,
  answer: Answer,
  context: OperationContext,
): Operation | undefined | 'lost' {
  const { method } = request;
  if (method === 'GET' || method === 'HEAD') return undefined;
  const update = method === 'PUT' || method === 'PATCH';
  const resourcePath = resourceOf(request, context);
  const state = provisioningState(answer.body);
  const base = {
    method,
    ...(request.apiVersion === undefined ? {} : { apiVersion: request.apiVersion }),
    resourcePath,
    startedAt: context.now,
    nextPollAt: nextPollAt(answer.headers, context, context.now),
    state: state ?? 'InProgress',
  } as const;
  const location = trusted(answer.headers['location'], context);
  const status = ['azure-asyncoperation', 'operation-location']
    .map((name) => trusted(answer.headers[name], context))
    .find((url) => url !== undefined);
  // As in the Azure SDKs: an answer that shows the resource in its final state needs no poll.
  const isDone = update && answer.status !== 202 && terminalStateOf(state ?? '') === 'succeeded';
  if (status && !isDone) {
    const finalPath = update ? resourcePath : method === 'POST' ? location : undefined;
    return { ...base, kind: 'status', url: status, ...(finalPath === undefined ? {} : { finalPath }) };
  }
  const isOperation =
    answer.status === 202 || (answer.status === 201 && !isResource(location, resourcePath, answer.body));
  if (location && isOperation && !(status && isDone)) {
    return { ...base, kind: 'location', url: location, ...(update ? { finalPath: resourcePath } : {}) };
  }
  if (update && (answer.status === 202 || (state !== undefined && terminalStateOf(state) !== 'succeeded'))) {
    // A state of Failed right here is confirmed by a GET before it is reported.
    const at = terminalStateOf(state ?? '') === undefined ? base.nextPollAt : context.now;
    return { ...base, nextPollAt: at, kind: 'body', url: resourcePath, finalPath: resourcePath };
  }
  return answer.status === 202 ? 'lost' : undefined;
}

/** A Location that is the resource itself, however spelled, is no operation. */
function isResource(location: string | undefined, resourcePath: string, body: unknown): boolean {
  if (location === undefined) return true;
  const { pathname } = new URL(location);
  const id = text(member(body, 'id'));
  return sameResourceId(pathname, pathOf(resourcePath)) || (id !== undefined && sameResourceId(pathname, id));
}

/** The ARM id of the request's resource. The path of a POST ends with the name of the action. */
function resourceOf(request: StartingRequest, context: OperationContext): string {
  const absolute = /^https:/i.test(request.path) ? URL.parse(request.path) : undefined;
  const endpoint = new URL(context.cloud.resourceManagerEndpoint);
  const path = pathOf(absolute ? absolute.pathname.replace(endpoint.pathname.replace(/\/$/, ''), '') : request.path);
  return request.method === 'POST' ? path.replace(/\/[^/]+$/, '') : path;
}

function pathOf(path: string): string {
  return path.split('?')[0]?.replace(/\/$/, '') ?? path;
}
