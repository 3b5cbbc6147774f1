import { declaredPlaces } from '../../../arm-kinds/carried/with-carried.ts';
import type { Applied } from '../../../arm-kinds/comparison/applied-record.ts';
import { bodyFingerprint, formatApplied, knownDifferenceOf } from '../../../arm-kinds/comparison/applied-record.ts';
import { annotations, eventReasons, reasons } from '../../../arm-kinds/names.ts';
import { hasSecrets } from '../../../arm-kinds/secret-value.ts';
import { shownState } from '../../../azure/arm/operations/provisioning-state.ts';
import { parentId } from '../../../azure/arm/resource-ids.ts';
import { type EffectContext, type EffectReport, succeeded } from '../../effects/effect-context.ts';
import { type Acquisition, formatAcquisition } from '../../objects/acquisition.ts';
import { armNode } from '../../objects/node-id.ts';
import type { AnnotationChanges } from '../../objects/object-records.ts';
import { reserveArmId } from './reserve-arm-id.ts';

/** Records the hashes of the applied body, and of the differences that Azure shows after the PUT. */
export async function recordApplied(context: EffectContext): Promise<EffectReport> {
  const { resolution, body, declared, model } = context.plan;
  const { live, wroteToAzure, applied: last } = context.observed;
  if (!live?.exists) return succeeded({ appliedRecorded: true });
  const refusal = context.isNew ? reserveArmId(context) : undefined;
  if (refusal) return refusal;
  if (context.isNew && !wroteToAzure) context.event('Normal', eventReasons.adopted, 'Adopt', `Adopted ${context.id()}`);
  const applied: Applied = {
    body: bodyFingerprint(declared),
    inputs: hasSecrets(body) ? resolution.inputsVersion : '',
    knownDifference: live.hidden ? '' : knownDifferenceOf(body, live.body),
    settlesAt: last?.settlesAt,
    places: declaredPlaces(model.definition, declared ?? {}),
  };
  const acquired = await recordAcquisition(context, { [annotations.applied]: formatApplied(applied) });
  return succeeded({ applied, acquired, appliedRecorded: true });
}

/** Records that the resource in Azure belongs to this object, as its adoption policy allows. */
export async function recordAdoption(context: EffectContext): Promise<EffectReport> {
  const refusal = reserveArmId(context);
  if (refusal) return refusal;
  context.event(
    'Normal',
    eventReasons.adopted,
    'Adopt',
    `Adopted ${context.id()} without a write, as the policy is skip`,
  );
  return succeeded({ acquired: await recordAcquisition(context, {}) });
}

async function recordAcquisition(context: EffectContext, changes: AnnotationChanges): Promise<Acquisition | undefined> {
  const acquired = context.acquired(context.isNew ? 'adopted' : 'written');
  await context.annotate({ ...changes, [annotations.acquired]: acquired ? formatAcquisition(acquired) : null });
  return acquired;
}

/**
 * Ends a PUT that Azure accepted and that failed later, once no read may be stale: the journal forgets it, and a later
 * run sends it again.
 */
export async function failAndRetry(context: EffectContext): Promise<EffectReport> {
  const { live } = context.observed;
  const shown = live?.exists ? shownState(live.body) : undefined;
  const failure = { code: reasons.failed, message: `Azure shows the state ${shown} after the PUT` };
  return { outcome: 'retry', failure, over: context.isSettled() };
}

/** Azure accepted the PUT but does not show the resource: some services take a while, and some lose it. */
export async function reportAbsent(context: EffectContext): Promise<EffectReport> {
  const message = 'Azure accepted the PUT, but shows no such resource';
  const failure = { code: reasons.azureResourceNotFound, message };
  return { outcome: 'retry', failure, over: context.isSettled() };
}

/** A resource that is being deleted can be created again only when it is gone. */
export async function waitForDeletion(): Promise<EffectReport> {
  const message = 'Somebody deletes the resource in Azure; it is created again when it is gone';
  return { outcome: 'retry', failure: { code: reasons.deleting, message } };
}

/**
 * ARM would refuse a PUT. The owner's own object, if there is one, or the user who deleted the owner creates it again.
 */
export async function waitForOwnerInAzure(context: EffectContext): Promise<EffectReport> {
  const owner = parentId(context.id());
  if (owner !== undefined) context.waitFor(armNode(owner));
  const { live } = context.observed;
  const isGone = live?.exists === false && live.ownerGone === true;
  const message = `${owner ?? 'The parent of the resource'} ${isGone ? 'is not in Azure any more' : 'is being deleted'}`;
  return { outcome: 'retry', failure: { code: reasons.waitingForOwner, message } };
}
