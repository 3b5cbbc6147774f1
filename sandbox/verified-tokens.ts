import { LRUCache } from 'lru-cache';

/**
 * The claims of tokens that an issuer has signed. Clients send a token with each request, and its signature takes longer to
 * verify than most requests take to answer. Times are the caller's business.
 */
export class VerifiedTokens<Claims extends object> {
  readonly #known = new LRUCache<string, Claims>({ max: 1000 });

  /** The claims of a token; `verify` gives them for a new one, and undefined for one that the issuer has not signed. */
  async claims(token: string, verify: () => Promise<Claims | undefined>): Promise<Claims | undefined> {
    const known = this.#known.get(token);
    if (known) return known;
    const claims = await verify();
    if (claims) this.#known.set(token, claims);
    return claims;
  }
}
