import { decodeJwt } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Credential } from '../../../azure/identity/credential.ts';
import type { Authorizer } from '../../../azure/types.ts';
import { unlessAborted } from '../../../base/abort.ts';
import type { Clock } from '../../../base/clock.ts';
import { AzimuthError } from '../../../base/errors.ts';
import { type AllowedTargets, UnexpectedStatus } from '../targets/allowed-targets.ts';
import { pullScope, type RegistryPlace, tryTokenIn } from './registry-tokens.ts';

/** Audience of the Entra token, the same in each cloud. Source: the clients of Azure Container Registry in Azure's SDKs. */
const audience = 'https://containerregistry.azure.net';
const maxBytes = 65_536;
/** Milliseconds for the three requests. */
const exchangeMs = 30_000;
/** Longest time for which reads share a token, milliseconds. */
const shareMs = 300_000;
/** A token that is used again must live at least this long, milliseconds. */
const marginMs = 60_000;
/** Repositories of one credential whose tokens are in memory. */
const maxRepositories = 100;

interface SharedToken {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/**
 * Tokens of Azure Container Registry for one repository: a token of Microsoft Entra ID becomes a refresh token of the
 * registry, and that an access token. Both requests go to the host of the registry, whatever its challenge says. A token is
 * shared for its life, at most five minutes, in memory only; a changed Secret makes another authorizer, and so
 * another token. Source: REST reference of Azure Container Registry, Refresh Tokens
 * and Access Tokens.
 */
export class AcrTokens {
  readonly #targets: Pick<AllowedTargets, 'document'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #tokens = new WeakMap<Authorizer, LRUCache<string, Promise<SharedToken>>>();

  constructor(targets: Pick<AllowedTargets, 'document'>, clock: Pick<Clock, 'now'>) {
    this.#targets = targets;
    this.#clock = clock;
  }

  /** Rejects with AZ_TERMINAL where the registry refuses the credential, and with the failure of a connection. */
  async obtain(place: RegistryPlace, credential: Credential, signal: AbortSignal): Promise<string> {
    const tokens = this.#tokensOf(credential);
    const key = keyOf(place);
    const shared = tokens.get(key);
    const former = shared && (await unlessAborted(shared, signal));
    if (former && former.until > this.#clock.now()) return former.token;
    const exchange = this.#exchange(place, credential);
    tokens.set(key, exchange);
    exchange.catch(() => tokens.delete(key));
    return (await unlessAborted(exchange, signal)).token;
  }

  /** Drops the token of a place, which the registry refused. */
  forget(place: RegistryPlace, credential: Credential): void {
    this.#tokensOf(credential).delete(keyOf(place));
  }

  #tokensOf({ authorizer }: Credential): LRUCache<string, Promise<SharedToken>> {
    const former = this.#tokens.get(authorizer);
    if (former) return former;
    const tokens = new LRUCache<string, Promise<SharedToken>>({ max: maxRepositories });
    this.#tokens.set(authorizer, tokens);
    return tokens;
  }

  async #exchange({ registry, repository }: RegistryPlace, credential: Credential): Promise<SharedToken> {
    const signal = AbortSignal.timeout(exchangeMs);
    const { authorizer, tenantId } = credential;
    const service = registry.host;
    const { token: entraToken } = await authorizer.getToken({ audience, signal });
    const tenant = tenantId === undefined ? {} : { tenant: tenantId };
    const forExchange = { grant_type: 'access_token', service, ...tenant, access_token: entraToken };
    const refresh = await this.#post(registry, 'exchange', forExchange, signal);
    const forToken = { grant_type: 'refresh_token', service, scope: pullScope(repository), refresh_token: refresh };
    const token = await this.#post(registry, 'token', forToken, signal);
    return { token, until: Math.min(this.#clock.now() + shareMs, endOf(token) - marginMs) };
  }

  async #post(
    { host }: URL,
    path: 'exchange' | 'token',
    form: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<string> {
    const url = `https://${host}/oauth2/${path}`;
    const request = { accept: 'application/json', maxBytes, form };
    const text = await this.#targets.document(url, request, signal).catch((error: unknown) => {
      throw error instanceof UnexpectedStatus ? refused(`${url} answers the credential with ${error.status}`) : error;
    });
    const token = tryTokenIn(text, path === 'exchange' ? 'refresh_token' : 'access_token');
    if (token === undefined) throw refused(`${url} answers without a token`);
    return token;
  }
}

const keyOf = ({ registry, repository }: RegistryPlace) => `${registry.host} ${repository}`;

/** When a token ends by its own claim, milliseconds since the epoch; in the past where it has none. */
function endOf(token: string): number {
  try {
    return (decodeJwt(token).exp ?? 0) * 1000;
  } catch {
    return 0;
  }
}

const refused = (message: string) =>
  new AzimuthError(
    'AZ_TERMINAL',
    `${message}: the registry must trust the tenant, and the identity needs the role AcrPull`,
  );
