import { createHash } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import type { Clock } from '../../base/clock.ts';
import { SharedLru } from '../../base/fairness/shared-lru.ts';
import { HttpError, type RefusalReason } from '../protocol/http-error.ts';
import type { SigningKeys } from './signing-keys.ts';

/** The caller of a request, from a verified token. */
export interface Caller {
  /** Object id of the service principal, lower case. */
  readonly objectId: string;
  /** Client id, for the audit; '' where the token has none. */
  readonly clientId: string;
  /** Milliseconds since the epoch. */
  readonly expiresOn: number;
}

/** Dependencies of the token verifier: the claims that a token must have, and its keys. */
export interface TokenVerifierDeps {
  readonly keys: Pick<SigningKeys, 'tryKey' | 'problem'>;
  readonly clock: Clock;
  readonly tenantId: string;
  /** Accepted values of `aud`, compared exactly. */
  readonly audiences: readonly string[];
  /** Accepted values of `iss`, compared exactly. */
  readonly issuers: readonly string[];
  /** Verified tokens in memory, shared out by object id. @default 10000 */
  readonly most?: number;
}

/** Clocks may differ by this many seconds (facts/compute.md 6). */
const skewSeconds = 300;
/** Tokens of managed identities have 2 KB. */
const longestToken = 8192;

/**
 * Verifies access tokens of Microsoft Entra ID for our own audience: signature RS256 by a key of the tenant, issuer,
 * audience, tenant, times, and that an application holds it and no user. A valid token is no right: any identity of the
 * tenant gets one.
 */
export class TokenVerifier {
  readonly #deps: TokenVerifierDeps;
  /** Verified tokens by their hash, so that a machine which polls costs one signature for each of its tokens. */
  readonly #verified: SharedLru<Caller>;

  constructor(deps: TokenVerifierDeps) {
    this.#deps = deps;
    this.#verified = new SharedLru(deps.most ?? 10_000);
  }

  /**
   * The caller of a request with this Authorization header. `beforeWork` runs before a token that is not known yet is
   * read, and may refuse it. Throws an HttpError.
   */
  async verify(authorization: string | undefined, beforeWork: () => void = () => undefined): Promise<Caller> {
    const [, token] = /^Bearer ([\w.-]+)$/i.exec(authorization?.slice(0, longestToken + 8) ?? '') ?? [];
    if (token === undefined || token.length > longestToken) {
      throw new HttpError('token_missing', 'Send the header Authorization: Bearer <token of Microsoft Entra ID>');
    }
    const key = createHash('sha256').update(token).digest('base64');
    const verified = this.#verified.get(key);
    if (verified && verified.expiresOn + skewSeconds * 1000 > this.#deps.clock.now()) return verified;
    beforeWork();
    const caller = await this.#verify(token);
    this.#verified.set(key, caller, caller.objectId);
    return caller;
  }

  async #verify(token: string): Promise<Caller> {
    const keyId = keyIdOf(token);
    // Before the request for keys, which a token of another service is not worth.
    this.#checkAddress(token);
    const { keys, clock, audiences, issuers } = this.#deps;
    const unavailable = keys.problem();
    if (unavailable !== undefined) {
      throw new HttpError('keys_unavailable', 'The keys of Microsoft Entra ID are not there yet', { retryAfter: 10 });
    }
    const key = await keys.tryKey(keyId);
    if (!key) throw new HttpError('token_key_unknown', 'No key of the tenant has the key id of the token');
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['RS256'],
        audience: [...audiences],
        issuer: [...issuers],
        clockTolerance: skewSeconds,
        currentDate: new Date(clock.now()),
        requiredClaims: ['exp', 'aud', 'iss', 'tid', 'oid'],
      });
      return callerOf(payload);
    } catch (error) {
      throw error instanceof HttpError ? error : httpErrorOf(error);
    }
  }

  /** Checks issuer, tenant and audience exactly: no list of audiences, no other tenant. */
  #checkAddress(token: string): void {
    const { aud, iss, tid } = decodeJwt(token) as JWTPayload & { tid?: unknown };
    const { tenantId, audiences, issuers } = this.#deps;
    if (typeof iss !== 'string' || !issuers.includes(iss))
      throw new HttpError('token_issuer', 'The token is not from the tenant that is configured');
    if (typeof tid !== 'string' || tid.toLowerCase() !== tenantId)
      throw new HttpError('token_tenant', 'The token is of another tenant');
    if (typeof aud !== 'string' || !audiences.includes(aud))
      throw new HttpError(
        'token_audience',
        'The token is for another audience: ask for one with the audience of this service',
      );
  }
}

function keyIdOf(token: string): string {
  let header: { alg?: unknown; kid?: unknown };
  try {
    header = decodeProtectedHeader(token);
    decodeJwt(token);
  } catch {
    throw new HttpError('token_malformed', 'The token is no JWT');
  }
  if (header.alg !== 'RS256') throw new HttpError('token_algorithm', 'The token is not signed with RS256');
  if (typeof header.kid !== 'string' || header.kid === '')
    throw new HttpError('token_malformed', 'The header of the token has no kid');
  return header.kid;
}

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * `idtyp` is `app` in tokens of managed identities. Where it is absent, the token of an application has its own object id
 * as subject and no `scp`, as Microsoft documents.
 */
function callerOf(claims: JWTPayload & Readonly<Record<string, unknown>>): Caller {
  const { oid, sub, idtyp, scp, appid, azp, exp } = claims;
  const objectId = typeof oid === 'string' ? oid.toLowerCase() : '';
  if (!guid.test(objectId)) throw new HttpError('token_claims', 'The token has no object id');
  const isApp = idtyp === undefined ? scp === undefined && sub === oid : idtyp === 'app';
  if (!isApp)
    throw new HttpError('token_user', 'The token is of a user: only applications and managed identities may ask');
  const client = appid ?? azp;
  return {
    objectId,
    clientId: typeof client === 'string' && guid.test(client) ? client : '',
    expiresOn: (exp as number) * 1000,
  };
}

const byClaim: Readonly<Record<string, RefusalReason>> = {
  aud: 'token_audience',
  iss: 'token_issuer',
  tid: 'token_tenant',
  nbf: 'token_not_yet_valid',
};

function httpErrorOf(error: unknown): HttpError {
  if (error instanceof errors.JWTExpired) return new HttpError('token_expired', 'The token has expired');
  if (error instanceof errors.JWTClaimValidationFailed) {
    const reason = byClaim[error.claim] ?? 'token_claims';
    return new HttpError(reason, `The claim ${error.claim} of the token is missing or not accepted`);
  }
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return new HttpError('token_signature', 'The signature of the token is wrong');
  return new HttpError('token_malformed', 'The token is malformed');
}
