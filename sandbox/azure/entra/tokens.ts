import {
  constants,
  createHash,
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import type { Ids } from '../ids.ts';
import { isObject, type Json, stringOf } from '../json.ts';

/** A JWT taken apart; nothing about it has been verified. */
export interface DecodedJwt {
  readonly header: Json;
  readonly claims: Json;
  readonly signed: string;
  readonly signature: Buffer;
}

/** Undefined for anything that is not a JWS in compact form with JSON header and claims. */
export function tryDecodeJwt(token: string): DecodedJwt | undefined {
  const [header, claims, signature, ...more] = token.split('.');
  if (!header || !claims || !signature || more.length > 0) return undefined;
  try {
    const decoded = {
      header: JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) as unknown,
      claims: JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as unknown,
    };
    if (!isObject(decoded.header) || !isObject(decoded.claims)) return undefined;
    return {
      header: decoded.header,
      claims: decoded.claims,
      signed: `${header}.${claims}`,
      signature: Buffer.from(signature, 'base64url'),
    };
  } catch {
    return undefined;
  }
}

/** Verifies RS256/384/512, PS256/384/512 and ES256 signatures; false for any other algorithm. */
export function signatureFits(jwt: DecodedJwt, key: KeyObject): boolean {
  const algorithm = stringOf(jwt.header['alg']);
  const digest = `sha${algorithm.slice(2)}`;
  const data = Buffer.from(jwt.signed);
  if (/^RS(256|384|512)$/.test(algorithm)) {
    return key.asymmetricKeyType === 'rsa' && verify(digest, data, key, jwt.signature);
  }
  if (/^PS(256|384|512)$/.test(algorithm)) {
    const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
    return key.asymmetricKeyType === 'rsa' && verify(digest, data, { key, ...padding }, jwt.signature);
  }
  if (algorithm === 'ES256') {
    return key.asymmetricKeyType === 'ec' && verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, jwt.signature);
  }
  return false;
}

/** Whom a token is for, and what it is to be used with. */
export interface TokenSubject {
  readonly tenantId: string;
  readonly clientId: string;
  readonly objectId: string;
  readonly audience: string;
  /** appidacr: 1 = secret, 2 = certificate or federated. */
  readonly proof: '1' | '2';
  /** Resource id of the managed identity, as `xms_mirid`. */
  readonly identityResourceId?: string;
}

export interface IssuedToken {
  readonly token: string;
  readonly tokenId: string;
  /** Seconds since the epoch. */
  readonly notBefore: number;
  readonly expiresOn: number;
}

/** Issues and verifies the sandbox's access tokens: RS256, claims of AAD's version 1 tokens for applications. */
export class TokenIssuer {
  readonly #key: KeyObject;
  readonly #public: KeyObject;
  readonly #ids: Ids;
  readonly keyId: string;

  constructor(keyPem: string, ids: Ids) {
    this.#key = createPrivateKey(keyPem);
    this.#public = createPublicKey(this.#key);
    this.#ids = ids;
    this.keyId = createHash('sha1')
      .update(this.#public.export({ type: 'spki', format: 'der' }))
      .digest('base64url');
  }

  issue(subject: TokenSubject, nowMs: number, lifetimeSeconds: number): IssuedToken {
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
      ...(subject.identityResourceId ? { xms_mirid: subject.identityResourceId } : {}),
      xms_tcdt: 1_500_000_000,
    };
    const header = { typ: 'JWT', alg: 'RS256', x5t: this.keyId, kid: this.keyId };
    const signed = `${base64url(header)}.${base64url(claims)}`;
    const signature = sign('sha256', Buffer.from(signed), this.#key).toString('base64url');
    return { token: `${signed}.${signature}`, tokenId, notBefore: now, expiresOn: now + lifetimeSeconds };
  }

  /** The claims, if this issuer signed the token; expiry and audience are the caller's business. */
  tryVerify(token: string): Json | undefined {
    const jwt = tryDecodeJwt(token);
    if (jwt?.header['alg'] !== 'RS256' || !signatureFits(jwt, this.#public)) return undefined;
    return jwt.claims;
  }

  jwks(): { keys: JsonWebKey[] } {
    const jwk = this.#public.export({ format: 'jwk' });
    return { keys: [{ ...jwk, use: 'sig', alg: 'RS256', kid: this.keyId, x5t: this.keyId } as JsonWebKey] };
  }
}

export const issuerOf = (tenantId: string) => `https://sts.windows.net/${tenantId}/`;

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
