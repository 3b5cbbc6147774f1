import { armDiff } from '../../../arm-kinds/body/arm-diff.ts';
import { withLiveAt } from '../../../arm-kinds/body/ignored-fields.ts';
import { annotations, eventReasons, reasons } from '../../../arm-kinds/names.ts';
import { hasSecrets, revealSecrets } from '../../../arm-kinds/secret-value.ts';
import { ArmError } from '../../../azure/arm/errors.ts';
import { isChanged, isGone, isMethodNotAllowed, isOwnerGone } from '../../../azure/arm/not-found.ts';
import { parentId } from '../../../azure/arm/resource-ids.ts';
import type { ArmRequest, ArmResponse, Operation } from '../../../azure/types.ts';
import { AzimuthError } from '../../../base/errors.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import type { EffectResult } from '../../../engine/index.ts';
import { formatAcquisition } from '../../lifecycle/acquisition.ts';
import { deletedNamespace } from '../../lifecycle/deletion.ts';
import type { AnnotationChanges } from '../../lifecycle/object-records.ts';
import { armNode, armNodes } from '../../references/node-id.ts';
import {
  bodyFingerprint,
  formatApplied,
  knownDifferenceOf,
  type Live,
  operationMemo,
  provisioningState,
} from '../observed.ts';
import { accepted, type PassState, succeeded } from '../run-state.ts';

/** Looks at the resource in Azure. */
export async function get(state: PassState): Promise<EffectResult> {
  try {
    state.live = { exists: true, body: await state.requests.resource(state.id()) };
  } catch (error) {
    if (isGone(error)) state.live = { exists: false, ownerGone: isOwnerGone(error) };
    else if (isMethodNotAllowed(error)) state.live = await unreadable(state);
    else throw error;
  }
  return succeeded;
}

/** Of a type without GET: the answer to the PUT counts, and what this object is known to have sent. */
async function unreadable(state: PassState): Promise<Live> {
  if (state.putAnswer) return { exists: true, body: state.putAnswer, hidden: true };
  if (!state.isNew) return { exists: true, body: {}, hidden: true };
  // Whether somebody else's resource is there matters only where it may not be taken over.
  if (state.input.adopt === 'always' || state.input.deletion) return { exists: false };
  const exists = await state.requests.exists(state.id());
  return exists ? { exists: true, body: {}, hidden: true } : { exists: false };
}

/** Sends the declared body, with what the kind adds to it. */
export async function put(state: PassState): Promise<EffectResult> {
  const { model, object, body: declared = {}, ignored } = state.input;
  const body = state.live?.exists ? withLiveAt(declared, ignored, state.live.body) : declared;
  const { prepared, ifMatch } = await state.orWait(() => prepare(state, body));
  reportDrift(state);
  const note = `Sending ${model.armType(object)} to Azure`;
  state.event('Normal', eventReasons.beginCreateOrUpdate, 'CreateOrUpdate', note);
  state.acted = true;
  state.live = undefined;
  state.settled = false;
  const request = state.requests.request('PUT', state.id(), { body: revealSecrets(prepared), ifMatch });
  let response: ArmResponse;
  try {
    response = await state.requests.count('PUT', () => state.context.arm.send(request));
  } catch (error) {
    if (ifMatch === undefined || !isChanged(error)) throw error;
    state.noteEarlierPut();
    const message = 'Somebody else has just written to the resource in Azure, or to what lies in it';
    return { outcome: 'retry', failure: { code: reasons.reconciling, message }, over: true };
  }
  state.sent = true;
  state.putAnswer = isObject(response.body) ? response.body : {};
  // Accepted, so that from here on it is this object's own, even if nothing comes of it.
  state.applied ??= accepted;
  state.acquire('written');
  return started(state, request, response, { sent: true });
}

/** What the kind makes of the body, and the ETag that the PUT is bound to, if any. */
async function prepare(state: PassState, body: JsonObject) {
  const { model, object, credential } = state.input;
  let ifMatch: string | undefined;
  const tryGet = (path: string, apiVersion: string) => state.requests.tryGet(path, apiVersion);
  const prepared = await model.extension.beforePut?.(object, body, {
    resourceId: state.id(),
    subscriptionId: credential?.subscriptionId ?? '',
    apiVersion: model.apiVersion(object),
    send: (method, path, apiVersion) => state.requests.send(method, path, { apiVersion }),
    complete: (path, apiVersion) => completeAction(state, path, apiVersion),
    tryGet,
    look: (path, apiVersion) => {
      state.waitFor(armNode(path));
      return tryGet(path, apiVersion);
    },
    onlyIf: (etag) => {
      ifMatch = etag;
    },
    checkReach: (armId) => state.checkReach(armId),
  });
  return { prepared: prepared ?? body, ifMatch };
}

