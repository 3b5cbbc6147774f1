import { isSecretInput } from '../../arm-kinds/inputs.ts';
import { annotations, reasons } from '../../arm-kinds/names.ts';
import { passesByItself } from '../../azure/arm/error-classes.ts';
import { ArmError, withoutSecrets } from '../../azure/arm/errors.ts';
import { isGoneError } from '../../azure/arm/not-found.ts';
import { isOperationUrl, sameOperationUrl } from '../../azure/arm/operations/operation-urls.ts';
import { sameResourceId } from '../../azure/arm/resource-ids.ts';
import type {
  AccessToken,
  ArmErrorInfo,
  ArmRequest,
  ArmResponse,
  CloudEnvironment,
  Operation,
} from '../../azure/types.ts';
import { isObject } from '../../base/json.ts';
import type { Journal, Json } from '../../engine/index.ts';
import { armNodes } from '../objects/node-id.ts';
import { type EffectContext, type EffectReport, succeeded } from './effect-context.ts';
import { armFailure } from './failures.ts';
import type { ObservedChanges } from './observation.ts';

/** An operation without the members that change with every poll. */
export type DurableOperation = Omit<Operation, 'nextPollAt' | 'state' | 'pollFailures'>;

/** The journal's memo of an operation, in the blocks `submit` and `delete`. */
export interface OperationMemo {
  readonly operation: DurableOperation;
  readonly correlationId: string;
  /** Another client started the operation: its end proves nothing about the object's own PUT. */
  readonly foreign?: boolean;
}

function operationMemo(operation: DurableOperation, correlationId: string, foreign = false): Json {
  return { operation, correlationId, ...(foreign && { foreign }) } as unknown as Json;
}

/**
 * The part of an operation that a journal keeps. Each answer signs the URL again: a journal that has one keeps it, or
 * each poll would write the object.
 */
export function durableOperation(operation: Operation, kept?: DurableOperation): DurableOperation {
  const { nextPollAt: _, state: __, pollFailures: ___, ...durable } = operation;
  return kept && sameOperationUrl(kept.url, durable.url) ? { ...durable, url: kept.url } : durable;
}

/** The report of a write that ARM accepted: finished, with a memo that records it, or an operation to poll. */
export function writeAccepted(
  context: EffectContext,
  request: ArmRequest,
  response: ArmResponse,
  over: { readonly memo: { [name: string]: boolean }; readonly observed: ObservedChanges },
): EffectReport {
  const operation = context.shared.arm.operationOf(request, response);
  if (!operation) {
    operationEnded(context);
    return { outcome: 'succeeded', ...over };
  }
  context.memory.operation = operation;
  context.memory.token = response.token;
  return { outcome: 'polling', memo: operationMemo(durableOperation(operation), context.plan.correlationId) };
}

/**
 * Enqueues the objects that wait for the resource or its parent, because no operation of this object runs any more.
 */
export function operationEnded(context: EffectContext): void {
  for (const node of armNodes(context.id())) context.shared.enqueueDependents(node);
}

/** Waits for a running operation, perhaps an interrupted one of the operator, by reading the resource. */
export async function joinOperation(context: EffectContext, foreign: boolean): Promise<EffectReport> {
  const { model, object, correlationId } = context.plan;
  const now = context.shared.runtime.clock.now();
  // The operation is still in memory if only the write of the journal failed.
  const operation: Operation = context.memory.operation ?? {
    kind: 'body',
    method: 'PUT',
    url: context.id(),
    finalPath: context.id(),
    resourcePath: context.id(),
    apiVersion: model.apiVersion(object),
    startedAt: now,
    nextPollAt: now + 1000,
  };
  context.memory.operation = operation;
  return {
    outcome: 'polling',
    memo: operationMemo(durableOperation(operation), correlationId, foreign),
    observed: { live: undefined },
  };
}

