import { filledPath } from '../../../arm-kinds/body/filled-path.ts';
import { eventReasons } from '../../../arm-kinds/names.ts';
import { isGone } from '../../../azure/arm/not-found.ts';
import { type EffectContext, type EffectReport, failed } from '../../effects/effect-context.ts';
import type { ObservedChanges } from '../../effects/observation.ts';
import { operationEnded, writeAccepted } from '../../effects/operation.ts';
import { deletedNamespace } from '../../lifecycle/deletion.ts';

/** Sends the DELETE to Azure. */
export async function beginDelete(run: EffectContext): Promise<EffectReport> {
  reportDeletion(run);
  await sendDeletionStep(run);
  const request = run.requests.request('DELETE', run.id());
  const sent: ObservedChanges = { wroteToAzure: true };
  const over = { memo: { deleted: true }, observed: { ...sent, deleted: true } };
  try {
    const response = await run.requests.count('DELETE', () => run.requests.perform(request));
    return { observed: sent, ...writeAccepted(run, request, response, over) };
  } catch (error) {
    if (run.request.signal.aborted) throw error;
    if (!isGone(error)) return { ...failed(run, error), observed: sent };
    operationEnded(run);
    return { outcome: 'succeeded', ...over };
  }
}

/** Sends the request that a kind needs before its DELETE, if the resource has the members that its path names. */
async function sendDeletionStep(run: EffectContext): Promise<void> {
  const step = run.request.model.definition.arm?.beforeDelete;
  const { live } = run.observed;
  // ARM's answer, and not the status, which others may write.
  const rest = step && filledPath(step.path, live?.exists ? live.body : {});
  if (!step || rest === undefined) return;
  const path = rest.startsWith('/') ? rest : `${run.id()}${rest}`;
  if (rest.startsWith('/')) run.checkReach(rest.slice(0, rest.indexOf('/providers/')));
  const { method, apiVersion, ifMatch } = step;
  const request = run.requests.request(method, path, { apiVersion, ifMatch });
  try {
    await run.requests.count(method, () => run.shared.arm.send(request));
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

function reportDeletion(run: EffectContext): void {
  const namespace = deletedNamespace(run.shared.namespaces, run.object);
  const begin = { reason: eventReasons.beginDelete, action: 'Delete' } as const;
  if (!namespace) {
    run.event('Normal', begin.reason, begin.action, `Deleting ${run.id()} in Azure`);
    return;
  }
  // The API server accepts no event in a namespace that is being deleted. An event about the namespace names none of
  // its objects.
  const { kind } = run.request.model.definition;
  const note = `The namespace is being deleted: the Azure resources of its ${kind} objects are deleted too`;
  run.shared.events.record({ regarding: namespace, ...begin, note });
}