/** Starts an action, or polls the operation that it started in an earlier run; see ExtensionTools. */
async function completeAction(state: PassState, path: string, apiVersion: string): Promise<void> {
  const { memory, requests, context, input } = state;
  const { arm, runtime } = context;
  const known = memory.action?.path === path ? memory.action : undefined;
  let operation: Operation | undefined;
  if (!known) {
    const request = requests.request('POST', path, { apiVersion });
    const name = path.split('/').at(-1) ?? 'POST';
    const response = await requests.count(name, () => arm.send(request));
    operation = arm.operationOf(request, response);
    if (operation) memory.action = { path, operation, token: response.token };
  } else if (known.operation.nextPollAt > runtime.clock.now()) {
    operation = known.operation;
  } else {
    const { authorizer } = requests.credential();
    const { signal, correlationId } = input;
    const result = await requests.count('POLL', () =>
      arm.poll(known.operation, authorizer, known.token, signal, correlationId),
    );
    if (result.done) delete memory.action;
    else {
      operation = result.operation;
      memory.action = { ...known, operation };
    }
    if (result.done && result.outcome !== 'succeeded') throw new ArmError('POST', path, result.error);
  }
  if (!operation) return;
  const retryAfterMs = Math.max(0, operation.nextPollAt - runtime.clock.now());
  const message = `Azure works on ${path}, which must be over before the resource is sent`;
  throw new AzimuthError('AZ_ARM_BUSY', message, { retryAfterMs });
}

/** Asks Azure to delete the resource. */
export async function remove(state: PassState): Promise<EffectResult> {
  reportDeletion(state);
  state.acted = true;
  const request = state.requests.request('DELETE', state.id());
  try {
    const response = await state.requests.count('DELETE', () => state.context.arm.send(request));
    const result = started(state, request, response, { deleted: true });
    if (result.outcome === 'succeeded') state.deleted = true;
    return result;
  } catch (error) {
    if (!isGone(error)) throw error;
    ended(state);
    state.deleted = true;
    return { outcome: 'succeeded', memo: { deleted: true } };
  }
}

function reportDeletion(state: PassState): void {
  const namespace = deletedNamespace(state.context.namespaces, state.object);
  const begin = { reason: eventReasons.beginDelete, action: 'Delete' } as const;
  if (!namespace) {
    state.event('Normal', begin.reason, begin.action, `Deleting ${state.id()} in Azure`);
    return;
  }
  // The API server takes no event in a namespace that is being deleted. One about the namespace names none of its objects.
  const { kind } = state.input.model.definition;
  const note = `The namespace is being deleted: what its ${kind} objects have in Azure is deleted too`;
  state.context.events.record({ regarding: namespace, ...begin, note });
}

/** What became of a write: over, with the memo that says so, or an operation to poll. */
function started(
  state: PassState,
  request: ArmRequest,
  response: ArmResponse,
  over: { [word: string]: boolean },
): EffectResult {
  const operation = state.context.arm.operationOf(request, response);
  state.requests.token = response.token;
  if (!operation) {
    ended(state);
    return { outcome: 'succeeded', memo: over };
  }
  state.memory.operation = operation;
  state.memory.token = response.token;
  return { outcome: 'polling', memo: operationMemo(operation, state.input.correlationId) };
}

/** Nothing of this object is under way in Azure any more: whoever waits for the resource, or for what it lies in, may go on. */
export function ended(state: PassState): void {
  for (const node of armNodes(state.id())) state.context.enqueueDependents(node);
}

