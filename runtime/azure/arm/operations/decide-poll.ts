import { backoff } from '../../../base/backoff.ts';
import { retryAfterOf } from '../../../base/http/retry-after.ts';
import type { ArmErrorInfo, Operation, PollResult } from '../../types.ts';
import { member, text } from '../answer-members.ts';
import { armErrorInfo, classifyArmError, isTransient } from '../errors.ts';
import { isGoneError } from '../not-found.ts';
import { type Answer, nextPollAt, type OperationContext, trusted } from './operation-context.ts';
import { provisioningState, terminalStateOf } from './provisioning-state.ts';

/**
 * Long-running operations as pure decisions; `ArmClient.poll` sends the requests.
 *
 * Some answers of the poll URL decide nothing. Each of them counts in `pollFailures`; a good answer resets the count.
 * - No answer, 408, 429 and 5xx: poll again after Retry-After or an exponential delay of up to a minute; after 30 in a
 *   row, read the resource instead.
 * - 401, 403, 404, 410, other refusals and unreadable answers: read the resource instead after 5 in a row.
 *
 * Polls of the resource continue without a limit, unless the resource stays absent. The poll URL of a deletion may show the
 * resource without a change (202 and Succeeded, as Service Bus does): after two such answers the resource is polled, 30
 * times at most.
 */
const TRANSIENT_LIMIT = 30;
const LOST_LIMIT = 5;
/** Our own word, which no service uses, for a deletion that Azure accepted and whose resource it shows as before. */
const unchanged = 'Unchanged';

/** Decides the result of one answer of the poll URL (undefined: no answer). The operation itself is not changed. */
export function decidePoll(operation: Operation, answer: Answer | undefined, context: OperationContext): PollResult {
  if (answer === undefined || isTransient(answer.status)) return undecided(operation, answer, context, TRANSIENT_LIMIT);
  if (operation.kind === 'body') return decideResource(operation, answer, context);
  return operation.kind === 'status'
    ? decideStatus(operation, answer, context)
    : decideLocation(operation, answer, context);
}

function decideStatus(operation: Operation, answer: Answer, context: OperationContext): PollResult {
  if (answer.status === 204)
    return operation.method === 'DELETE' ? succeeded(undefined) : pollResource(operation, context);
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
  if (answer.status === 202) {
    // Azure SDKs end here; the resource, which Azure shows unchanged, goes later.
    const isResource = operation.method === 'DELETE' && terminalStateOf(state ?? '') === 'succeeded';
    if (!isResource) return inProgress(operation, answer, context, state ?? 'InProgress');
    if (operation.state !== unchanged) return inProgress(operation, answer, context, unchanged);
    return pollResource(
      { ...operation, state: unchanged },
      context,
      nextPollAt(answer.headers, context, operation.startedAt),
    );
  }
  if (answer.status < 300) {
    const end = state === undefined ? 'succeeded' : terminalStateOf(state);
    if (end === 'succeeded') return succeeded(answer.body);
    if (end === undefined) return inProgress(operation, answer, context, state ?? 'InProgress');
    return ended(state ?? end, answer, context);
  }
  // With this pattern a refusal reports the failure of the operation; these statuses may concern the URL itself.
  const aboutUrl = answer.status < 400 || [401, 403, 404, 405, 410].includes(answer.status);
  if (aboutUrl) return undecided(operation, answer, context, LOST_LIMIT);
  return { done: true, outcome: 'failed', error: errorInfoOf(answer, context) };
}

