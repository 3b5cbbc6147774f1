import { createHash } from 'node:crypto';
import type { AccessToken, Authorizer } from '../../azure/types.ts';
import { unlessAborted } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { SharedCache } from '../../base/shared-cache.ts';

/** Least life of a token that is given out: a mount reads all of its objects with it. */
const leastLifeMs = 120_000;

/**
 * Tokens for the mounts of a node that act with the same credential. The credential is part of the key, so who does not
 * have it gets no token of it; one that was withdrawn goes on for as long as a token is kept.
 */
export class TokenPool {
  readonly #cache: SharedCache<AccessToken>;

  /** `ttlMs`: how long a token is given out again. @default 5 minutes */
  constructor(clock: Clock, ttlMs = 300_000) {
    this.#cache = new SharedCache({ clock, ttlMs, maxEntries: 1000 });
  }

  /** See IdentityContext. */
  readonly keep = (key: readonly string[], authorizer: Authorizer): Authorizer => ({
    description: authorizer.description,
    getToken: async ({ signal, ...request }) => {
      const { audience, tenantId, claims } = request;
      const name = createHash('sha256')
        .update(JSON.stringify([key, audience, tenantId, claims]))
        .digest('base64');
      // Without the signal: the token is for all who wait.
      const token = this.#cache.get(name, () => authorizer.getToken(request), usableUntil);
      return signal ? unlessAborted(token, signal) : token;
    },
  });
}

const usableUntil = ({ expiresOn }: AccessToken) => expiresOn - leastLifeMs;