/** Somebody's operation goes on, perhaps one of ours that was cut off: its end shows in the resource. */
export async function adopt(state: PassState, foreign: boolean): Promise<EffectResult> {
  const { model, object, correlationId } = state.input;
  const now = state.context.runtime.clock.now();
  // Still known when only the journal could not be written.
  const operation: Operation = state.memory.operation ?? {
    kind: 'body',
    method: 'PUT',
    url: state.id(),
    finalPath: state.id(),
    resourcePath: state.id(),
    apiVersion: model.apiVersion(object),
    startedAt: now,
    nextPollAt: now + 1000,
  };
  state.memory.operation = operation;
  state.live = undefined;
  return { outcome: 'polling', memo: operationMemo(operation, correlationId, foreign) };
}

/** Keeps the fingerprints of what Azure now shows to have. */
export async function settle(state: PassState): Promise<EffectResult> {
  const { resolution } = state.input;
  const body = state.compared();
  if (state.live?.exists) {
    if (state.isNew && !state.acted) state.event('Normal', eventReasons.adopted, 'Adopt', `Took over ${state.id()}`);
    const inputs = hasSecrets(body) ? resolution.inputsVersion : '';
    const knownDifference = state.live.hidden ? '' : knownDifferenceOf(body, state.live.body);
    state.applied = { body: bodyFingerprint(state.input.body), inputs, knownDifference };
    delete state.memory.absentReads;
    await acquireFound(state, { [annotations.applied]: formatApplied(state.applied) });
  }
  state.settled = true;
  return succeeded;
}

/** Records that what was found in Azure is this object's own, as its policy of adoption allows. */
export async function recordAdoption(state: PassState): Promise<EffectResult> {
  state.event('Normal', eventReasons.adopted, 'Adopt', `Took over ${state.id()} as it is, to be read only`);
  await acquireFound(state, {});
  return succeeded;
}

async function acquireFound(state: PassState, changes: AnnotationChanges): Promise<void> {
  state.acquire(state.isNew ? 'adopted' : 'written');
  const { acquired } = state;
  await state.annotate({ ...changes, [annotations.acquired]: acquired ? formatAcquisition(acquired) : null });
}

/** Ends what Azure accepted and then failed at: the journal forgets it, and a later pass looks and sends anew. */
export async function giveUp(state: PassState): Promise<EffectResult> {
  const shown = state.live?.exists ? provisioningState(state.live.body) : undefined;
  const failure = { code: reasons.failed, message: `Azure shows the state ${shown} after the PUT` };
  return { outcome: 'retry', failure, over: true };
}

/** Reads of a resource that Azure accepted and does not show, before it is sent again. */
const ABSENT_READS = 3;

/** Azure accepted the PUT and shows nothing: some services take a while, and some lose it. */
export async function reportAbsent({ memory }: PassState): Promise<EffectResult> {
  memory.absentReads = (memory.absentReads ?? 0) + 1;
  const message = 'Azure accepted the PUT, but shows no such resource';
  const failure = { code: reasons.azureResourceNotFound, message };
  return { outcome: 'retry', failure, over: memory.absentReads % ABSENT_READS === 0 };
}

/** What is being deleted can be made again only when it is gone. */
export async function waitForDeletion(): Promise<EffectResult> {
  const message = 'Somebody deletes the resource in Azure; it is made again when it is gone';
  return { outcome: 'retry', failure: { code: reasons.deleting, message } };
}

/** A PUT would be refused; the owner is made again by its own object, if it has one, or by whoever deleted it. */
export async function waitForOwnerInAzure(state: PassState): Promise<EffectResult> {
  const id = state.id();
  const owner = parentId(id);
  if (owner !== undefined) state.waitFor(armNode(owner));
  const message = `${owner ?? 'What the resource lies in'} is not in Azure any more`;
  return { outcome: 'retry', failure: { code: reasons.waitingForOwner, message } };
}

/** Says which declared fields somebody changed in Azure since the last PUT of this very body. */
function reportDrift(state: PassState): void {
  const body = state.compared();
  if (!state.live?.exists || state.applied?.body !== bodyFingerprint(state.input.body)) return;
  const differences = armDiff(body, state.live.body);
  if (differences.length === 0 || state.applied.knownDifference === knownDifferenceOf(body, state.live.body)) return;
  const paths = differences.map(({ path }) => path);
  const more = paths.length > 10 ? ` and ${paths.length - 10} more` : '';
  const note = `Azure differs from what is declared at ${paths.slice(0, 10).join(', ')}${more}; it is put back`;
  state.event('Normal', eventReasons.repairingDrift, 'CreateOrUpdate', note);
}
