import { backoff } from '../../base/backoff.ts';
import { type Headers, retryAfterOf } from '../../base/http/retry-after.ts';
import type { ArmErrorFacts, ArmMethod, CloudEnvironment, Operation, PollResult } from '../types.ts';
import { member, text } from './answer-members.ts';
import { armErrorFacts, classifyArmError, isTransient } from './errors.ts';
import { mayReceiveArmToken, resolveArmUrl } from './hosts.ts';
import { provisioningState, terminalStateOf } from './provisioning-state.ts';
import { sameResourceId } from './resource-ids.ts';

/**
 * Long-running operations as pure decisions; arm-client.ts makes the requests.
 *
 * Policy for answers of the poll URL that decide nothing (each counts in `pollFailures`; one good answer resets it):
 * silence, 408, 429 and 5xx, in whatever body, are polled again after Retry-After or an exponential delay up to a
 * minute; after 30 in a row the resource itself is asked instead. 401, 403, 404, 410, other refusals and answers that
 * cannot be read count as lost after 5. Asking the resource never gives up, except when it stays absent.
 */
export const DEFAULT_POLL_MS = 15_000;
const MIN_POLL_MS = 100;
/** Waits below this grow with the age of the operation, as does the first wait after a Retry-After of zero. */
const AT_ONCE_MS = 1000;
const TRANSIENT_LIMIT = 30;
const LOST_LIMIT = 5;

/** What the poll of a long-running operation depends on. */
export interface OperationContext {
  readonly cloud: CloudEnvironment;
  readonly allowedHosts?: readonly string[];
  readonly now: number;
  /** Wait where the other side names none, in milliseconds. @default 15000 */
  readonly defaultPollMs?: number;
  /**
   * The first wait where the other side names none or zero, in milliseconds; each further one is as long as the operation
   * has been going on, up to `defaultPollMs`. @default `defaultPollMs` without a name; from 1 s to that after a zero
   */
  readonly firstPollMs?: number;
  readonly random?: () => number;
}

/** The request that started an operation. */
export interface StartingRequest {
  readonly method: ArmMethod;
  readonly path: string;
  readonly apiVersion?: string;
}

/** The members of an HTTP answer that an operation is read from. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly text?: string;
}

/** What started: an operation, nothing (undefined), or a 202 that does not say where its end can be seen. */
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
  // The Azure SDKs do not ask for the operation either where the resource is shown in its final state.
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
    // A state of Failed right here is confirmed by a GET before anybody is told.
    const at = terminalStateOf(state ?? '') === undefined ? base.nextPollAt : context.now;
    return { ...base, nextPollAt: at, kind: 'body', url: resourcePath, finalPath: resourcePath };
  }
  return answer.status === 202 ? 'lost' : undefined;
}

/** Decides what one answer of the poll URL (undefined: no answer) means. The operation itself is not changed. */
export function decidePoll(operation: Operation, answer: Answer | undefined, context: OperationContext): PollResult {
  if (answer === undefined || isTransient(answer.status)) return undecided(operation, answer, context, TRANSIENT_LIMIT);
  if (operation.kind === 'body') return decideResource(operation, answer, context);
  return operation.kind === 'status'
    ? decideStatus(operation, answer, context)
    : decideLocation(operation, answer, context);
}

function decideStatus(operation: Operation, answer: Answer, context: OperationContext): PollResult {
  if (answer.status === 204)
    return operation.method === 'DELETE' ? succeeded(undefined) : askResource(operation, context);
  const state = text(member(answer.body, 'status')) ?? provisioningState(answer.body);
  if (answer.status > 299 || state === undefined) return undecided(operation, answer, context, LOST_LIMIT);
  switch (terminalStateOf(state)) {
    case 'succeeded':
      if (operation.method === 'POST' && operation.finalPath) {
        const rest = withoutFailures(operation);
        const next: Operation = { ...rest, kind: 'location', url: operation.finalPath, nextPollAt: context.now, state };
        return { done: false, operation: next };
      }
      return succeeded(operation.method === 'POST' ? member(answer.body, 'properties') : undefined);
    case 'failed':
    case 'canceled':
      return ended(state, answer, context);
    default:
      return inProgress(operation, answer, context, state);
  }
}

