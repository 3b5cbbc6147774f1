import type { ArmModel } from '../../arm-kinds/model.ts';
import { annotations, reasons } from '../../arm-kinds/names.ts';
import type { ReconcilePolicy } from '../../arm-kinds/policy.ts';
import { type Journal, parseJournal, type Wait } from '../../engine/index.ts';
import type { KubeClient, KubeObject } from '../../kube/client/types.ts';
import { nodeOf } from '../references/node-id.ts';
import type { Stores } from '../references/object-index.ts';
import { armIdInAzure, claimKey, goesFirst } from './resource-id.ts';

export interface DeletionPlan {
  /** Why Azure is not asked to delete; undefined when it is. */
  readonly leave: string | undefined;
  /** The reason as an event tells it is about something users should know. */
  readonly noteworthy: boolean;
  readonly waits: readonly Wait[];
  readonly unsure: boolean;
}

/**
 * What the deletion of an object means for Azure. It is deleted there only if somebody deleted this very object, and
 * only if it can be there at all (docs/adr/0005-no-implicit-deletion.md).
 */
export async function planDeletion(
  model: ArmModel,
  object: KubeObject,
  policy: ReconcilePolicy,
  journal: Journal | undefined,
  { stores, client, signal }: { readonly stores: Stores; readonly client: KubeClient; readonly signal: AbortSignal },
): Promise<DeletionPlan> {
  const unsure = journal?.blocks['submit']?.state === 'Running';
  const plan = { leave: undefined, noteworthy: false, waits: [], unsure } as const;
  const { annotations: own = {} } = object.metadata;
  // A first PUT that was refused for good is all that a mark of failure alone tells of.
  const inJournal = Object.entries(journal?.blocks ?? {}).some(
    ([name, { state }]) => name !== 'submit' || state !== 'Failed',
  );
  const sent = unsure || own[annotations.applied] !== undefined || inJournal;
  const id = claimKey(object);
  if (id === undefined || (!sent && armIdInAzure(object) === undefined)) {
    return { ...plan, leave: 'it was never created there' };
  }
  const other = stores
    .claimants(id)
    .filter(({ metadata }) => metadata.uid !== object.metadata.uid && metadata.deletionTimestamp === undefined)
    .find((each) => armIdInAzure(each) !== undefined || goesFirst(each, object));
  if (other) {
    const { namespace, name } = other.metadata;
    return { ...plan, leave: `${other.kind} ${namespace}/${name} manages it too`, noteworthy: true };
  }
  if (policy !== 'manage') {
    const children = stores.ownedBy(object.metadata.uid ?? '').filter(({ metadata }) => metadata.deletionTimestamp);
    return { ...plan, leave: `its reconcile policy is ${policy}`, waits: children.map(waitForChild) };
  }
  if (!model.deletable) return { ...plan, leave: 'Azure cannot delete it apart from its owner', noteworthy: true };
  const owner = await ownerOf(object, stores, client, signal);
  if (owner === 'gone') return { ...plan, leave: 'it is only deleted because its owner is gone', noteworthy: true };
  return owner && isBeingDeletedInAzure(owner) ? { ...plan, waits: [waitForOwner(owner)] } : plan;
}

/**
 * The owner that this operator named; `gone` if there is none of those named any more, as the garbage collector takes an
 * object with the last of its owners; undefined for objects without one. A cache may lag behind the garbage collector, so
 * the API server itself is asked.
 */
async function ownerOf(
  { metadata: { namespace = '', ownerReferences = [] } }: KubeObject,
  stores: Stores,
  client: KubeClient,
  signal: AbortSignal,
): Promise<KubeObject | 'gone' | undefined> {
  let result: 'gone' | undefined;
  for (const { apiVersion, kind, name, uid } of ownerReferences) {
    const type = stores.typeOf(apiVersion.split('/')[0] ?? '', kind);
    if (!type) continue;
    const found = await client.tryGet(type, { namespace, name }, signal);
    // With foreground deletion the garbage collector takes the children first, while the owner is still there.
    const cascades = found?.metadata.deletionTimestamp && found.metadata.finalizers?.includes('foregroundDeletion');
    if (found && found.metadata.uid === uid && !cascades) return found;
    result = 'gone';
  }
  return result;
}

/** Azure has accepted to delete the object's resource, which takes everything in it along. */
export function isBeingDeletedInAzure({ metadata }: KubeObject): boolean {
  const journal = parseJournal(metadata.annotations?.[annotations.journal]);
  return metadata.deletionTimestamp !== undefined && journal?.blocks['delete']?.state === 'Polling';
}

function waitForOwner(owner: KubeObject): Wait {
  const message = `The owner, ${owner.kind} ${owner.metadata.name}, is being deleted in Azure, which includes this`;
  return { kind: 'owner', node: nodeOf(owner), reason: reasons.deleting, message };
}

function waitForChild(child: KubeObject): Wait {
  const message = `${child.kind} ${child.metadata.name}, which belongs to it, is still being deleted`;
  return { kind: 'explicit', node: nodeOf(child), reason: reasons.deleting, message };
}
