import { LRUCache } from 'lru-cache';
import { tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import type { AzureDeps } from '../../azure/azure-deps.ts';
import { KeyVault } from '../../azure/key-vault/client.ts';
import type { AccessToken, Authorizer } from '../../azure/types.ts';
import type { Clock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import { SharedCache } from '../../base/shared-cache.ts';

/** A token is used for as long, and not in the last minutes of its life; milliseconds. */
const tokenMs = 300_000;
const leastLifeMs = 120_000;
/** Clients of vaults in memory; each remembers the challenge of its vault. */
const mostVaults = 2000;

/** The same credential, which gets a token once for all reads of five minutes. */
export function pooledAuthorizer(authorizer: Authorizer, clock: Clock): Authorizer {
  const tokens = new SharedCache<AccessToken>({ clock, ttlMs: tokenMs, maxEntries: 1000 });
  return {
    description: authorizer.description,
    getToken: ({ signal: _, ...request }) =>
      tokens.get(
        JSON.stringify([request.audience, request.tenantId, request.claims]),
        () => authorizer.getToken(request),
        ({ expiresOn }) => expiresOn - leastLifeMs,
      ),
  };
}

/** The vaults that the endpoint reads with its own credential, by ARM id. */
export class VaultAccess {
  readonly #azure: Pick<AzureDeps, 'cloud' | 'dispatcher' | 'clock'>;
  readonly #authorizer: Authorizer;
  readonly #vaults = new LRUCache<string, KeyVault>({ max: mostVaults });

  /** `authorizer` gets a token for each request. */
  constructor(azure: Pick<AzureDeps, 'cloud' | 'dispatcher' | 'clock'>, authorizer: Authorizer) {
    this.#azure = azure;
    this.#authorizer = authorizer;
  }

  /** The vault of this ARM id: names of vaults are unique in a cloud. Throws AZ_TERMINAL for an id of something else. */
  of(vaultId: string): KeyVault {
    const parsed = tryParseResourceId(vaultId);
    const isVault = parsed?.scope === undefined && parsed?.type.toLowerCase() === 'microsoft.keyvault/vaults';
    const name = isVault && /^[0-9a-z-]{3,24}$/i.test(parsed.name) ? parsed.name : undefined;
    if (name === undefined) throw new AzimuthError('AZ_TERMINAL', `${vaultId} is no ARM id of a vault`);
    const openVault = this.#vaults.get(name);
    if (openVault) return openVault;
    const { cloud, dispatcher, clock } = this.#azure;
    const vault = new KeyVault({ vault: name, cloud, dispatcher, clock, authorizer: this.#authorizer });
    this.#vaults.set(name, vault);
    return vault;
  }
}
