import { AuthError } from '../../azure/identity/entra-errors.ts';
import type { AccessToken } from '../../azure/types.ts';
import { unlessAborted } from '../../base/abort.ts';
import { type BackoffOptions, backoff } from '../../base/backoff.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import { SharedCache } from '../../base/shared-cache.ts';
import type { Pod } from '../objects.ts';
import { type CredentialDefinition, type CredentialSources, defineCredential } from './credential-definition.ts';
import type { IdentityUse } from './pod-identities.ts';

/** The result of a credential rotation. */
export interface Rotation {
  readonly use: IdentityUse;
  readonly outcome: 'accepted' | 'refused';
  /** Entra's error, or that of reading the credential; has no secrets. */
  readonly error?: unknown;
}

/** Cache and retries of the token service. */
export interface TokenServiceOptions extends CredentialSources {
  /** @default systemClock */
  readonly clock?: Clock;
  /** How long the cache serves a token, milliseconds; 0 = never. @default 300000 */
  readonly cacheMs?: number;
  /** Most cached tokens. @default 2000 */
  readonly maxCached?: number;
  readonly onRotation?: (rotation: Rotation) => void;
  readonly onCache?: (result: 'hit' | 'miss') => void;
  /** Delays between two attempts with a credential that Entra refused. @default {initialMs: 1000, maxMs: 15000} */
  readonly refusedBackoff?: BackoffOptions;
}

type RequestToken = ReturnType<CredentialDefinition['open']>;

/** Tokens for one identity. */
export interface Issued {
  /** One for each tenant, the primary first. */
  readonly tokens: readonly AccessToken[];
  /** Until when the same request gets the same answer, milliseconds since the epoch; 0 = not at all. */
  readonly reusableUntil: number;
}

interface CredentialVersion {
  readonly version: string;
  readonly requestToken: RequestToken;
}

/** The version of a principal's credential that Entra accepted last, and the state of a newer one that it refused. */
interface Rotating {
  accepted: CredentialVersion | undefined;
  refused:
    | { readonly version: string; readonly tries: number; readonly nextTry: number; readonly error: unknown }
    | undefined;
}

/** The service requests a new token this long before the old one ends. */
const freshMs = 5 * 60_000;
const requestMs = 110_000;
const maxPrincipals = 2000;
const shortRetries = 2;
/**
 * Most requests in progress for one pod. They continue when callers hang up, and each invented resource is one of its
 * own.
 */
const maxInProgress = 12;

/**
 * Requests tokens of identities; callers that wait for the same token share one request. The service uses a changed
 * credential as soon as Entra accepts it, and until then the previous one of the same principal.
 */
export class TokenService {
  readonly #options: TokenServiceOptions;
  readonly #clock: Clock;
  readonly #tokens: SharedCache<AccessToken>;
  readonly #rotating = new Map<string, Rotating>();
  readonly #requesters = new Map<string, RequestToken>();
  /** Count of requests to Entra and IMDS in progress, by the uid of the pod that began them. */
  readonly #inProgress = new Map<string, number>();

  constructor(options: TokenServiceOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const { cacheMs = 5 * 60_000, maxCached = 2000 } = options;
    this.#tokens = new SharedCache({ clock: this.#clock, ttlMs: cacheMs, maxEntries: maxCached });
  }

