import { createHash, createPrivateKey, createPublicKey, type KeyObject, randomUUID, sign, verify } from 'node:crypto';
import type { Clock } from '../../../runtime/base/clock.ts';

/** What a service account token says, in the API server's own claim names. */
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

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs and verifies JWTs (RS256) with one key, and publishes its public half. */
export class TokenIssuer {
  readonly issuer: string;
  readonly #key: KeyObject;
  readonly #public: KeyObject;
  readonly #keyId: string;
  readonly #clock: Clock;

  constructor(issuer: string, keyPem: string, clock: Clock) {
    this.issuer = issuer;
    this.#key = createPrivateKey(keyPem);
    this.#public = createPublicKey(this.#key);
    this.#keyId = createHash('sha256')
      .update(this.#public.export({ type: 'spki', format: 'der' }))
      .digest('base64url');
    this.#clock = clock;
  }

  issue(
    claims: Pick<TokenClaims, 'sub' | 'aud' | 'kubernetes.io'>,
    lifetimeSeconds: number,
  ): { token: string; expiresAt: number } {
    const iat = Math.floor(this.#clock.now() / 1000);
    const exp = iat + lifetimeSeconds;
    const payload = { ...claims, exp, iat, iss: this.issuer, jti: randomUUID(), nbf: iat };
    const signed = `${encode({ alg: 'RS256', kid: this.#keyId })}.${encode(payload)}`;
    const signature = sign('sha256', Buffer.from(signed), this.#key).toString('base64url');
    return { token: `${signed}.${signature}`, expiresAt: exp * 1000 };
  }

  /** The claims of a token this issuer signed that is valid now; undefined otherwise. */
  verify(token: string): TokenClaims | undefined {
    const parts = token.split('.');
    if (parts.length !== 3) return undefined;
    const [header, payload, signature] = parts as [string, string, string];
    try {
      const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
      if (alg !== 'RS256' || kid !== this.#keyId) return undefined;
      const data = Buffer.from(`${header}.${payload}`);
      if (!verify('sha256', data, this.#public, Buffer.from(signature, 'base64url'))) return undefined;
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as TokenClaims;
      const now = this.#clock.now() / 1000;
      return claims.iss === this.issuer && claims.exp > now && claims.nbf <= now + 1 ? claims : undefined;
    } catch {
      return undefined;
    }
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
