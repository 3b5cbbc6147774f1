import type { SecretVersion } from '../../compute/managed-secrets/vault-tags.ts';
import type { VaultPlace } from './vaults/vault-places.ts';
import type { PlaceMemory, Retry } from './vaults/vault-readings.ts';

/** What this process remembers of one ManagedSecret; a restart begins with none. */
export class SecretMemory {
  readonly uid: string;
  /** The current version, for the time in which the home vault does not answer. */
  current: SecretVersion | undefined;
  /** The new version that is being made, or could not be. */
  renewal: Retry = { failures: 0, retryAt: 0 };
  #generation: number | undefined;
  #places = new Map<string, PlaceMemory>();

  constructor(uid: string) {
    this.uid = uid;
  }

  /** Takes note of the spec that is reconciled: a changed one is tried at once. */
  follow(generation: number | undefined): void {
    if (this.#generation !== generation) this.renewal = { failures: 0, retryAt: 0 };
    this.#generation = generation;
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