  /** One token for each tenant, the primary first. Throws the errors of Entra, IMDS or the credential's source. */
  async issue(use: IdentityUse, pod: Pod, resource: string, signal: AbortSignal): Promise<Issued> {
    const id = idOf(use);
    let definition: CredentialDefinition;
    try {
      const found = defineCredential(use.spec, use.identity.metadata.namespace ?? '', pod, this.#options);
      definition =
        typeof found === 'function' ? found(await unlessAborted(this.#options.secrets.read(use.spec), signal)) : found;
    } catch (error) {
      if (signal.aborted) throw error;
      this.#tokens.drop(`${id} `);
      throw error;
    }
    const rotating = this.#rotatingOf(id, definition);
    const current: CredentialVersion = { version: definition.version, requestToken: this.#requesterOf(id, definition) };
    const previous =
      definition.rotates && rotating.accepted?.version !== current.version ? rotating.accepted : undefined;
    const { refused } = rotating;
    if (refused?.version === current.version && this.#clock.now() < refused.nextTry) {
      if (!previous) throw refused.error;
      try {
        return once(await this.#request(id, definition, previous, pod, resource, signal));
      } catch (error) {
        if (signal.aborted || !isCredentialFault(error)) throw error;
        // Entra revoked it: its successor may be valid now, so try it without the pause.
        this.#forgetPrevious(id, rotating, previous);
      }
    }
    try {
      const tokens = await this.#request(id, definition, current, pod, resource, signal);
      this.#accept(id, use, rotating, current);
      return { tokens, reusableUntil: this.#reusableUntil(id, use, definition, resource) };
    } catch (error) {
      if (signal.aborted) throw error;
      const atFault = isCredentialFault(error);
      if (atFault) this.#refuse(use, rotating, current, previous, error);
      if (!previous || rotating.accepted !== previous || !(atFault || isTransient(error))) throw error;
      const tokens = this.#request(id, definition, previous, pod, resource, signal);
      return tokens.then(once, (fault: unknown) => {
        if (isCredentialFault(fault) && !signal.aborted) this.#forgetPrevious(id, rotating, previous);
        throw fault;
      });
    }
  }

  /** Entra refuses the previous credential: drop it and its tokens. */
  #forgetPrevious(id: string, rotating: Rotating, previous: CredentialVersion): void {
    this.#tokens.drop(`${id} ${previous.version} `);
    if (rotating.accepted === previous) rotating.accepted = undefined;
  }

  #reusableUntil(id: string, use: IdentityUse, definition: CredentialDefinition, resource: string): number {
    const { version, subject, tenants, rotates } = definition;
    if (tenants.length > 1) return 0;
    const cached = this.#tokens.keptUntil(tokenKey(id, version, subject, undefined, resource)) ?? 0;
    return rotates ? Math.min(cached, this.#options.secrets.usedUntil(use.spec)) : cached;
  }

  async #request(
    id: string,
    definition: CredentialDefinition,
    version: CredentialVersion,
    pod: Pod,
    resource: string,
    signal: AbortSignal,
  ): Promise<AccessToken[]> {
    return Promise.all(
      definition.tenants.map(async (tenant) => {
        const key = tokenKey(id, version.version, definition.subject, tenant, resource);
        const known = this.#tokens.peek(key);
        this.#options.onCache?.(known ? 'hit' : 'miss');
        if (known) return known;
        const load = () =>
          this.#bounded(pod, () => this.#withRetries((limit) => version.requestToken(resource, tenant, pod, limit)));
        return unlessAborted(
          this.#tokens.get(key, load, ({ expiresOn }) => expiresOn - freshMs),
          signal,
        );
      }),
    );
  }

  async #bounded<T>({ metadata: { uid = '' } }: Pod, request: () => Promise<T>): Promise<T> {
    const count = this.#inProgress.get(uid) ?? 0;
    if (count >= maxInProgress) {
      throw new AzimuthError('AZ_AUTH_UNREACHABLE', 'too many requests of the pod are waiting for tokens', {
        retryAfterMs: 1000,
      });
    }
    this.#inProgress.set(uid, count + 1);
    try {
      return await request();
    } finally {
      const left = (this.#inProgress.get(uid) ?? 1) - 1;
      if (left > 0) this.#inProgress.set(uid, left);
      else this.#inProgress.delete(uid);
    }
  }

  /** Retries transient errors for about two seconds; the IMDS client has its own retries before. */
  async #withRetries(request: (limit: AbortSignal) => Promise<AccessToken>): Promise<AccessToken> {
    const limit = AbortSignal.timeout(requestMs);
    for (let attempt = 0; ; attempt++) {
      try {
        return await request(limit);
      } catch (error) {
        const retryAfterMs = error instanceof AzimuthError ? error.retryAfterMs : undefined;
        const delayMs = retryAfterMs || backoff(attempt, { initialMs: 250 });
        if (attempt >= shortRetries || !isTransient(error) || delayMs > 2000) throw error;
        await this.#clock.sleep(delayMs, limit);
      }
    }
  }

  #requesterOf(id: string, definition: CredentialDefinition): RequestToken {
    const key = `${id} ${definition.version} ${definition.subject}`;
    const requestToken = this.#requesters.get(key) ?? definition.open();
    touch(this.#requesters, key, requestToken);
    return requestToken;
  }

  #rotatingOf(id: string, definition: CredentialDefinition): Rotating {
    const key = rotatingKeyOf(id, definition);
    const rotating = this.#rotating.get(key) ?? { accepted: undefined, refused: undefined };
    touch(this.#rotating, key, rotating);
    return rotating;
  }

  #accept(id: string, use: IdentityUse, rotating: Rotating, version: CredentialVersion): void {
    const before = rotating.accepted;
    if (before?.version === version.version) return;
    rotating.accepted = version;
    rotating.refused = undefined;
    if (!before) return;
    this.#tokens.drop(`${id} ${before.version} `);
    this.#options.onRotation?.({ use, outcome: 'accepted' });
  }

  #refuse(
    use: IdentityUse,
    rotating: Rotating,
    version: CredentialVersion,
    previous: CredentialVersion | undefined,
    error: unknown,
  ): void {
    const same = rotating.refused?.version === version.version ? rotating.refused : undefined;
    const tries = same?.tries ?? 0;
    const delay = backoff(tries, { initialMs: 1000, maxMs: 15_000, ...this.#options.refusedBackoff });
    rotating.refused = { version: version.version, tries: tries + 1, nextTry: this.#clock.now() + delay, error };
    if (previous && !same) this.#options.onRotation?.({ use, outcome: 'refused', error });
  }
}

function idOf({ identity: { metadata } }: IdentityUse): string {
  return `${metadata.uid}/${metadata.namespace}/${metadata.name}`;
}

function rotatingKeyOf(id: string, { principal, subject }: CredentialDefinition): string {
  return `${id} ${principal} ${subject}`;
}

function tokenKey(id: string, version: string, subject: string, tenant: string | undefined, resource: string): string {
  return `${id} ${version} ${JSON.stringify([subject, tenant, resource])}`;
}

/** Tokens of a credential that is being replaced: the handler decides each request again. */
function once(tokens: readonly AccessToken[]): Issued {
  return { tokens, reusableUntil: 0 };
}

/** Whether the credential itself is at fault, regardless of the resource: Entra refused it, or it is malformed. */
function isCredentialFault(error: unknown): boolean {
  if (error instanceof AuthError)
    return ['invalid_client', 'unauthorized_client'].includes(error.facts.oauthError ?? '');
  return error instanceof AzimuthError && error.code === 'AZ_CONFIG_INVALID';
}

/** Whether the same request may succeed a little later: no answer, or one with Retry-After. */
export function isTransient(error: unknown): boolean {
  return error instanceof AzimuthError && error.code === 'AZ_AUTH_UNREACHABLE';
}

/** Moves the entry to the end of the map and drops the oldest ones beyond the limit. */
function touch<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= maxPrincipals) break;
    map.delete(oldest);
  }
}
