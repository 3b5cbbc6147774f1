import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { compactVerify, decodeJwt, decodeProtectedHeader, type JWK, SignJWT } from 'jose';
import { VerifiedTokens } from '../../verified-tokens.ts';
import type { Ids } from '../ids.ts';
import type { Json } from '../json.ts';
import { isFirstParty } from './audiences.ts';

/** A JWT taken apart; nothing about it has been verified. */
export interface DecodedJwt {
  readonly text: string;
  readonly header: Json;
  readonly claims: Json;
}

/** Undefined for anything that is not a JWS in compact form with JSON header and claims. */
export function tryDecodeJwt(text: string): DecodedJwt | undefined {
  try {
    return { text, header: decodeProtectedHeader(text) as Json, claims: decodeJwt(text) as Json };
  } catch {
    return undefined;
  }
}

const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256'];

/** Verifies RS256/384/512, PS256/384/512 and ES256 signatures; false for any other algorithm. */
export async function signatureFits({ text }: DecodedJwt, key: KeyObject, allowed = algorithms): Promise<boolean> {
  return await compactVerify(text, key, { algorithms: allowed }).then(
    () => true,
    () => false,
  );
}

/** Subject and audience of a token. */
export interface TokenSubject {
  readonly tenantId: string;
  readonly clientId: string;
  readonly objectId: string;
  readonly audience: string;
  /** appidacr: 1 = secret, 2 = certificate or federated. */
  readonly proof: '1' | '2';
  /** Resource id of the managed identity, as `xms_mirid` in tokens for Microsoft's own services. */
  readonly identityResourceId?: string;
  /** Resource id of the machine that asked for a token of a user-assigned identity, as `xms_az_rid` beside it. */
  readonly machineResourceId?: string;
}

/** A signed access token and its validity. */
export interface IssuedToken {
  readonly token: string;
  readonly tokenId: string;
  /** Seconds since the epoch. */
  readonly notBefore: number;
  readonly expiresOn: number;
}

/** Issues and verifies the sandbox's access tokens: RS256, claims of Microsoft Entra ID's version 1 tokens for applications. */
export class TokenIssuer {
  readonly #key: KeyObject;
  readonly #public: KeyObject;
  readonly #ids: Ids;
  readonly #verified = new VerifiedTokens<Json>();
  readonly keyId: string;

  constructor(keyPem: string, ids: Ids) {
    this.#key = createPrivateKey(keyPem);
    this.#public = createPublicKey(this.#key);
    this.#ids = ids;
    this.keyId = createHash('sha1')
      .update(this.#public.export({ type: 'spki', format: 'der' }))
      .digest('base64url');
  }

  async issue(subject: TokenSubject, nowMs: number, lifetimeSeconds: number): Promise<IssuedToken> {
    const now = Math.floor(nowMs / 1000);
    const tokenId = this.#ids.bytes(16).toString('base64url');
    const issuer = issuerOf(subject.tenantId);
    const claims = {
      aud: subject.audience,
      iss: issuer,
      iat: now,
      nbf: now,
      exp: now + lifetimeSeconds,
      aio: this.#ids.bytes(24).toString('base64'),
      appid: subject.clientId,
      appidacr: subject.proof,
      idp: issuer,
      idtyp: 'app',
      oid: subject.objectId,
      rh: `0.${this.#ids.bytes(18).toString('base64url')}.`,
      sub: subject.objectId,
      tid: subject.tenantId,
      uti: tokenId,
      ver: '1.0',
      ...resourceClaims(subject),
      xms_tcdt: 1_500_000_000,
    };
    const header = { typ: 'JWT', alg: 'RS256', x5t: this.keyId, kid: this.keyId };
    const token = await new SignJWT(claims).setProtectedHeader(header).sign(this.#key);
    return { token, tokenId, notBefore: now, expiresOn: now + lifetimeSeconds };
  }

  /** The claims, if this issuer signed the token; expiry and audience are the caller's business. */
  tryVerify(token: string): Promise<Json | undefined> {
    return this.#verified.claims(token, async () => {
      const jwt = tryDecodeJwt(token);
      return jwt && (await signatureFits(jwt, this.#public, ['RS256'])) ? jwt.claims : undefined;
    });
  }

  jwks(): { keys: JWK[] } {
    const jwk = this.#public.export({ format: 'jwk' });
    return { keys: [{ ...jwk, use: 'sig', alg: 'RS256', kid: this.keyId, x5t: this.keyId } as JWK] };
  }
}

/** Only tokens for Microsoft's own services say which resource an identity belongs to. */
function resourceClaims({ audience, identityResourceId, machineResourceId }: TokenSubject): Json {
  if (!identityResourceId || !isFirstParty(audience)) return {};
  const machine = machineResourceId ? { xms_az_rid: machineResourceId } : {};
  return { ...machine, xms_mirid: identityResourceId };
}

/** The `iss` claim of a tenant's tokens of version 1. */
export const issuerOf = (tenantId: string) => `https://sts.windows.net/${tenantId}/`;
