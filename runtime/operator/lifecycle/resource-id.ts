import type { ArmModel } from '../../arm-kinds/model.ts';
import { annotations } from '../../arm-kinds/names.ts';
import { sameResourceId, tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import { AzimuthError } from '../../base/errors.ts';
import type { KubeObject } from '../../kube/client/types.ts';

/** The ARM id that an authenticated object reported to exist in Azure; undefined before that. */
export function armIdInAzure(object: KubeObject): string | undefined {
  const id: unknown = object['status']?.id;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** The ARM id that others may build upon, which exists in Azure; undefined before that. */
export function usableId(object: KubeObject): string | undefined {
  const recorded = object.metadata.annotations?.[annotations.resourceId];
  const shown = armIdInAzure(object);
  return recorded !== undefined && shown !== undefined && sameResourceId(recorded, shown) ? recorded : undefined;
}

/**
 * The ARM id under which requests for the object were sent, for more of them. Throws AZ_TERMINAL for an id of another type
 * than the object has now: somebody changed the type in the spec.
 */
export function heldId(model: ArmModel, object: KubeObject): string | undefined {
  const id = object.metadata.annotations?.[annotations.resourceId];
  if (id === undefined) return undefined;
  const type = model.armType(object);
  if (tryParseResourceId(id)?.type.toLowerCase() === type.toLowerCase()) return id;
  throw new AzimuthError(
    'AZ_TERMINAL',
    `The ARM id of this object, ${id}, is of no ${type}: set spec.type back, or keep the resource in Azure and delete the object with ${annotations.reconcilePolicy}: detach-on-delete`,
  );
}

/** Whether of two objects that own one ARM id this one goes first: the older. */
export function goesFirst(one: KubeObject, other: KubeObject): boolean {
  // Times of creation are equal within a second.
  const rank = ({ metadata: { creationTimestamp, uid } }: KubeObject) => `${creationTimestamp} ${uid}`;
  return rank(one) < rank(other);
}
