import { annotations } from '../../arm-kinds/names.ts';
import { normalizeResourceId } from '../../azure/arm/resource-ids.ts';
import type { CacheChange } from '../../kube/cache/types.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { holdsArmId } from '../objects/acquisition.ts';
import type { ObjectIndex } from '../objects/object-index.ts';
import { hasPrecedence } from '../objects/resource-id.ts';

/** Milliseconds for which a namespace that was refused an id comes before the one that had it. */
export const turnMs = 30_000;

/**
 * Which object may write to an ARM id: the object that owns the id by its record, else the object that is about to
 * write. The reservation is made in memory and without waiting, so that only one of two concurrent objects gets the
 * id. An object reserves right before it announces its write, and not for the time of its reads and waits: another
 * namespace decides how long those take. Namespaces that want one id take turns.
 */
export class ArmIdReservations {
  readonly #objects: ObjectIndex;
  readonly #now: () => number;
  readonly #onFree: (armId: string) => void;
  /** By ARM id. Only what names the object: it lives as long as the reservation, and the rest of it has kilobytes. */
  readonly #holders = new Map<string, KubeObject>();
  /** By reserved ARM id: an object that was refused it, of another namespace than the holder where there is one. */
  readonly #refused = new Map<string, KubeObject>();
  /** By ARM id: the object whose namespace comes next, until a time in milliseconds since the epoch. */
  readonly #turns = new Map<string, { readonly object: KubeObject; readonly until: number }>();

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
    this.#holders.set(key, nameOf(object));
    this.#turns.delete(key);
    return undefined;
  }

  /** The object that keeps this object from writing to the id. */
  conflictingObject(armId: string, object: KubeObject): KubeObject | undefined {
    const key = normalizeResourceId(armId);
    const reservation = this.#find(key, object);
    const holder = this.#holders.get(key);
    const refused = this.#refused.get(key);
    if (reservation && holder && (!refused || isSameNamespace(refused, holder))) this.#refused.set(key, nameOf(object));
    return reservation;
  }

  #find(key: string, object: KubeObject): KubeObject | undefined {
    const { uid } = object.metadata;
    const owns = holdsArmId(object, this.#now());
    const owner = this.#objects
      .withResourceId(key)
      .filter((other) => other.metadata.uid !== uid && holdsArmId(other, this.#now()))
      .find((other) => !owns || hasPrecedence(other, object));
    if (owner || owns) return owner;
    const holder = this.#holders.get(key);
    if (holder && holder.metadata.uid !== uid && this.#isThere(holder)) return holder;
    const turn = this.#turns.get(key);
    const comesLater = turn && turn.until > this.#now() && !isSameNamespace(turn.object, object);
    return comesLater && this.#isThere(turn.object) ? turn.object : undefined;
  }

  /** Ends the object's reservation. */
  release(armId: string | undefined, uid: string | undefined): void {
    const key = armId === undefined ? '' : normalizeResourceId(armId);
    const holder = this.#holders.get(key);
    if (!holder || holder.metadata.uid !== uid) return;
    this.#holders.delete(key);
    const next = this.#refused.get(key);
    if (!next) return;
    this.#refused.delete(key);
    if (!isSameNamespace(next, holder)) this.#giveTurn(key, next);
    this.#onFree(key);
  }

  #giveTurn(key: string, object: KubeObject): void {
    this.#turns.set(key, { object, until: this.#now() + turnMs });
  }

  /** Frees the ids that the namespaces whose turn it was have not reserved in time. Call it every `turnMs`. */
  endTurns(): void {
    const now = this.#now();
    for (const [key, { until }] of this.#turns) {
      if (until > now) continue;
      this.#turns.delete(key);
      this.#onFree(key);
    }
  }

  /** Another replica may have worked in the meantime, and the object may be deleted. */
  #isThere({ apiVersion, kind, metadata }: KubeObject): boolean {
    const { namespace = '', name, uid } = metadata;
    return this.#objects.get(apiVersion.split('/')[0] ?? '', kind, { namespace, name })?.metadata.uid === uid;
  }
}

function nameOf({ apiVersion, kind, metadata: { namespace, name, uid } }: KubeObject): KubeObject {
  return { apiVersion, kind, metadata: { namespace, name, uid } };
}

function isSameNamespace(one: KubeObject, other: KubeObject): boolean {
  return one.metadata.namespace === other.metadata.namespace;
}

/** The ARM id that an object owned by its record before a change, and after it no more. */
export function freedArmId(change: CacheChange<KubeObject>): string | undefined {
  if (change.type === 'added') return undefined;
  const isOwned = ({ metadata }: KubeObject) => metadata.annotations?.[annotations.acquired] !== undefined;
  const isFreed = change.type === 'deleted' || (isOwned(change.old) && !isOwned(change.object));
  return isFreed ? change.old.metadata.annotations?.[annotations.resourceId] : undefined;
}

/** Describes the conflict in a message to the object, without naming objects of other namespaces. */
export function describeConflict(holder: KubeObject, { metadata }: KubeObject): string {
  const { namespace, name } = holder.metadata;
  return namespace === metadata.namespace ? `${holder.kind} ${namespace}/${name}` : 'An object of another namespace';
}
