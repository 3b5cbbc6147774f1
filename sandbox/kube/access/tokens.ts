import { createHash, createPrivateKey, createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../../runtime/base/clock.ts';
import { VerifiedTokens } from '../../verified-tokens.ts';

/** The claims of a service account token. */
export interface TokenClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly nbf: number;
  readonly jti: string;
  readonly 'kubernetes.io': {
    readonly namespace: string;
    readonly serviceaccount: { readonly name: string; readonly uid: string };
    readonly pod?: { readonly name: string; readonly uid: string };
    readonly secret?: { readonly name: string; readonly uid: string };
  };
}

/** Signs and verifies JWTs (RS256) with one key, and publishes its public half. */
export class TokenIssuer {
  readonly issuer: string;
  readonly #key: KeyObject;
  readonly #public: KeyObject;
  readonly #keyId: string;
  readonly #clock: Clock;
  readonly #verified = new VerifiedTokens<TokenClaims>();

  constructor(issuer: string, keyPem: string, clock: Clock) {
    this.issuer = issuer;
    this.#key = createPrivateKey(keyPem);
    this.#public = createPublicKey(this.#key);
    this.#keyId = createHash('sha256')
      .update(this.#public.export({ type: 'spki', format: 'der' }))
      .digest('base64url');
    this.#clock = clock;
  }

  async issue(
    claims: Pick<TokenClaims, 'sub' | 'aud' | 'kubernetes.io'>,
    lifetimeSeconds: number,
  ): Promise<{ token: string; expiresAt: number }> {
    const iat = Math.floor(this.#clock.now() / 1000);
    const exp = iat + lifetimeSeconds;
    const payload = { ...claims, exp, iat, iss: this.issuer, jti: randomUUID(), nbf: iat };
    const header = { alg: 'RS256', kid: this.#keyId };
    const token = await new SignJWT(payload as unknown as JWTPayload).setProtectedHeader(header).sign(this.#key);
    return { token, expiresAt: exp * 1000 };
  }

  /** The claims of a token this issuer signed that is valid now; undefined otherwise. */
  async verify(token: string): Promise<TokenClaims | undefined> {
    const now = this.#clock.now() / 1000;
    const claims = await this.#verified.claims(token, () => this.#tryVerify(token));
    return claims && claims.nbf <= now && now < claims.exp ? claims : undefined;
  }

  async #tryVerify(token: string): Promise<TokenClaims | undefined> {
    const options = { algorithms: ['RS256'], issuer: this.issuer, currentDate: new Date(this.#clock.now()) };
    const verified = await jwtVerify(token, this.#public, options).catch(() => undefined);
    return verified?.protectedHeader.kid === this.#keyId ? (verified.payload as unknown as TokenClaims) : undefined;
  }

  /** `/openid/v1/jwks`. */
  keySet(): object {
    const { kty, n, e } = this.#public.export({ format: 'jwk' });
    return { keys: [{ use: 'sig', kty, kid: this.#keyId, alg: 'RS256', n, e }] };
  }

  /** `/.well-known/openid-configuration`. */
  discovery(): object {
    return {
      issuer: this.issuer,
      jwks_uri: `${this.issuer}/openid/v1/jwks`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
  }
}
