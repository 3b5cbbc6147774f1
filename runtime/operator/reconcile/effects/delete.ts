import { eventReasons } from '../../../arm-kinds/names.ts';
import { isGone } from '../../../azure/arm/not-found.ts';
import { deletedNamespace } from '../../lifecycle/deletion.ts';
import { type EffectContext, type EffectReport, failed } from '../effect-context.ts';
import type { ObservedChanges } from '../observation.ts';
import { operationEnded, writeAccepted } from './operation.ts';

/** Sends the DELETE to Azure. */
export async function beginDelete(run: EffectContext): Promise<EffectReport> {
  reportDeletion(run);
  const request = run.requests.request('DELETE', run.id());
  const sent: ObservedChanges = { wroteToAzure: true };
  const over = { memo: { deleted: true }, observed: { ...sent, deleted: true } };
  try {
    const response = await run.requests.count('DELETE', () => run.context.arm.send(request));
    return { observed: sent, ...writeAccepted(run, request, response, over) };
  } catch (error) {
    if (run.request.signal.aborted) throw error;
    if (!isGone(error)) return { ...failed(run, error), observed: sent };
    operationEnded(run);
    return { outcome: 'succeeded', ...over };
  }
}

function reportDeletion(run: EffectContext): void {
  const namespace = deletedNamespace(run.context.namespaces, run.object);
  const begin = { reason: eventReasons.beginDelete, action: 'Delete' } as const;
  if (!namespace) {
    run.event('Normal', begin.reason, begin.action, `Deleting ${run.id()} in Azure`);
    return;
  }
  // The API server accepts no event in a namespace that is being deleted. An event about the namespace names none of
  // its objects.
  const { kind } = run.request.model.definition;
  const note = `The namespace is being deleted: the Azure resources of its ${kind} objects are deleted too`;
  run.context.events.record({ regarding: namespace, ...begin, note });
}
