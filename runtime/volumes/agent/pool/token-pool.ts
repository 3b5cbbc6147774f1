import { hash } from 'node:crypto';
import type { AccessToken, Authorizer } from '../../../azure/types.ts';
import { unlessAborted } from '../../../base/abort.ts';
import type { Clock } from '../../../base/clock.ts';
import { SharedCache } from '../../../base/shared-cache.ts';

/** Shortest remaining life of a cached token, milliseconds: a mount reads all its objects with it. */
const leastLifeMs = 120_000;

/**
 * Caches tokens for mounts with the same credential. The credential is part of the key, so that no mount gets a token
 * without it. A revoked credential works until its cached token expires from the cache.
 */
export class TokenPool {
  readonly #cache: SharedCache<AccessToken>;

  /** `ttlMs`: how long the pool serves a token. @default 5 minutes */
  constructor(clock: Clock, ttlMs = 300_000) {
    this.#cache = new SharedCache({ clock, ttlMs, maxEntries: 1000 });
  }

  /** An authorizer that shares its tokens with others of the same key; see IdentityContext.poolTokens. */
  readonly share = (key: readonly string[], authorizer: Authorizer): Authorizer => ({
    description: authorizer.description,
    getToken: async ({ signal, ...request }) => {
      const { audience, tenantId, claims } = request;
      const name = hash('sha256', JSON.stringify([key, audience, tenantId, claims]), 'base64');
      const kept = this.#cache.peek(name);
      if (kept) return kept;
      // Without the caller's signal, because other callers wait for the same token.
      const token = this.#cache.get(name, () => authorizer.getToken(request), usableUntil);
      return signal ? unlessAborted(token, signal) : token;
    },
  });
}

const usableUntil = ({ expiresOn }: AccessToken) => expiresOn - leastLifeMs;
