import { normalizeResourceId } from '../../azure/arm/resource-ids.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { ObjectIndex } from '../references/object-index.ts';
import { holdsArmId } from './acquisition.ts';
import { hasPrecedence } from './resource-id.ts';

/**
 * Which object may write to an ARM id: the object that owns the id by its record, else the object that is about to
 * write. The reservation is made in memory and without waiting, so that only one of two concurrent objects gets the
 * id.
 */
export class ArmIdReservations {
  readonly #objects: ObjectIndex;
  readonly #now: () => number;
  readonly #onFree: (armId: string) => void;
  /** By ARM id. Only what names the object: it lives as long as the reservation, and the rest of it has kilobytes. */
  readonly #holders = new Map<string, KubeObject>();
  /** Ids that were refused to an object. */
  readonly #wanted = new Set<string>();

  /** `onFree` is called with each freed id that another object waits for. */
  constructor(objects: ObjectIndex, now: () => number, onFree: (armId: string) => void) {
    this.#objects = objects;
    this.#now = now;
    this.#onFree = onFree;
  }

  /** Reserves the id for the object. Returns the conflicting object instead, if there is one. */
  tryReserve(armId: string, object: KubeObject): KubeObject | undefined {
    const key = normalizeResourceId(armId);
    const other = this.conflictingObject(key, object);
    if (other) return other;
    const { apiVersion, kind, metadata } = object;
    const { namespace, name, uid } = metadata;
    this.#holders.set(key, { apiVersion, kind, metadata: { namespace, name, uid } });
    return undefined;
  }

  /** The object that keeps this object from writing to the id. */
  conflictingObject(armId: string, object: KubeObject): KubeObject | undefined {
    const key = normalizeResourceId(armId);
    const found = this.#find(key, object);
    if (found) this.#wanted.add(key);
    return found;
  }

  #find(key: string, object: KubeObject): KubeObject | undefined {
    const { uid } = object.metadata;
    const owns = holdsArmId(object, this.#now());
    const owner = this.#objects
      .withResourceId(key)
      .filter((other) => other.metadata.uid !== uid && holdsArmId(other, this.#now()))
      .find((other) => !owns || hasPrecedence(other, object));
    if (owner) return owner;
    const holder = this.#holders.get(key);
    return holder && holder.metadata.uid !== uid && !owns && this.#isThere(holder) ? holder : undefined;
  }

  /** Ends the object's reservation. */
  release(armId: string | undefined, uid: string | undefined): void {
    const key = armId === undefined ? '' : normalizeResourceId(armId);
    if (this.#holders.get(key)?.metadata.uid !== uid) return;
    this.#holders.delete(key);
    if (this.#wanted.delete(key)) this.#onFree(key);
  }

  /** Another replica may have worked in the meantime, and the object may be deleted. */
  #isThere({ apiVersion, kind, metadata }: KubeObject): boolean {
    const { namespace = '', name, uid } = metadata;
    return this.#objects.get(apiVersion.split('/')[0] ?? '', kind, { namespace, name })?.metadata.uid === uid;
  }
}

/** Describes the conflict in a message to the object, without naming objects of other namespaces. */
export function describeConflict(holder: KubeObject, { metadata }: KubeObject): string {
  const { namespace, name } = holder.metadata;
  return namespace === metadata.namespace ? `${holder.kind} ${namespace}/${name}` : 'An object of another namespace';
}
