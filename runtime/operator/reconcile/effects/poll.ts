import { annotations, reasons } from '../../../arm-kinds/names.ts';
import { ArmError, withoutSecrets } from '../../../azure/arm/errors.ts';
import { isGoneFacts } from '../../../azure/arm/not-found.ts';
import { isOperationUrl } from '../../../azure/arm/operation-urls.ts';
import { sameResourceId } from '../../../azure/arm/resource-ids.ts';
import type { ArmErrorFacts, CloudEnvironment, Operation } from '../../../azure/types.ts';
import { isObject } from '../../../base/json.ts';
import type { EffectResult, Journal } from '../../../engine/index.ts';
import { armFailure } from '../errors.ts';
import { type OperationMemo, operationMemo } from '../observed.ts';
import { type PassState, succeeded } from '../run-state.ts';
import { ended } from './submit.ts';

/** Asks once how the operation that the journal names is going. */
export async function poll(state: PassState, journal: Journal): Promise<EffectResult> {
  const { memory, requests } = state;
  const { model, signal, correlationId } = state.input;
  const block = journal.blocks['delete']?.state === 'Polling' ? 'delete' : 'submit';
  const memo = journal.blocks[block]?.memo;
  if (!isOperationMemo(memo)) {
    // Without an operation to ask for, a look at the resource tells what is left to do.
    state.noteEarlierPut();
    const message = `The annotation ${annotations.journal} names no operation of Azure; the resource is looked at anew`;
    return { outcome: 'retry', failure: { code: reasons.reconciling, message }, over: true };
  }
  // What is remembered may be of a time before another replica held the lease.
  if (memory.operation?.url !== memo.operation.url) delete memory.token;
  const known = memory.operation?.url === memo.operation.url ? memory.operation : undefined;
  const { authorizer, cloud } = requests.credential();
  const operation: Operation = known ?? { ...ofResource(memo.operation, state.id(), cloud), nextPollAt: 0 };
  const result = await requests.count('POLL', () =>
    state.context.arm.poll(operation, authorizer, memory.token, signal, correlationId),
  );
  if (result.token) memory.token = result.token;
  if (!result.done) {
    memory.operation = result.operation;
    return { outcome: 'polling', memo: operationMemo(result.operation, memo.correlationId, memo.foreign) };
  }
  ended(state);
  delete memory.operation;
  requests.token = memory.token;
  delete memory.token;
  // However it ended, a look at the resource tells what is left to do.
  if (memo.foreign && block === 'submit') return succeeded;
  if (result.outcome === 'succeeded') {
    if (block === 'delete') state.deleted = true;
    // Another resource than the object's own proves nothing; a look at that follows.
    else if (isObject(result.body) && sameResourceId(String(result.body['id'] ?? ''), state.id())) {
      state.live = { exists: true, body: result.body };
    }
    return { outcome: 'succeeded', memo: block === 'delete' ? { deleted: true } : { sent: true } };
  }
  // A DELETE whose operation ends because the resource is gone has succeeded.
  if (block === 'delete' && isGoneFacts(result.error, state.id())) {
    state.deleted = true;
    return { outcome: 'succeeded', memo: { deleted: true } };
  }
  const error = tellable(state, result.error);
  const facts = armFailure(error, model.errorOverrides);
  const failure = { code: facts.reason, message: facts.message };
  const final = facts.retryClass === 'none' && block !== 'delete';
  state.error = new ArmError(operation.method, state.id(), error);
  return final ? { outcome: 'failed', failure } : { outcome: 'retry', failure, over: true };
}

function isOperationMemo(memo: unknown): memo is OperationMemo {
  const operation = isObject(memo) ? memo['operation'] : undefined;
  if (!isObject(operation)) return false;
  return ['kind', 'method', 'url'].every((name) => typeof operation[name] === 'string');
}

/** The operation as the journal has it, about the object's own resource: a URL of anything else is not asked. */
export function ofResource(
  operation: OperationMemo['operation'],
  id: string,
  cloud: CloudEnvironment,
): OperationMemo['operation'] {
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

/** What Azure said of the operation, without the secrets it was given; nothing of it where those are not known now. */
function tellable({ input, requests }: PassState, facts: ArmErrorFacts): ArmErrorFacts {
  const unknown = input.body === undefined && input.model.inputs(input.object).some(({ type }) => type === 'secret');
  if (!unknown) return withoutSecrets(facts, requests.secrets);
  const message = 'its words are not shown, as they might repeat a secret that cannot be read now';
  return { ...facts, message, target: undefined, details: facts.details.map(({ code }) => ({ code, message: '' })) };
}
