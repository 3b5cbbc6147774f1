import type { SecretVersion } from '../../compute/managed-secrets/vault-tags.ts';
import type { VaultPlace } from './vault-places.ts';
import type { PlaceMemory } from './vault-readings.ts';

/** What this process remembers of one ManagedSecret; a restart begins with none. */
export class SecretMemory {
  readonly uid: string;
  /** The current version, for the time in which the home vault does not answer. */
  current: SecretVersion | undefined;
  /** Failures to make a new version since the last success. */
  renewalFailures = 0;
  #places = new Map<string, PlaceMemory>();

  constructor(uid: string) {
    this.uid = uid;
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
