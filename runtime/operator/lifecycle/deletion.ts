import type { ArmModel } from '../../arm-kinds/model.ts';
import { annotations, broughtResourceId, reasons } from '../../arm-kinds/names.ts';
import type { ReconcilePolicy } from '../../arm-kinds/policy.ts';
import { type Journal, parseJournal, type Wait } from '../../engine/index.ts';
import type { Cache } from '../../kube/cache/types.ts';
import { removedDefinition } from '../../kube/client/removed-definition.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../kube/client/types.ts';
import { acquisitionOf, holdsArmId, ownsArmId } from '../objects/acquisition.ts';
import type { AdoptPolicy } from '../objects/adoption.ts';
import { nodeOf } from '../objects/node-id.ts';
import type { ObjectIndex } from '../objects/object-index.ts';
import type { ObjectRecords } from '../objects/object-records.ts';
import { describeConflict } from './arm-id-reservations.ts';
import { removedControllerDefinition } from './removed-definition.ts';
import { detachReason } from './unmanaged.ts';

/** The inputs of a deletion plan. `now` is in milliseconds since the epoch. */
export interface DeletionContext {
  readonly objects: ObjectIndex;
  readonly records: Pick<ObjectRecords, 'authenticated' | 'stored'>;
  readonly client: KubeClient;
  readonly type: ResourceType;
  readonly now: number;
  /** The API server deletes the namespace with all its objects. */
  readonly namespaceGoes: boolean;
  readonly signal: AbortSignal;
}

/** The effect of an object's deletion on Azure. */
export interface DeletionPlan {
  /** Why the operator sends no DELETE to Azure; undefined when it sends one. */
  readonly keepReason: string | undefined;
  /** Whether users should see the reason in an event. */
  readonly needsEvent: boolean;
  readonly waits: readonly Wait[];
  readonly putUnanswered: boolean;
  /** Azure has no DELETE for it: the object stays until Azure has the resource no more. @default false */
  readonly undeletable?: boolean;
}

/**
 * Plans the deletion of an object. The operator deletes the resource only if a user deleted this very object, and only
 * if the resource can exist at all (docs/adr/0005-no-implicit-deletion.md).
 */
export async function planDeletion(
  model: ArmModel,
  object: KubeObject,
  { policy, adopt }: { readonly policy: ReconcilePolicy; readonly adopt: AdoptPolicy },
  journal: Journal | undefined,
  { objects, records, client, type, now, namespaceGoes, signal }: DeletionContext,
): Promise<DeletionPlan> {
  const putUnanswered = journal?.blocks['submit']?.state === 'Running';
  const plan = { keepReason: undefined, needsEvent: false, waits: [], putUnanswered } as const;
  const { [annotations.resourceId]: id, [broughtResourceId]: brought } = object.metadata.annotations ?? {};
  const acquired = acquisitionOf(object);
  if (id === undefined || !acquired) {
    // If the object names an existing resource, or once had one, the user should know that the resource stays.
    const needsEvent = brought !== undefined || records.stored(object)['status']?.id !== undefined;
    return needsEvent
      ? { ...plan, keepReason: 'the operator has no record that this object created or adopted it', needsEvent }
      : { ...plan, keepReason: 'it was never created there' };
  }
  if (!ownsArmId(acquired, { credentialOf: acquired.credentialOf, adopt, time: now })) {
    return {
      ...plan,
      keepReason: 'Azure never answered whether it accepted the request to create it',
      needsEvent: true,
    };
  }
  const definition = await removedDefinition(client, type, signal);
  if (definition !== undefined) {
    const keepReason = `its definition ${definition} is being removed, and that deletes nothing in Azure`;
    return { ...plan, keepReason, needsEvent: true };
  }
  const controllers = await removedControllerDefinition(client, object, signal);
  if (controllers !== undefined) {
    const keepReason = `its controller went with the definition ${controllers}, and that deletes nothing in Azure`;
    return { ...plan, keepReason, needsEvent: true };
  }
  const other = objects
    .withResourceId(id)
    .filter(({ metadata }) => metadata.uid !== object.metadata.uid && metadata.deletionTimestamp === undefined)
    .find((each) => holdsArmId(each, now));
  if (other) return { ...plan, keepReason: `${describeConflict(other, object)} manages it too`, needsEvent: true };
  if (policy !== 'manage') {
    const children = objects.ownedBy(object.metadata.uid ?? '').filter(({ metadata }) => metadata.deletionTimestamp);
    return { ...plan, keepReason: `its reconcile policy is ${policy}`, waits: children.map(waitForChild) };
  }
  if (!model.deletable && namespaceGoes) {
    return { ...plan, keepReason: 'Azure cannot delete it apart from its owner', needsEvent: true };
  }
  const detached = await detachReason(client, object, signal);
  if (detached !== undefined) return { ...plan, keepReason: detached, needsEvent: true };
  const owner = await ownerOf(object, objects, client, signal);
  if (owner === 'gone')
    return { ...plan, keepReason: 'it is only deleted because its owner is gone', needsEvent: true };
  if (owner && isBeingDeletedInAzure(records.authenticated(owner))) return { ...plan, waits: [waitForOwner(owner)] };
  return model.deletable ? plan : { ...plan, undeletable: true };
}

/** Owners that are read, as an object may name ten thousand; an ARM resource has one. */
const mostOwners = 20;

/**
 * The owner that this operator recorded; `gone` if none of the recorded owners exists any more, because the garbage
 * collector deletes an object with its last owner; undefined for objects without owner. Reads from the API server,
 * because a cache may lag behind the garbage collector.
 */
async function ownerOf(
  { metadata: { namespace = '', ownerReferences = [] } }: KubeObject,
  objects: ObjectIndex,
  client: KubeClient,
  signal: AbortSignal,
): Promise<KubeObject | 'gone' | undefined> {
  let result: 'gone' | undefined;
  for (const { apiVersion, kind, name, uid } of ownerReferences.slice(0, mostOwners)) {
    const type = objects.typeOf(apiVersion.split('/')[0] ?? '', kind);
    if (!type) continue;
    const liveObject = await client.tryGet(type, { namespace, name }, signal);
    // With foreground deletion, the garbage collector deletes the children first, while the owner still exists.
    const cascades =
      liveObject?.metadata.deletionTimestamp && liveObject.metadata.finalizers?.includes('foregroundDeletion');
    if (liveObject && liveObject.metadata.uid === uid && !cascades) return liveObject;
    result = 'gone';
  }
  return result;
}

/** The object's namespace while the API server deletes it with all its objects; else undefined. */
export function deletedNamespace(namespaces: Cache, { metadata }: KubeObject): KubeObject | undefined {
  const namespaceObject = namespaces.get({ name: metadata.namespace ?? '' });
  return namespaceObject?.metadata.deletionTimestamp === undefined ? undefined : namespaceObject;
}

/** Whether Azure has accepted to delete the object's resource, with everything in it. */
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