function decideLocation(operation: Operation, answer: Answer, context: OperationContext): PollResult {
  const state = provisioningState(answer.body);
  if (answer.status === 202) return inProgress(operation, answer, context, state ?? 'InProgress');
  if (answer.status < 300) {
    const end = state === undefined ? 'succeeded' : terminalStateOf(state);
    if (end === 'succeeded') return succeeded(answer.body);
    if (end === undefined) return inProgress(operation, answer, context, state ?? 'InProgress');
    return ended(state ?? end, answer, context);
  }
  // With this pattern a refusal is how the operation's own failure is told; these may also be about the URL itself.
  const aboutUrl = answer.status < 400 || [401, 403, 404, 405, 410].includes(answer.status);
  if (aboutUrl) return undecided(operation, answer, context, LOST_LIMIT);
  return { done: true, outcome: 'failed', error: factsOf(answer, context) };
}

function decideResource(operation: Operation, answer: Answer, context: OperationContext): PollResult {
  const gone = answer.status === 404 || answer.status === 410;
  // A type without GET shows no state: what it accepted counts as done.
  if (answer.status === 405) return succeeded(undefined);
  if (operation.method === 'DELETE') {
    if (gone || answer.status === 204) return succeeded(undefined);
    if (answer.status > 299) return undecided(operation, answer, context, Number.POSITIVE_INFINITY);
    const state = provisioningState(answer.body);
    if (state !== undefined && terminalStateOf(state) === undefined)
      return inProgress(operation, answer, context, state);
    return lost('The resource still exists and nothing deletes it any more', answer.status);
  }
  const wasDeleted = /^(deleting|deprovisioning)$/i.test(operation.state ?? '');
  if (gone && (wasDeleted || (operation.pollFailures ?? 0) + 1 >= LOST_LIMIT)) {
    return { done: true, outcome: 'failed', error: factsOf(answer, context) };
  }
  if (answer.status > 299) return undecided(operation, answer, context, Number.POSITIVE_INFINITY);
  const state = provisioningState(answer.body);
  const end = state === undefined ? 'succeeded' : terminalStateOf(state);
  if (end === undefined) return inProgress(operation, answer, context, state ?? 'InProgress');
  if (end !== 'succeeded') return ended(state ?? end, answer, context);
  return operation.method === 'POST'
    ? lost('The result of the action was lost', answer.status)
    : succeeded(answer.body);
}

function inProgress(operation: Operation, answer: Answer, context: OperationContext, state: string): PollResult {
  const moved =
    operation.kind === 'location'
      ? trusted(answer.headers['location'], context)
      : operation.kind === 'status'
        ? trusted(answer.headers['azure-asyncoperation'] ?? answer.headers['operation-location'], context)
        : undefined;
  const rest = withoutFailures(operation);
  const url = moved ?? operation.url;
  const at = nextPollAt(answer.headers, context, operation.startedAt);
  return { done: false, operation: { ...rest, url, nextPollAt: at, state } };
}

/** Polls again later; after `limit` such answers in a row the resource is asked instead. */
function undecided(
  operation: Operation,
  answer: Answer | undefined,
  context: OperationContext,
  limit: number,
): PollResult {
  const pollFailures = (operation.pollFailures ?? 0) + 1;
  if (pollFailures >= limit && operation.kind !== 'body') return askResource(operation, context);
  const asked = answer && retryAfterOf(answer.headers, context.now);
  const own = backoff(pollFailures - 1, { initialMs: 2000, maxMs: 60_000 }, context.random);
  // A wait of less than a second is no answer to a failure, and would be asked for again and again.
  const delay = asked !== undefined && asked >= 1000 ? asked : own;
  const pollError = answer ? `${answer.status} ${said(answer, context)}` : 'no answer';
  const next = { ...operation, pollFailures, pollError, nextPollAt: context.now + delay };
  return { done: false, operation: next };
}

function said(answer: Answer, context: OperationContext): string {
  return answer.status < 300 ? 'without a state' : (factsOf(answer, context).topLevelCode ?? 'without a code');
}

