import type { SecretPlan } from '../../compute/managed-secrets/plan.ts';
import { failuresWithin, issueBackoff } from '../../compute/managed-secrets/rotation.ts';
import type { SecretVersion } from '../../compute/managed-secrets/vault-tags.ts';
import { timestamp } from './report/timestamp.ts';
import { newRolloutMemory } from './rollouts/rollout-memory.ts';
import type { ManagedSecretObject } from './secret-object.ts';
import { newOrderMemory, type OrderRefused } from './vaults/orders.ts';
import type { VaultPlace } from './vaults/vault-places.ts';
import type { PlaceFailure, PlaceMemory, Retry } from './vaults/vault-readings.ts';

/** The memory of one ManagedSecret in this process; a restart begins with none. */
export class SecretMemory {
  readonly uid: string;
  /** The current version, for the time in which the home vault does not answer. */
  current: SecretVersion | undefined;
  /** The new version that is being made, or could not be. */
  renewal: Retry = { failures: 0, retryAt: 0 };
  /** Number of the version that is being made. */
  making: number | undefined;
  readonly order = newOrderMemory();
  readonly rollout = newRolloutMemory();
  /** Orders in a row that an issuer refused. */
  #refusals = 0;
  #generation: number | undefined;
  #places = new Map<string, PlaceMemory>();

  constructor(uid: string) {
    this.uid = uid;
  }

  /** Takes note of the spec that is reconciled: a changed one is tried at once. */
  follow(generation: number | undefined): void {
    if (this.#generation !== generation) this.#startAnew();
    this.#generation = generation;
  }

  /** The current version where the home vault shows none: the last one, unless the spec pins another one. */
  currentOf({ spec: { pinnedVersion } }: ManagedSecretObject, plan: SecretPlan): SecretVersion | undefined {
    if (plan.pinProblem !== undefined) return undefined;
    return pinnedVersion === undefined || this.current?.number === pinnedVersion ? this.current : undefined;
  }

  /** Records that the version that was being made is there. */
  made(): void {
    this.#startAnew();
    this.making = undefined;
    Object.assign(this.order, newOrderMemory());
  }

  /**
   * Records a refused order, and when the next one follows. `dueSince` is when the version was due, for a process that
   * has not seen the refusals before: their number follows from the time since then.
   */
  refused({ orderId, orderedAt, reason, message: why }: OrderRefused, dueSince: number, now: number): PlaceFailure {
    const at = Math.min(now, orderedAt ?? now);
    const isKnown = this.order.placed || this.#refusals > 0;
    this.#refusals = isKnown ? this.#refusals + 1 : failuresWithin(at - dueSince);
    Object.assign(this.order, newOrderMemory(), { refused: orderId });
    const retryAt = at + issueBackoff(this.#refusals);
    const message = `${why.replace(/\.$/, '')}. The next order follows at ${timestamp(retryAt)}`;
    this.renewal = { failures: this.#refusals, retryAt, failure: { reason, message } };
    return { reason, message };
  }

  #startAnew(): void {
    this.renewal = { failures: 0, retryAt: 0 };
    this.#refusals = 0;
  }

  /** The memory of each vault. Forgets vaults that the spec names no more. */
  places(places: readonly VaultPlace[]): PlaceMemory[] {
    const kept = new Map<string, PlaceMemory>();
    for (const { location, reference } of places) {
      const key = JSON.stringify([location, reference]);
      kept.set(key, this.#places.get(key) ?? { failures: 0, retryAt: 0 });
    }
    this.#places = kept;
    return [...kept.values()];
  }
}

/** The memory of each ManagedSecret by its name. `onForgotten` gets the uid of an object that is gone or replaced. */
export class SecretMemories {
  readonly #byName = new Map<string, SecretMemory>();
  readonly #onForgotten: (uid: string) => void;

  constructor(onForgotten: (uid: string) => void) {
    this.#onForgotten = onForgotten;
  }

  /** The memory of this object; a new one for a successor of the same name. */
  of({ metadata: { namespace = '', name, uid = '' } }: ManagedSecretObject): SecretMemory {
    const key = `${namespace}/${name}`;
    const secretMemory = this.#byName.get(key);
    if (secretMemory?.uid === uid) return secretMemory;
    if (secretMemory) this.#onForgotten(secretMemory.uid);
    const memory = new SecretMemory(uid);
    this.#byName.set(key, memory);
    return memory;
  }

  forget(namespace: string, name: string): void {
    const key = `${namespace}/${name}`;
    const secretMemory = this.#byName.get(key);
    if (secretMemory) this.#onForgotten(secretMemory.uid);
    this.#byName.delete(key);
  }
}
