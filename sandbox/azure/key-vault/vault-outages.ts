import { expected } from '../../../runtime/base/errors.ts';
import { normalLocation } from '../arm/write-checks.ts';
import { stringOf } from '../json.ts';
import type { SandboxState } from '../state.ts';

/** `unreachable`: connections end without an answer. `unavailable`: every request gets 503. */
export type Outage = 'unreachable' | 'unavailable';

/** The vaults of an outage: one by its name, or all of a region. */
export interface OutageScope {
  readonly vault?: string;
  readonly location?: string;
}

/** Vaults that nobody reaches: the data plane does not answer, and Compute cannot read from it. */
export class VaultOutages {
  readonly #state: SandboxState;
  readonly #outages = new Map<string, Outage>();

  constructor(state: SandboxState) {
    this.#state = state;
  }

  /** Begins an outage, or ends it with `none`. Throws unless the scope names a vault or a region. */
  set(scope: OutageScope, outage: Outage | 'none'): void {
    if (outage !== 'none' && outage !== 'unreachable' && outage !== 'unavailable') {
      throw expected('outage', 'unreachable, unavailable or none', outage);
    }
    const key = scope.vault === undefined ? locationKey(scope.location ?? '') : vaultKey(scope.vault);
    if ((scope.vault ?? scope.location ?? '') === '') throw expected('scope', 'a vault or a location', scope);
    if (outage === 'none') this.#outages.delete(key);
    else this.#outages.set(key, outage);
  }

  /** The outage of a vault, by its name. */
  of(vault: string): Outage | undefined {
    if (this.#outages.size === 0) return undefined;
    const name = vault.toLowerCase();
    const resource = this.#state.resources
      .ofType('Microsoft.KeyVault/vaults')
      .find((each) => each.name.toLowerCase() === name);
    return this.#outages.get(vaultKey(name)) ?? this.#outages.get(locationKey(stringOf(resource?.body['location'])));
  }

  /** Ends every outage. */
  clear(): void {
    this.#outages.clear();
  }
}

const vaultKey = (name: string) => `vault ${name.toLowerCase()}`;
const locationKey = (location: string) => `location ${normalLocation(location)}`;