function decideResource(operation: Operation, answer: Answer, context: OperationContext): PollResult {
  const gone = answer.status === 410 || isGoneError(errorInfoOf(answer, context), operation.resourcePath ?? '');
  // A type without GET shows no state: an accepted request counts as done.
  if (answer.status === 405) return succeeded(undefined);
  if (operation.method === 'DELETE') {
    if (gone || answer.status === 204) return succeeded(undefined);
    if (answer.status > 299) return undecided(operation, answer, context, Number.POSITIVE_INFINITY);
    const state = provisioningState(answer.body);
    if (state !== undefined && terminalStateOf(state) === undefined)
      return inProgress(operation, answer, context, state);
    const polls = (operation.pollFailures ?? 0) + 1;
    if (operation.state === unchanged && polls < TRANSIENT_LIMIT) {
      const at = nextPollAt(answer.headers, context, operation.startedAt);
      return { done: false, operation: { ...operation, pollFailures: polls, nextPollAt: at } };
    }
    return lost('The resource still exists and nothing deletes it any more', answer.status);
  }
  const wasDeleted = /^(deleting|deprovisioning)$/i.test(operation.state ?? '');
  if (gone && (wasDeleted || (operation.pollFailures ?? 0) + 1 >= LOST_LIMIT)) {
    return { done: true, outcome: 'failed', error: errorInfoOf(answer, context) };
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
  const newUrl =
    operation.kind === 'location'
      ? trusted(answer.headers['location'], context)
      : operation.kind === 'status'
        ? trusted(answer.headers['azure-asyncoperation'] ?? answer.headers['operation-location'], context)
        : undefined;
  const rest = withoutFailures(operation);
  const url = newUrl ?? operation.url;
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
  if (pollFailures >= limit && operation.kind !== 'body') return pollResource(operation, context);
  const asked = answer && retryAfterOf(answer.headers, context.now);
  const own = backoff(pollFailures - 1, { initialMs: 2000, maxMs: 60_000 }, context.random);
  // A failing server that asks for less than a second would get a tight loop of polls.
  const delay = asked !== undefined && asked >= 1000 ? asked : own;
  const pollError = answer ? `${answer.status} ${codeOf(answer, context)}` : 'no answer';
  const next = { ...operation, pollFailures, pollError, nextPollAt: context.now + delay };
  return { done: false, operation: next };
}

function codeOf(answer: Answer, context: OperationContext): string {
  return answer.status < 300 ? 'without a state' : (errorInfoOf(answer, context).topLevelCode ?? 'without a code');
}

function withoutFailures({ pollFailures: _, pollError: __, ...rest }: Operation): Operation {
  return rest;
}

/** Replaces a poll URL that is of no more use by the resource, whose provisioningState decides from now on. */
export function pollResource(operation: Operation, context: OperationContext, at = context.now): PollResult {
  const path = operation.resourcePath ?? (operation.method === 'POST' ? undefined : operation.finalPath);
  if (path === undefined) return lost('The operation cannot be found any more', 404);
  const rest = withoutFailures(operation);
  return { done: false, operation: { ...rest, kind: 'body', url: path, nextPollAt: at } };
}

function succeeded(body: unknown): PollResult {
  return { done: true, outcome: 'succeeded', body };
}

function ended(state: string, answer: Answer, context: OperationContext): PollResult {
  const outcome = terminalStateOf(state) === 'canceled' ? 'canceled' : 'failed';
  const error = errorInfoOf(answer, context);
  const topLevelCode =
    error.topLevelCode ?? error.details[0]?.code ?? (outcome === 'canceled' ? 'OperationCancelled' : 'OperationFailed');
  const message = error.message || `The operation ended as ${state}, and Azure gives no reason`;
  return { done: true, outcome, error: classifyArmError({ ...error, topLevelCode, message }) };
}

/** OperationLost is our own code: nothing failed in Azure, so the request may simply be made again. */
function lost(message: string, status: number): PollResult {
  const error = armErrorInfo({ status: 200, body: { error: { code: 'OperationLost', message } } });
  return { done: true, outcome: 'failed', error: { ...error, status } };
}

function errorInfoOf(answer: Answer, context: OperationContext): ArmErrorInfo {
  const { status, body, headers } = answer;
  // An ended operation reports its error in `error`, or in `properties.error`; the rest of the document is no error.
  const error = member(body, 'error') ?? member(member(body, 'properties'), 'error');
  return armErrorInfo({
    status,
    body: status < 300 ? { error: error ?? {} } : body,
    text: status < 300 ? '' : (answer.text ?? ''),
    requestId: headers['x-ms-request-id'],
    retryAfterMs: retryAfterOf(headers, context.now),
  });
}
