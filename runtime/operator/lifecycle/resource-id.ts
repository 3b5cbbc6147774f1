import type { ArmModel } from '../../arm-kinds/model.ts';
import { annotations } from '../../arm-kinds/names.ts';
import { normalizeResourceId, sameResourceId, tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import { AzimuthError } from '../../base/errors.ts';
import type { KubeObject } from '../../kube/client/types.ts';

/** The ARM id of an object that exists in Azure; undefined before that. */
export function armIdInAzure(object: KubeObject): string | undefined {
  const id: unknown = object['status']?.id;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/**
 * The ARM id that others may build upon, which exists in Azure; undefined before that. Who may edit an object may edit its
 * annotations, but its status is the operator's: an annotation that says otherwise leads nowhere.
 */
export function usableId(object: KubeObject): string | undefined {
  const noted = object.metadata.annotations?.[annotations.resourceId];
  const shown = armIdInAzure(object);
  return noted !== undefined && shown !== undefined && sameResourceId(noted, shown) ? noted : undefined;
}

/** The ARM id that an object has or means to have, as a key; undefined before it has claimed one. */
export function claimKey(object: KubeObject): string | undefined {
  const id = armIdInAzure(object) ?? object.metadata.annotations?.[annotations.resourceId];
  return id === undefined ? undefined : normalizeResourceId(id);
}

/**
 * The ARM id under which requests for the object were sent, for more of them. Throws AZ_TERMINAL where somebody edited it: for
 * an id of another type than the object's, and for an annotation that contradicts the status.
 */
export function heldId(model: ArmModel, object: KubeObject): string | undefined {
  const noted = object.metadata.annotations?.[annotations.resourceId];
  const shown = armIdInAzure(object);
  const id = noted ?? shown;
  if (id === undefined) return undefined;
  const type = model.armType(object);
  const remedy = `set the annotation ${annotations.resourceId} back, or let go of the resource by ${annotations.reconcilePolicy}: detach-on-delete`;
  if (tryParseResourceId(id)?.type.toLowerCase() !== type.toLowerCase()) {
    throw new AzimuthError(
      'AZ_TERMINAL',
      `The ARM id ${id}, which this object is said to have, is of no ${type}: set spec.type back if that was changed; otherwise ${remedy}`,
    );
  }
  if (shown !== undefined && !sameResourceId(id, shown)) {
    const message = `The annotation ${annotations.resourceId} says ${id}, but what this object has in Azure is ${shown}: ${remedy}`;
    throw new AzimuthError('AZ_TERMINAL', message);
  }
  return id;
}

/** Whether of two objects that claim one ARM id this one goes first: who has it in Azure already, else the older. */
export function goesFirst(one: KubeObject, other: KubeObject): boolean {
  // Times of creation are equal within a second.
  const rank = (each: KubeObject) =>
    `${armIdInAzure(each) === undefined ? 1 : 0} ${each.metadata.creationTimestamp} ${each.metadata.uid}`;
  return rank(one) < rank(other);
}