function withoutFailures({ pollFailures: _, pollError: __, ...rest }: Operation): Operation {
  return rest;
}

/** The poll URL is of no more use: from here on the resource's own state decides. */
export function askResource(operation: Operation, context: OperationContext): PollResult {
  const path = operation.resourcePath ?? (operation.method === 'POST' ? undefined : operation.finalPath);
  if (path === undefined) return lost('The operation cannot be found any more', 404);
  const rest = withoutFailures(operation);
  return { done: false, operation: { ...rest, kind: 'body', url: path, nextPollAt: context.now } };
}

function succeeded(body: unknown): PollResult {
  return { done: true, outcome: 'succeeded', body };
}

function ended(state: string, answer: Answer, context: OperationContext): PollResult {
  const outcome = terminalStateOf(state) === 'canceled' ? 'canceled' : 'failed';
  const error = factsOf(answer, context);
  const topLevelCode =
    error.topLevelCode ?? error.details[0]?.code ?? (outcome === 'canceled' ? 'OperationCancelled' : 'OperationFailed');
  const message = error.message || `The operation ended as ${state}, and Azure says no more about it`;
  return { done: true, outcome, error: classifyArmError({ ...error, topLevelCode, message }) };
}

/** OperationLost is our own code: nothing failed in Azure, so the request may simply be made again. */
function lost(message: string, status: number): PollResult {
  const error = armErrorFacts({ status: 200, body: { error: { code: 'OperationLost', message } } });
  return { done: true, outcome: 'failed', error: { ...error, status } };
}

function factsOf(answer: Answer, context: OperationContext): ArmErrorFacts {
  const { status, body, headers } = answer;
  // An ended operation reports its error in `error`, or in `properties.error`; the rest of the document is no error.
  const error = member(body, 'error') ?? member(member(body, 'properties'), 'error');
  return armErrorFacts({
    status,
    body: status < 300 ? { error: error ?? {} } : body,
    text: status < 300 ? '' : (answer.text ?? ''),
    requestId: headers['x-ms-request-id'],
    retryAfterMs: retryAfterOf(headers, context.now),
  });
}

function nextPollAt(headers: Headers, context: OperationContext, startedAt: number): number {
  const { now, defaultPollMs = DEFAULT_POLL_MS, firstPollMs } = context;
  const asked = retryAfterOf(headers, now);
  if (asked === undefined && firstPollMs === undefined) return now + defaultPollMs;
  if (asked !== undefined && asked >= AT_ONCE_MS) return now + asked;
  const elapsed = now - startedAt;
  const first = firstPollMs ?? (asked ? MIN_POLL_MS : AT_ONCE_MS);
  const grown = Math.max(first, firstPollMs === undefined ? elapsed / 4 : elapsed);
  return now + Math.max(asked ?? 0, Math.min(defaultPollMs, grown));
}

function trusted(reference: string | undefined, context: OperationContext): string | undefined {
  const url = reference === undefined ? undefined : resolveArmUrl(reference.trim(), context.cloud);
  return url && mayReceiveArmToken(url, context.cloud, context.allowedHosts) ? url.href : undefined;
}

/** A Location that is the resource itself, however spelled, is no operation. */
function isResource(location: string | undefined, resourcePath: string, body: unknown): boolean {
  if (location === undefined) return true;
  const { pathname } = new URL(location);
  const id = text(member(body, 'id'));
  return sameResourceId(pathname, pathOf(resourcePath)) || (id !== undefined && sameResourceId(pathname, id));
}

/** The id that a request is about; an action's POST ends in a word more than pairs of type and name. */
function resourceOf(request: StartingRequest, context: OperationContext): string {
  const absolute = /^https:/i.test(request.path) ? URL.parse(request.path) : undefined;
  const endpoint = new URL(context.cloud.resourceManagerEndpoint);
  const path = pathOf(absolute ? absolute.pathname.replace(endpoint.pathname.replace(/\/$/, ''), '') : request.path);
  return request.method === 'POST' ? path.replace(/\/[^/]+$/, '') : path;
}

function pathOf(path: string): string {
  return path.split('?')[0]?.replace(/\/$/, '') ?? path;
}
