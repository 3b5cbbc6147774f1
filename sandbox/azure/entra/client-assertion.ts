import { createHash, createPublicKey, type JsonWebKey, X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { claimsFit, parseClaimsExpression } from '../../../runtime/api/workload-identity.ts';
import { createDispatcher, type Dispatcher } from '../../../runtime/base/http/client.ts';
import { type Json, stringOf } from '../json.ts';
import type { FederatedCredential, SandboxState } from '../state.ts';
import type { Principal } from './directory.ts';
import type { EntraErrorNumber } from './entra-errors.ts';
import { type DecodedJwt, signatureFits, tryDecodeJwt } from './tokens.ts';

/** Why an assertion is refused, with its AADSTS number. */
export interface AssertionProblem {
  readonly number: EntraErrorNumber;
  readonly message: string;
}

/** Microsoft Entra ID tolerates clocks that differ by five minutes. */
const skewSeconds = 300;

/** Verifies the JWTs that stand in for a client secret: signed by a registered certificate, or by a federated issuer. */
export class ClientAssertions {
  readonly #state: SandboxState;
  readonly #now: () => number;
  readonly #issuerCas: string[];
  readonly #keys = new Map<string, { fetchedAt: number; keys: JsonWebKey[] }>();
  #dispatcher: Dispatcher | undefined;

  constructor(state: SandboxState, now: () => number, issuerCas: readonly string[]) {
    this.#state = state;
    this.#now = now;
    this.#issuerCas = [...issuerCas];
  }

  /** Trusts one more certificate authority when keys of a federated issuer are fetched (PEM). */
  trustIssuerCa(pem: string): void {
    this.#issuerCas.push(pem);
    const old = this.#dispatcher;
    this.#dispatcher = undefined;
    void old?.close();
  }

  async close(): Promise<void> {
    await this.#dispatcher?.close();
  }

  /** How the client authenticated, or why not. `audiences` are the URLs of the token endpoint. */
  async verify(
    assertion: string,
    principal: Principal,
    audiences: readonly string[],
  ): Promise<'certificate' | 'federated' | AssertionProblem> {
    const jwt = tryDecodeJwt(assertion);
    if (!jwt) return { number: 50027, message: 'JWT token is invalid or malformed.' };
    return jwt.claims['iss'] === principal.clientId
      ? this.#byCertificate(jwt, principal, audiences)
      : this.#byFederation(jwt, principal);
  }

  async #byCertificate(
    jwt: DecodedJwt,
    principal: Principal,
    audiences: readonly string[],
  ): Promise<'certificate' | AssertionProblem> {
    const { header, claims } = jwt;
    const invalid = (reason: string) => ({
      number: 700027 as const,
      message: `The certificate with identifier used to sign the client assertion is not registered on application. [Reason - ${reason}]`,
    });
    const certificate = (principal.app?.certificates ?? []).find((pem) => {
      const { raw } = new X509Certificate(pem);
      const sha256 = createHash('sha256').update(raw).digest();
      const sha1 = createHash('sha1').update(raw).digest();
      return (
        header['x5t#S256'] === sha256.toString('base64url') ||
        header['x5t'] === sha1.toString('base64url') ||
        stringOf(header['kid']).toUpperCase() === sha1.toString('hex').toUpperCase()
      );
    });
    if (!certificate) return invalid('The key was not found.');
    if (!(await signatureFits(jwt, new X509Certificate(certificate).publicKey)))
      return invalid('The signature does not fit the certificate.');
    const { validTo } = new X509Certificate(certificate);
    if (Date.parse(validTo) <= this.#now()) {
      return {
        number: 700027,
        message: `The certificate with identifier used to sign the client assertion is expired on application. [Reason - The key used is expired., Found key 'Start=${new X509Certificate(certificate).validFrom}, End=${validTo}']`,
      };
    }
    const time = this.#outsideValidity(claims);
    if (time) return time;
    if (claims['sub'] !== principal.clientId) return invalid('The subject is not the client id.');
    const named = [claims['aud']].flat().map(String);
    if (!named.some((audience) => audiences.includes(audience))) {
      return invalid(`The audience is not this endpoint: expected one of ${audiences.join(', ')}.`);
    }
    const tokenId = stringOf(claims['jti']);
    if (tokenId) {
      const now = this.#now() / 1000;
      const used = this.#state.usedAssertions;
      for (const [id, expiry] of Object.entries(used)) if (expiry + skewSeconds < now) delete used[id];
      const key = `${principal.clientId}/${tokenId}`;
      if (used[key] !== undefined) return invalid('The assertion with this jti was used before.');
      used[key] = Number(claims['exp']);
    }
    return 'certificate';
  }

  async #byFederation(jwt: DecodedJwt, principal: Principal): Promise<'federated' | AssertionProblem> {
    const { claims } = jwt;
    const issuer = stringOf(claims['iss']);
    const subject = stringOf(claims['sub']);
    const audiences = [claims['aud']].flat().map(String);
    const noMatch = 'No matching federated identity record found for presented assertion';
    if (principal.federated.length === 0) {
      return {
        number: 70021,
        message: `${noMatch}. Assertion Issuer: '${issuer}'. Assertion Subject: '${subject}'. Assertion Audience: '${audiences}'.`,
      };
    }
    const sameIssuer = principal.federated.filter((credential) => credential.issuer === issuer);
    if (sameIssuer.length === 0) return { number: 700211, message: `${noMatch} issuer '${issuer}'.` };
    const sameSubject = sameIssuer.filter((credential) => trusts(credential, claims));
    if (sameSubject.length === 0) return { number: 700213, message: `${noMatch} subject '${subject}'.` };
    if (!sameSubject.some((credential) => credential.audiences.some((audience) => audiences.includes(audience)))) {
      return { number: 700212, message: `${noMatch} audience '${audiences}'.` };
    }
    const time = this.#outsideValidity(claims);
    if (time) return time;
    const problem = await this.#signatureProblem(jwt, issuer);
    return problem ? { number: 50027, message: `JWT token is invalid or malformed: ${problem}` } : 'federated';
  }

  #outsideValidity(claims: Json): AssertionProblem | undefined {
    const now = this.#now() / 1000;
    const expiry = Number(claims['exp']);
    const begin = Number(claims['nbf'] ?? claims['iat'] ?? 0);
    if (Number.isFinite(expiry) && expiry + skewSeconds > now && begin - skewSeconds < now) return undefined;
    const iso = (seconds: number) => (Number.isFinite(seconds) ? new Date(seconds * 1000).toISOString() : 'none');
    return {
      number: 700024,
      message: `Client assertion is not within its valid time range. Current time: ${iso(now)}, assertion valid from ${iso(begin)}, expiry time of assertion ${iso(expiry)}.`,
    };
  }

  async #signatureProblem(jwt: DecodedJwt, issuer: string): Promise<string | undefined> {
    for (const refetch of [false, true]) {
      let keys: JsonWebKey[];
      try {
        keys = await this.#issuerKeys(issuer, refetch);
      } catch (error) {
        return `the keys of issuer ${issuer} cannot be fetched (${error instanceof Error ? error.message : error})`;
      }
      const kid = jwt.header['kid'];
      for (const jwk of keys) {
        if (kid !== undefined && (jwk as Json)['kid'] !== kid) continue;
        if (await signatureFits(jwt, createPublicKey({ key: jwk, format: 'jwk' }))) return undefined;
      }
    }
    return 'no key of the issuer fits the signature';
  }

  /** OpenID discovery, then the key set; kept for five minutes unless a key was missing. */
  async #issuerKeys(issuer: string, refetch: boolean): Promise<JsonWebKey[]> {
    const known = this.#keys.get(issuer);
    if (known && !refetch && this.#now() - known.fetchedAt < 300_000) return known.keys;
    const discovery = (await this.#getJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)) as Json;
    if (discovery['issuer'] !== issuer)
      throw new Error(`its discovery document names issuer ${String(discovery['issuer'])}`);
    const { keys } = (await this.#getJson(stringOf(discovery['jwks_uri']))) as { keys: JsonWebKey[] };
    this.#keys.set(issuer, { fetchedAt: this.#now(), keys });
    return keys;
  }

  async #getJson(url: string): Promise<unknown> {
    if (!url.startsWith('https://')) throw new Error(`${url} is not an https URL`);
    this.#dispatcher ??= createDispatcher({ ca: [...rootCertificates, ...this.#issuerCas], proxy: 'none' });
    const { origin, pathname, search } = new URL(url);
    const { statusCode, body } = await this.#dispatcher.request({ origin, path: `${pathname}${search}` });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
    return JSON.parse(text);
  }
}

function trusts({ subject, claimsMatchingExpression }: FederatedCredential, claims: Json): boolean {
  const comparisons = claimsMatchingExpression && parseClaimsExpression(claimsMatchingExpression.value);
  return subject === undefined && comparisons ? claimsFit(comparisons, claims) : subject === claims['sub'];
}
