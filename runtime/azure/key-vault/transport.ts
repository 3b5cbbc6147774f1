import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '../../base/clock.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import type { Dispatcher } from '../../base/http/client.ts';
import { retryAfterOf } from '../../base/http/retry-after.ts';
import { isObject } from '../../base/json.ts';
import { type HttpAnswer, httpCall } from '../http-call.ts';
import type { AccessToken, Authorizer, CloudEnvironment } from '../types.ts';
import { type Challenge, parseChallenge, verifyChallenge } from './challenge.ts';
import { KeyVaultError, type VaultAction } from './error.ts';

/** HTTP methods of the Key Vault data plane. */
export type VaultMethod = 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';

/** Options of the requests to one vault. */
export interface VaultTransportOptions {
  readonly url: URL;
  readonly cloud: CloudEnvironment;
  readonly authorizer: Authorizer;
  readonly dispatcher: Dispatcher;
  readonly clock?: Clock;
  /** Off only for emulators on a bare host name. @default true */
  readonly verifyChallengeResource?: boolean;
  /**
   * Skips the unauthenticated request and asks for a token to the cloud's vaults in this tenant; a vault that wants another
   * one is heard all the same. Saves a round trip where a process makes few requests to a vault named by its cloud.
   */
  readonly presumeTenant?: string;
  /** Lets the GETs of this object share a token; each request with a change still gets its own. @default false */
  readonly shareReadTokens?: boolean;
  /** Asked in the last moment before a request that changes something; throws when it may not go out. @default none */
  readonly mayWrite?: () => void;
  /** x-ms-client-request-id of every request, which a vault's own log shows. @default a new one for each */
  readonly correlationId?: string;
  /** Called for every request with the status of its answer; 0 where no answer came. */
  readonly onRequest?: (method: VaultMethod, status: number) => void;
  /** Sees the headers of every answer, such as x-ms-keyvault-region. */
  readonly onAnswer?: (headers: Readonly<Record<string, string>>) => void;
}

type Json = Readonly<Record<string, unknown>>;

/** An answer of a vault. */
export interface VaultAnswer {
  readonly body: Json;
  /** Characters of the body as it came. */
  readonly length: number;
  /** How long it asks to wait; undefined where it does not. */
  readonly retryAfterMs: number | undefined;
}

/** Requests to one vault with challenge authentication: a token of its own for each, after one unauthenticated request. */
export class VaultTransport {
  readonly #options: VaultTransportOptions;
  readonly #clock: Clock;
  #challenge: Challenge | undefined;
  #readToken: { readonly for: Challenge; readonly token: AccessToken } | undefined;

  constructor(options: VaultTransportOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    if (options.presumeTenant !== undefined) {
      this.#challenge = { ...this.#defaultChallenge(), tenantId: options.presumeTenant };
    }
  }

  /** The answer of a 2xx; throws KeyVaultError, in whose text the `hidden` values never occur. */
  async send(
    action: VaultAction,
    method: VaultMethod,
    url: URL,
    body: object | undefined,
    signal?: AbortSignal,
    hidden: readonly string[] = [],
  ): Promise<VaultAnswer> {
    const { hostname } = this.#options.url;
    const foreign = () =>
      new AzimuthError('AZ_KEYVAULT_UNREACHABLE', `What answered at ${hostname} is not Key Vault: it sent no JSON`);
    // The 404 of a gateway does not say that an object is absent.
    const refused = (answer: HttpAnswer) =>
      answer.status === 404 && !isObject(answer.body)
        ? foreign()
        : new KeyVaultError(
            this.#options.url.hostname,
            action,
            {
              ...answer,
              requestId: answer.headers['x-ms-request-id'],
              retryAfterMs: retryAfterOf(answer.headers, this.#clock.now()),
            },
            hidden,
          );
    if (!this.#challenge) {
      // Without a body on purpose: nothing secret leaves before the vault has proved to be in its domain.
      const asked = await this.#http('GET', url, undefined, undefined, signal);
      if (asked.status !== 401 && asked.status >= 400) throw refused(asked);
      this.#challenge = this.#challengeOf(asked) ?? this.#defaultChallenge();
    }
    let answer = await this.#http(method, url, body, await this.#token(method, signal), signal);
    const renewed = answer.status === 401 ? this.#challengeOf(answer) : undefined;
    if (
      renewed &&
      (renewed.claims || renewed.audience !== this.#challenge.audience || renewed.tenantId !== this.#challenge.tenantId)
    ) {
      this.#challenge = renewed;
      answer = await this.#http(method, url, body, await this.#token(method, signal), signal);
      this.#challenge = { ...renewed, claims: undefined };
    }
    if (answer.status >= 300) throw refused(answer);
    const empty = answer.text === '' && method !== 'GET';
    if (!empty && !isObject(answer.body)) throw foreign();
    const retryAfterMs = retryAfterOf(answer.headers, this.#clock.now());
    return { body: (answer.body ?? {}) as Json, length: answer.text.length, retryAfterMs };
  }

  #challengeOf(answer: HttpAnswer): Challenge | undefined {
    const challenge = parseChallenge(answer.headers['www-authenticate']);
    if (challenge && this.#options.verifyChallengeResource !== false) verifyChallenge(challenge, this.#options.url);
    return challenge;
  }

  #defaultChallenge(): Challenge {
    return { audience: this.#options.cloud.keyVaultAudience, tenantId: undefined, claims: undefined };
  }

  async #token(method: VaultMethod, signal?: AbortSignal): Promise<string> {
    const challenge = this.#challenge ?? this.#defaultChallenge();
    const { audience, tenantId, claims } = challenge;
    const shared = method === 'GET' && this.#options.shareReadTokens ? this.#readToken : undefined;
    if (shared?.for === challenge && shared.token.expiresOn > this.#clock.now() + 60_000) return shared.token.token;
    const token = await this.#options.authorizer.getToken({
      audience,
      correlationId: this.#options.correlationId,
      ...(tenantId === undefined ? {} : { tenantId }),
      ...(claims === undefined ? {} : { claims }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (method === 'GET') this.#readToken = { for: challenge, token };
    return token.token;
  }

  async #http(
    method: VaultMethod,
    url: URL,
    body: object | undefined,
    token: string | undefined,
    signal?: AbortSignal,
  ): Promise<HttpAnswer> {
    if (method !== 'GET') this.#options.mayWrite?.();
    let answer: HttpAnswer;
    try {
      answer = await httpCall(this.#options.dispatcher, {
        method,
        url: url.href,
        headers: {
          accept: 'application/json',
          'user-agent': 'azimuth/0.1',
          'x-ms-client-request-id': this.#options.correlationId ?? randomUUID(),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (cause) {
      if (signal?.aborted) throw cause;
      this.#options.onRequest?.(method, 0);
      throw new AzimuthError(
        'AZ_KEYVAULT_UNREACHABLE',
        `Key Vault ${this.#options.url.hostname} did not answer: ${messageOf(cause)}`,
        { cause },
      );
    }
    this.#options.onRequest?.(method, answer.status);
    this.#options.onAnswer?.(answer.headers);
    return answer;
  }
}
