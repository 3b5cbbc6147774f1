import type { ResolvedInputs } from '../../arm-kinds/inputs.ts';
import type { ArmModel } from '../../arm-kinds/model.ts';
import { annotations } from '../../arm-kinds/names.ts';
import { normalizeResourceId, sameResourceId, tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import { AzimuthError } from '../../base/errors.ts';
import type { KubeObject } from '../../kube/client/types.ts';

/** The ARM id of an authenticated object whose resource exists in Azure; undefined before that. */
export function armIdInAzure(object: KubeObject): string | undefined {
  const id: unknown = object['status']?.id;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** The ARM id that other objects may refer to, because the resource exists in Azure; undefined before that. */
export function usableId(object: KubeObject): string | undefined {
  const recorded = object.metadata.annotations?.[annotations.resourceId];
  const shown = armIdInAzure(object);
  return recorded !== undefined && shown !== undefined && sameResourceId(recorded, shown) ? recorded : undefined;
}

/**
 * The ARM id under which the operator sent requests for the object. Throws AZ_TERMINAL for an id of another type than
 * the object has now: somebody changed the type in the spec.
 */
export function recordedId(model: ArmModel, object: KubeObject): string | undefined {
  const id = object.metadata.annotations?.[annotations.resourceId];
  if (id === undefined) return undefined;
  const type = model.armType(object);
  if (tryParseResourceId(id)?.type.toLowerCase() === type.toLowerCase()) return id;
  throw new AzimuthError(
    'AZ_TERMINAL',
    `The ARM id of this object, ${id}, is of no ${type}: set spec.type back, or keep the resource in Azure and delete the object with ${annotations.reconcilePolicy}: detach-on-delete`,
  );
}

/** The resource is in another subscription than the credential. */
export class SubscriptionMismatch extends AzimuthError {
  constructor(actual: string, credential: string) {
    super('AZ_TERMINAL', `The resource belongs to subscription ${actual}, the credential to ${credential || 'none'}`);
  }
}

/**
 * The ARM id for requests. An id that was already used stays: a spec with another id or subscription is refused.
 * `adopted` is the last segment of the id that an object adopts by a property other than its name.
 */
export function resourceIdFor(
  model: ArmModel,
  object: KubeObject,
  owner: Parameters<ArmModel['resourceId']>[1],
  subscriptionId: string,
  inputs: ResolvedInputs,
  adopted?: string,
): string {
  const declared = model.resourceId(object, owner, subscriptionId, inputs);
  const computed = adopted === undefined ? declared : `${declared.slice(0, declared.lastIndexOf('/'))}/${adopted}`;
  const used = isIdUsed(object);
  const id = (used ? recordedId(model, object) : undefined) ?? computed;
  const actual = tryParseResourceId(id)?.subscriptionId;
  if (actual !== undefined && actual.toLowerCase() !== subscriptionId.toLowerCase()) {
    throw new SubscriptionMismatch(actual, subscriptionId);
  }
  if (!isSamePlace(model, object, id, computed)) {
    throw new AzimuthError(
      'AZ_TERMINAL',
      `The spec asks for ${computed}, but what was sent to Azure for this object is ${id}, and an object keeps its ARM id: set spec.azureName and spec.owner back, and make another object for the other resource`,
    );
  }
  return id;
}

/** Whether the operator sent requests under the recorded ARM id. */
export function isIdUsed(object: KubeObject): boolean {
  const objectAnnotations = object.metadata.annotations ?? {};
  const used =
    objectAnnotations[annotations.acquired] ??
    objectAnnotations[annotations.applied] ??
    objectAnnotations[annotations.journal] ??
    armIdInAzure(object);
  return used !== undefined;
}

/** For kinds that generate a name, a spec without name matches every recorded name. */
function isSamePlace({ extension }: ArmModel, object: KubeObject, recorded: string, computed: string): boolean {
  const { azureName } = (object['spec'] ?? {}) as { readonly azureName?: string };
  const place = (id: string) =>
    extension.defaultName && azureName === undefined ? id.slice(0, id.lastIndexOf('/')) : id;
  return normalizeResourceId(place(recorded)) === normalizeResourceId(place(computed));
}

/** Whether the first of two objects with the same ARM id owns it: the older one does. */
export function hasPrecedence(one: KubeObject, other: KubeObject): boolean {
  // Creation times have a resolution of one second.
  const rank = ({ metadata: { creationTimestamp, uid } }: KubeObject) => `${creationTimestamp} ${uid}`;
  return rank(one) < rank(other);
}