/** Polls the operation in the journal once. */
export async function monitorOperation(context: EffectContext, journal: Journal): Promise<EffectReport> {
  const { memory } = context;
  const { model } = context.plan;
  const block = journal.blocks['delete']?.state === 'Polling' ? 'delete' : 'submit';
  const memo = journal.blocks[block]?.memo;
  if (!isOperationMemo(memo)) {
    // Without an operation to poll, a read of the resource shows the remaining work.
    const message = `The annotation ${annotations.journal} names no operation of Azure; the resource is read again`;
    const failure = { code: reasons.reconciling, message };
    return { outcome: 'retry', failure, over: true, observed: context.withEarlierPut() };
  }
  const inMemory = memory.operation && { operation: memory.operation, token: memory.token };
  const { operation, result, token } = await pollJournaled(context, memo.operation, inMemory);
  if (!result.done) {
    memory.operation = result.operation;
    memory.token = token;
    const durable = durableOperation(result.operation, memo.operation);
    return { outcome: 'polling', memo: operationMemo(durable, memo.correlationId, memo.foreign) };
  }
  operationEnded(context);
  delete memory.operation;
  delete memory.token;
  // After every outcome, a read of the resource shows the remaining work.
  if (memo.foreign && block === 'submit') return succeeded();
  const deleted: EffectReport = { outcome: 'succeeded', memo: { deleted: true }, observed: { deleted: true } };
  if (result.outcome === 'succeeded') {
    if (block === 'delete') return deleted;
    // A body of another resource than the object's own proves nothing; the operator reads the resource in that case.
    const isOwn = isObject(result.body) && sameResourceId(String(result.body['id'] ?? ''), context.id());
    const observed: ObservedChanges =
      isOwn && isObject(result.body) ? { live: { exists: true, body: result.body } } : {};
    return { outcome: 'succeeded', memo: { sent: true }, observed: { ...observed, applied: context.unsettled() } };
  }
  // A DELETE whose operation ends because the resource is gone has succeeded.
  if (block === 'delete' && isGoneError(result.error, context.id())) return deleted;
  const info = reportableInfo(context, result.error);
  const { reason, message, retryClass } = armFailure(info, model.errorOverrides);
  const failure = { code: reason, message };
  const error = new ArmError(operation.method, context.id(), info);
  const hasFailed = result.outcome === 'failed' && block !== 'delete';
  if (hasFailed && !passesByItself(reason)) memory.hasFailedOperation = true;
  const final = retryClass === 'none' && block !== 'delete';
  const { applied } = context.observed;
  const observed: ObservedChanges = { ...(applied && { applied: { ...applied, settlesAt: undefined } }) };
  return final
    ? { outcome: 'failed', failure, error, observed }
    : { outcome: 'retry', failure, over: true, error, observed };
}

function isOperationMemo(memo: unknown): memo is OperationMemo {
  const operation = isObject(memo) ? memo['operation'] : undefined;
  if (!isObject(operation)) return false;
  return ['kind', 'method', 'url'].every((name) => typeof operation[name] === 'string');
}

/** An operation that this process has begun or polled, and the token for its polls. */
interface OperationInMemory {
  readonly operation: Operation;
  readonly token?: AccessToken | undefined;
}

/** Polls the operation of a journal once, with what this process knows of it. */
export async function pollJournaled(
  context: EffectContext,
  journaled: DurableOperation,
  inMemory: OperationInMemory | undefined,
) {
  // The memory may be older than another replica's lease.
  const current = inMemory && sameOperationUrl(inMemory.operation.url, journaled.url) ? inMemory : undefined;
  const { cloud } = context.requests.credential();
  const operation: Operation = current?.operation ?? { ...ofResource(journaled, context.id(), cloud), nextPollAt: 0 };
  const result = await context.requests.poll(operation, current?.token);
  return { operation, result, token: result.token ?? current?.token };
}

/** The operation in the journal if it is about the object's own resource: the operator polls no other URL. */
function ofResource(operation: DurableOperation, id: string, cloud: CloudEnvironment): DurableOperation {
  const { kind, url, finalPath } = operation;
  const isOwn = kind !== 'body' && isOperationUrl(url, id, cloud);
  return {
    ...operation,
    kind: isOwn ? kind : 'body',
    url: isOwn ? url : id,
    resourcePath: id,
    ...(finalPath !== undefined && { finalPath: id }),
  };
}

/** ARM's error of the operation without the secrets that were sent; without its text while those are unknown. */
function reportableInfo({ plan, requests }: EffectContext, info: ArmErrorInfo): ArmErrorInfo {
  const { declared, model, object } = plan;
  const unknown = declared === undefined && model.inputs(object).some(isSecretInput);
  if (!unknown) return withoutSecrets(info, requests.secrets);
  const message = 'its text is not shown, as it might repeat a secret that cannot be read now';
  return { ...info, message, target: undefined, details: info.details.map(({ code }) => ({ code, message: '' })) };
}
