import { withLiveAt } from '../../../arm-kinds/body/ignored-fields.ts';
import { withCarried } from '../../../arm-kinds/carried/with-carried.ts';
import { bodyFingerprint, knownDifferenceOf } from '../../../arm-kinds/comparison/applied-record.ts';
import { armDiff } from '../../../arm-kinds/comparison/arm-diff.ts';
import { withMovedFrom } from '../../../arm-kinds/moved/with-moved.ts';
import { eventReasons, reasons } from '../../../arm-kinds/names.ts';
import { revealSecrets } from '../../../arm-kinds/secret-value.ts';
import { isRefusal } from '../../../azure/arm/errors.ts';
import { isChanged } from '../../../azure/arm/not-found.ts';
import type { ArmResponse } from '../../../azure/types.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { isRefusedByDatabase } from '../../../databases/error.ts';
import { completeAction } from '../../effects/complete-action.ts';
import type { EffectContext, EffectReport } from '../../effects/effect-context.ts';
import { failureInfo } from '../../effects/failures.ts';
import type { ObservedChanges } from '../../effects/observation.ts';
import { writeAccepted } from '../../effects/operation.ts';
import { recheckBeforeWrite } from '../../effects/recheck-before-write.ts';
import { armNode } from '../../objects/node-id.ts';
import { withQuota } from './quota.ts';
import { withRegisteredProvider } from './register-provider.ts';

/** Sends the PUT if there is quota, the policies still allow it and the resource provider is registered. */
export async function beginCreateOrUpdate(context: EffectContext): Promise<EffectReport> {
  let observed: ObservedChanges = {};
  const sending = (changes: ObservedChanges) => {
    observed = changes;
  };
  try {
    const send = () => withRegisteredProvider(context, () => put(context, sending));
    return await withQuota(context, () => recheckBeforeWrite(context, send));
  } catch (error) {
    if (context.plan.signal.aborted) throw error;
    return putFailed(context, error, observed);
  }
}

/**
 * Only a refused PUT is final for its spec. The cause of any other failure may end without a change of the object. A
 * first PUT that was refused, or not sent at all, makes no resource the object's own.
 */
function putFailed(context: EffectContext, error: unknown, observed: ObservedChanges): EffectReport {
  const { reason: code, message, retryClass } = failureInfo(error, context.plan.model.errorOverrides);
  const failure = { code, message };
  const ended = !observed.wroteToAzure || isRefusal(error) || isRefusedByDatabase(error);
  const over = context.isNew && ended;
  const changes: ObservedChanges = { ...observed, ...(over && { acquired: undefined }) };
  if (retryClass === 'none') {
    return { outcome: 'failed', failure, error, observed: { ...changes, ...context.withEarlierPut() } };
  }
  return { outcome: 'retry', failure, error, observed: changes, ...(over && { over }) };
}

/** Sends the declared body, with the changes of the kind's extension. Calls `sending` right before the request. */
export async function put(context: EffectContext, sending: (changes: ObservedChanges) => void): Promise<EffectReport> {
  const { model, object } = context.plan;
  const { prepared, ifMatch } = await context.orWait(() => prepare(context, overLive(context)));
  reportDrift(context);
  context.event(
    'Normal',
    eventReasons.beginCreateOrUpdate,
    'CreateOrUpdate',
    `Sending ${model.armType(object)} to Azure`,
  );
  const sent: ObservedChanges = { wroteToAzure: true, live: undefined, appliedRecorded: false };
  sending(sent);
  const request = context.requests.request('PUT', context.id(), { body: revealSecrets(prepared), ifMatch });
  let response: ArmResponse;
  try {
    response = await context.requests.count('PUT', () => context.requests.perform(request));
  } catch (error) {
    if (ifMatch === undefined || !isChanged(error)) throw error;
    const message = 'Another client has just written to the resource in Azure, or to a child of it';
    const failure = { code: reasons.reconciling, message };
    return { outcome: 'retry', failure, over: true, observed: { ...sent, ...context.withEarlierPut() } };
  }
  // Azure accepted the PUT: the resource is this object's own now, even if the operation fails.
  const observed: ObservedChanges = {
    ...sent,
    putSent: true,
    putAnswer: isObject(response.body) ? response.body : {},
    applied: context.unsettled(),
    acquired: context.acquired('written'),
  };
  return { ...writeAccepted(context, request, response, { memo: { sent: true }, observed }), observed };
}

/** The body of the PUT before the changes of the kind's extension. */
interface OverLive {
  readonly body: JsonObject;
  /** The ETag of Azure's answer that members were taken from, where it has one. */
  readonly ifMatch?: string | undefined;
}

/** The declared body, with the values in Azure that are left to others, that Azure moved, and that others made. */
function overLive({ plan, observed: { live, applied } }: EffectContext): OverLive {
  const { model, declared = {}, ignored } = plan;
  if (!live?.exists) return { body: declared };
  const declaredBody = withMovedFrom(model.definition, withLiveAt(declared, ignored, live.body), live.body);
  const body = withCarried(model.definition, declaredBody, live.body, applied?.places ?? []);
  const { etag } = live.body;
  return { body, ...(body !== declaredBody && typeof etag === 'string' && { ifMatch: etag }) };
}

/** The body after the changes of the kind's extension, and the ETag that the PUT is bound to, if any. */
async function prepare(context: EffectContext, { body, ifMatch: read }: OverLive) {
  const { model, object, credential } = context.plan;
  let ifMatch = read;
  const tryGet = (path: string, apiVersion: string) => context.requests.tryGet(path, apiVersion);
  const prepared = await model.extension.beforePut?.(object, body, {
    resourceId: context.id(),
    subscriptionId: credential?.subscriptionId ?? '',
    apiVersion: model.apiVersion(object),
    send: (method, path, apiVersion) => context.requests.send(method, path, { apiVersion }),
    complete: async (path, apiVersion, body) => {
      await completeAction(context, { path, apiVersion, body, before: 'the resource is sent' });
    },
    tryResource: (id, apiVersion) => context.requests.tryResource(id, apiVersion),
    tryGet,
    tryGetAndWatch: (path, apiVersion) => {
      context.waitFor(armNode(path));
      return tryGet(path, apiVersion);
    },
    onlyIf: (etag) => {
      ifMatch = etag;
    },
    checkReach: (armId) => context.checkReach(armId),
  });
  return { prepared: prepared ?? body, ifMatch };
}

/** Reports the declared fields that somebody changed in Azure since the last PUT of the same body. */
function reportDrift(context: EffectContext): void {
  const { body, declared } = context.plan;
  const { live, applied } = context.observed;
  if (!live?.exists || applied?.body !== bodyFingerprint(declared)) return;
  const differences = armDiff(body, live.body);
  if (differences.length === 0 || applied.knownDifference === knownDifferenceOf(body, live.body)) return;
  const paths = differences.map(({ path }) => path);
  const more = paths.length > 10 ? ` and ${paths.length - 10} more` : '';
  const note = `Azure differs from the declared state at ${paths.slice(0, 10).join(', ')}${more}; the operator restores it`;
  context.event('Normal', eventReasons.repairingDrift, 'CreateOrUpdate', note);
}
