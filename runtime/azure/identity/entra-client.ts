import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '../../base/clock.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import type { Dispatcher } from '../../base/http/client.ts';
import { tenantIdOf } from '../arm/resource-ids.ts';
import { scopeOf } from '../clouds.ts';
import { type HttpAnswer, httpCall } from '../http-call.ts';
import type { AccessToken, CloudEnvironment, TokenParameters } from '../types.ts';
import type { CertificateExpiry } from './certificate-expiry.ts';
import { authFailure, TOKEN_ANSWER_BYTES } from './entra-errors.ts';

/** Dependencies of every request to Microsoft Entra ID. */
export interface EntraDeps {
  readonly cloud: CloudEnvironment;
  readonly dispatcher: Dispatcher;
  /** @default systemClock */
  readonly clock?: Clock;
  /** Gets the expiry of each certificate that signs for a token. @default none */
  readonly certificates?: Pick<CertificateExpiry, 'used'>;
}

/** The members of the token request's form that authenticate the client. */
export type ClientProof =
  | { readonly client_secret: string }
  | {
      readonly client_assertion: string;
      readonly client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
    };

/** The client that asks for a token. */
export interface ClientCredential {
  readonly tenantId: string;
  readonly clientId: string;
  /** For messages; see Authorizer.description. */
  readonly description: string;
}

/** The v2 token endpoint of a tenant, which is also the audience of client assertions. Tenants are GUIDs or domains. */
export function tokenEndpoint(cloud: CloudEnvironment, tenantId: string): string {
  return `${cloud.authorityHost}/${tenantIdOf(tenantId)}/oauth2/v2.0/token`;
}

/** One client credentials grant (RFC 6749 4.4, RFC 7523 for assertions): exactly one POST, never cached. */
export async function requestToken(
  deps: EntraDeps,
  credential: ClientCredential,
  request: TokenParameters,
  proof: ClientProof,
): Promise<AccessToken> {
  const { cloud, dispatcher, clock = systemClock } = deps;
  const form = new URLSearchParams({
    client_id: credential.clientId,
    scope: scopeOf(request.audience),
    grant_type: 'client_credentials',
    ...proof,
    ...(request.claims ? { claims: request.claims } : {}),
  });
  const started = clock.now();
  let answer: HttpAnswer;
  try {
    answer = await httpCall(dispatcher, {
      method: 'POST',
      url: tokenEndpoint(cloud, request.tenantId ?? credential.tenantId),
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        'client-request-id': request.correlationId ?? randomUUID(),
        'return-client-request-id': 'true',
      },
      body: form.toString(),
      maxBytes: TOKEN_ANSWER_BYTES,
      signal: request.signal,
    });
  } catch (cause) {
    if (request.signal?.aborted || cause instanceof AzimuthError) throw cause;
    throw new AzimuthError(
      'AZ_AUTH_UNREACHABLE',
      `Microsoft Entra ID at ${cloud.authorityHost} did not answer the ${credential.description}: ${messageOf(cause)}`,
      { cause },
    );
  }
  const token = answer.status === 200 ? tokenOf(answer.body, started) : undefined;
  if (token) return token;
  const secrets = 'client_secret' in proof ? [proof.client_secret] : [proof.client_assertion];
  throw authFailure('Microsoft Entra ID', credential.description, answer, clock.now(), secrets);
}

/**
 * Reads `access_token` with `expires_on` (Unix seconds or a date; v1 and IMDS send strings) or `expires_in` (seconds
 * from `started`). Undefined when either is missing.
 */
export function tokenOf(body: unknown, started: number): AccessToken | undefined {
  const { access_token: token, expires_on: on, expires_in: lifetime } = (body ?? {}) as Record<string, unknown>;
  if (typeof token !== 'string' || token === '') return undefined;
  const expiresOn =
    instant(on) ?? (Number.isFinite(Number(lifetime ?? Number.NaN)) ? started + Number(lifetime) * 1000 : undefined);
  return expiresOn === undefined ? undefined : { token, expiresOn };
}

function instant(value: unknown): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return seconds * 1000;
  const date = Date.parse(String(value));
  return Number.isNaN(date) ? undefined : date;
}
