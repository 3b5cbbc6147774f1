import { annotations, finalizer, labels } from '../../../arm-kinds/names.ts';
import { type EffectResult, formatJournal, type Journal } from '../../../engine/index.ts';
import { isSameOwner, ownerReference } from '../../../kube/client/owner-references.ts';
import { asText } from '../../export/effect.ts';
import { type PassState, succeeded } from '../run-state.ts';

/** Finalizer, ARM id, owner and journal in one write, which fails if anybody changed the object meanwhile. */
export async function claim(state: PassState, journal: Journal): Promise<EffectResult> {
  const { resourceId, credentialSource, resolution } = state.input;
  const { finalizers = [], ownerReferences = [], labels: own = {}, uid, resourceVersion } = state.object.metadata;
  const owner = resolution.owner?.object;
  // An owner of the same name that was there before is gone, and so is what it owned; the spec may name another by now.
  const former = own[labels.ownerUid];
  const others = ownerReferences.filter(
    (each) => each.uid !== former && (!owner || !isSameOwner(each, ownerReference(owner))),
  );
  const body = {
    metadata: {
      uid,
      resourceVersion,
      finalizers: finalizers.includes(finalizer) ? finalizers : [...finalizers, finalizer],
      annotations: state.context.records.changes(state.object, {
        [annotations.resourceId]: resourceId ?? null,
        [annotations.credential]: credentialSource ?? null,
        [annotations.exports]: asText([...state.exportsNoted(), ...state.exportsPlanned()]),
        ...(Object.keys(journal.blocks).length > 0 && { [annotations.journal]: formatJournal(journal) }),
      }),
      ...((owner || former !== undefined) && {
        ownerReferences: owner ? [...others, ownerReference(owner)] : others,
        labels: {
          [labels.ownerName]: owner?.metadata.name.slice(0, 63) ?? null,
          [labels.ownerGroupKind]: owner ? `${owner.kind}.${owner.apiVersion.split('/')[0]}`.slice(0, 63) : null,
          [labels.ownerUid]: owner?.metadata.uid ?? null,
        },
      }),
    },
  };
  await state.patch({ type: 'merge', body });
  state.claimed = true;
  return succeeded;
}

/** Lets go of the object: its finalizer goes, and with it the object. */
export async function release(state: PassState): Promise<EffectResult> {
  const { finalizers = [], uid, resourceVersion } = state.object.metadata;
  const left = finalizers.filter((each) => each !== finalizer);
  await state.patch({ type: 'merge', body: { metadata: { uid, resourceVersion, finalizers: left } } });
  state.released = true;
  return succeeded;
}
