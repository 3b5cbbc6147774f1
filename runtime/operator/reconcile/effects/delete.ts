import { filledPath } from '../../../arm-kinds/body/filled-path.ts';
import { eventReasons } from '../../../arm-kinds/names.ts';
import { isGone } from '../../../azure/arm/not-found.ts';
import { type EffectContext, type EffectReport, failed } from '../../effects/effect-context.ts';
import type { ObservedChanges } from '../../effects/observation.ts';
import { operationEnded, writeAccepted } from '../../effects/operation.ts';
import { deletedNamespace } from '../../lifecycle/deletion.ts';

/** Sends the DELETE to Azure. */
export async function beginDelete(context: EffectContext): Promise<EffectReport> {
  reportDeletion(context);
  await sendDeletionStep(context);
  const request = context.requests.request('DELETE', context.id());
  const sent: ObservedChanges = { wroteToAzure: true };
  const over = { memo: { deleted: true }, observed: { ...sent, deleted: true } };
  try {
    const response = await context.requests.count('DELETE', () => context.requests.perform(request));
    return { observed: sent, ...writeAccepted(context, request, response, over) };
  } catch (error) {
    if (context.plan.signal.aborted) throw error;
    if (!isGone(error)) return { ...failed(context, error), observed: sent };
    operationEnded(context);
    return { outcome: 'succeeded', ...over };
  }
}

/** Sends the request that a kind needs before its DELETE, if the resource has the members that its path names. */
async function sendDeletionStep(context: EffectContext): Promise<void> {
  const step = context.plan.model.definition.arm?.beforeDelete;
  const { live } = context.observed;
  // ARM's answer, and not the status, which others may write.
  const rest = step && filledPath(step.path, live?.exists ? live.body : {});
  if (!step || rest === undefined) return;
  const path = rest.startsWith('/') ? rest : `${context.id()}${rest}`;
  if (rest.startsWith('/')) context.checkReach(rest.slice(0, rest.indexOf('/providers/')));
  const { method, apiVersion, ifMatch } = step;
  const request = context.requests.request(method, path, { apiVersion, ifMatch });
  try {
    await context.requests.count(method, () => context.shared.arm.send(request));
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

function reportDeletion(context: EffectContext): void {
  const namespace = deletedNamespace(context.shared.namespaces, context.object);
  const begin = { reason: eventReasons.beginDelete, action: 'Delete' } as const;
  if (!namespace) {
    context.event('Normal', begin.reason, begin.action, `Deleting ${context.id()} in Azure`);
    return;
  }
  // The API server accepts no event in a namespace that is being deleted. An event about the namespace names none of
  // its objects.
  const { kind } = context.plan.model.definition;
  const note = `The namespace is being deleted: the Azure resources of its ${kind} objects are deleted too`;
  context.shared.events.record({ regarding: namespace, ...begin, note });
}
