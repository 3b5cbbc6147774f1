import { annotations, finalizer, labels } from '../../../arm-kinds/names.ts';
import { labelValueOf } from '../../../base/text/text.ts';
import { formatJournal, type Journal } from '../../../engine/index.ts';
import { isSameOwner, ownerReference } from '../../../kube/client/owner-references.ts';
import { type EffectContext, type EffectReport, succeeded } from '../../effects/effect-context.ts';
import { exportsText } from '../../effects/export-values.ts';

/**
 * Writes finalizer, ARM id, owner and journal in one request, which fails if anybody changed the object in the
 * meantime.
 */
export async function addFinalizer(context: EffectContext, journal: Journal): Promise<EffectReport> {
  const { resourceId, credentialSource, resolution } = context.plan;
  const {
    finalizers = [],
    ownerReferences = [],
    labels: objectLabels = {},
    uid,
    resourceVersion,
  } = context.object.metadata;
  const owner = resolution.owner?.object;
  // An earlier owner of the same name is deleted, and its resources with it; the spec may name another owner by now.
  const former = objectLabels[labels.ownerUid];
  const others = ownerReferences.filter(
    (each) => each.uid !== former && (!owner || !isSameOwner(each, ownerReference(owner))),
  );
  const body = {
    metadata: {
      uid,
      resourceVersion,
      finalizers: finalizers.includes(finalizer) ? finalizers : [...finalizers, finalizer],
      annotations: context.shared.records.changes(context.object, {
        [annotations.resourceId]: resourceId ?? null,
        [annotations.credential]: credentialSource ?? null,
        [annotations.exports]: exportsText([...context.recordedExports(), ...context.plannedExports()]),
        ...(Object.keys(journal.blocks).length > 0 && { [annotations.journal]: formatJournal(journal) }),
      }),
      ...((owner || former !== undefined) && {
        ownerReferences: owner ? [...others, ownerReference(owner)] : others,
        labels: {
          [labels.ownerName]: owner ? labelValueOf(owner.metadata.name) : null,
          [labels.ownerGroupKind]: owner ? labelValueOf(`${owner.kind}.${owner.apiVersion.split('/')[0]}`) : null,
          [labels.ownerUid]: owner?.metadata.uid ?? null,
        },
      }),
    },
  };
  await context.patch({ type: 'merge', body });
  return succeeded({ finalizerAdded: true });
}

/** Removes the finalizer; the API server then removes the object. */
export async function removeFinalizer(context: EffectContext): Promise<EffectReport> {
  const { finalizers = [], uid, resourceVersion } = context.object.metadata;
  const left = finalizers.filter((each) => each !== finalizer);
  await context.patch({ type: 'merge', body: { metadata: { uid, resourceVersion, finalizers: left } } });
  return succeeded({ finalizerRemoved: true });
}
