import { identityType } from '../../api/pod-identity/azure-identity.ts';
import type { AccessToken } from '../../azure/types.ts';
import { unlessAborted } from '../../base/abort.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { SharedCache } from '../../base/shared-cache.ts';
import { ByNamespace } from '../by-namespace.ts';
import type { Pod } from '../objects.ts';
import { jwtClaims } from '../protocol/token-body.ts';
import { type CredentialDefinition, type CredentialSources, defineCredential } from './credential-definition.ts';
import {
  Credentials,
  type CredentialVersion,
  identityKey,
  isCredentialFault,
  type RotatingCredential,
  type RotationOptions,
} from './credential-rotation.ts';
import type { IdentityUse } from './pod-identities.ts';
import { isTransient, TokenRequests } from './token-requests.ts';

/** Cache and rotations of the token service. */
export interface TokenServiceDeps extends CredentialSources, Partial<RotationOptions> {
  /** @default systemClock */
  readonly clock?: Clock;
  /** How long the cache serves a token, milliseconds; 0 = never. @default 300000 */
  readonly cacheMs?: number;
  /** Most cached tokens of the identities of one namespace. @default 1000 */
  readonly maxCached?: number;
  readonly onCache?: (result: 'hit' | 'miss') => void;
}

/** Tokens for one identity. */
export interface Issued {
  /** One for each tenant, the primary first. */
  readonly tokens: readonly AccessToken[];
  /** Until when the same request gets the same answer, milliseconds since the epoch; 0 = not at all. */
  readonly reusableUntil: number;
}

/** One request for the tokens of an identity. */
interface TokenCall {
  readonly use: IdentityUse;
  readonly definition: CredentialDefinition;
  readonly pod: Pod;
  readonly resource: string;
  readonly signal: AbortSignal;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** While a request waits for another credential, its Secret is read this often, milliseconds. */
const rereadMs = 1000;
/** The service requests a new token this long before the old one ends. */
const freshMs = 5 * 60_000;

/**
 * Requests tokens of identities; callers that wait for the same token share one request. The service uses a changed
 * credential as soon as Entra accepts it, and until then the previous one of the same principal.
 */
export class TokenService {
  readonly #deps: TokenServiceDeps;
  /** By the namespace of the identity. */
  readonly #cached: ByNamespace<SharedCache<AccessToken>>;
  readonly #credentials: Credentials;
  readonly #requests: TokenRequests;
  readonly #clock: Clock;

  constructor(deps: TokenServiceDeps) {
    this.#deps = deps;
    const { clock = systemClock, cacheMs = 5 * 60_000, maxCached = 1000 } = deps;
    this.#cached = new ByNamespace(() => new SharedCache({ clock, ttlMs: cacheMs, maxEntries: maxCached }));
    const { onRotation = () => undefined } = deps;
    this.#credentials = new Credentials({ clock, onRotation });
    this.#requests = new TokenRequests(clock);
    this.#clock = clock;
  }

  /**
   * One token for each tenant, the primary first. Where Entra refuses the credential, reads its Secret again, and waits a
   * few seconds for a change of the Secret or of Entra. Throws the errors of Entra, IMDS or the credential's source.
   */
  async issue(use: IdentityUse, pod: Pod, resource: string, signal: AbortSignal): Promise<Issued> {
    let failed: { readonly version: string; readonly error: unknown } | undefined;
    for (;;) {
      const definition = await this.#define(use, pod, signal);
      const call: TokenCall = { use, definition, pod, resource, signal };
      const credential = this.#credentials.rotating(use, definition);
      const current = this.#credentials.current(use, definition);
      if (failed?.version === current.version) {
        const waitMs = credential.pauseMs(current);
        if (waitMs === undefined) throw credential.errorFor(current, failed.error);
        await this.#clock.sleep(definition.rotates ? Math.min(waitMs, rereadMs) : waitMs, signal);
      }
      try {
        return await this.#tryIssue(call, credential, current);
      } catch (error) {
        if (signal.aborted || !isCredentialFault(error)) throw error;
        failed = { version: current.version, error };
      }
      if (definition.rotates) this.#deps.secrets.expire(use.spec);
    }
  }

  /** The tenant of the identity: its spec's, or where that is no id, the one in a token of it. Throws as `issue`. */
  async tenantOf(use: IdentityUse, pod: Pod, signal: AbortSignal): Promise<string | undefined> {
    const { type = identityType.userAssigned, tenantID } = use.spec;
    if (type !== identityType.userAssigned && uuid.test(tenantID ?? '')) return tenantID;
    const { tokens } = await this.issue(use, pod, this.#deps.entra.cloud.resourceManagerAudience, signal);
    const tenant = jwtClaims(tokens[0]?.token ?? '')['tid'];
    return typeof tenant === 'string' ? tenant : tenantID;
  }

  /** Tries the current version of the credential, and the one before it as long as Entra has not accepted the current. */
  async #tryIssue(call: TokenCall, credential: RotatingCredential, current: CredentialVersion): Promise<Issued> {
    const { use, definition, signal } = call;
    const { accepted } = credential;
    const previous = definition.rotates && accepted?.version !== current.version ? accepted : undefined;
    const paused = credential.pausedBy(current);
    if (paused) {
      if (!previous) throw paused.error;
      try {
        return notReusable(await this.#tokens(call, previous));
      } catch (error) {
        if (signal.aborted || !isCredentialFault(error)) throw error;
        // Entra revoked it: its successor may be valid now, so try it without the pause.
        this.#withdraw(use, credential, previous);
      }
    }
    try {
      const tokens = await this.#tokens(call, current);
      const replaced = credential.accept(use, current);
      if (replaced) this.#drop(use, replaced);
      return { tokens, reusableUntil: this.#reusableUntil(call) };
    } catch (error) {
      if (signal.aborted) throw error;
      const atFault = isCredentialFault(error);
      if (atFault) credential.refuse(use, current, previous !== undefined, error);
      if (!previous || credential.accepted !== previous || !(atFault || isTransient(error))) throw error;
      return this.#tokens(call, previous).then(notReusable, (fault: unknown) => {
        if (isCredentialFault(fault) && !signal.aborted) this.#withdraw(use, credential, previous);
        throw fault;
      });
    }
  }

  /** How to request tokens of the identity. Drops its cached tokens where the credential cannot be read any more. */
  async #define(use: IdentityUse, pod: Pod, signal: AbortSignal): Promise<CredentialDefinition> {
    try {
      const { namespace = '' } = use.identity.metadata;
      const definition = defineCredential(use.spec, namespace, pod, this.#deps);
      if (typeof definition !== 'function') return definition;
      return definition(await unlessAborted(this.#deps.secrets.read(use.spec, namespace), signal));
    } catch (error) {
      if (!signal.aborted) this.#cacheOf(use).drop(`${identityKey(use)} `);
      throw error;
    }
  }

  async #tokens({ use, definition, pod, resource, signal }: TokenCall, version: CredentialVersion) {
    return Promise.all(
      definition.tenants.map(async (tenant) => {
        const cache = this.#cacheOf(use);
        const key = tokenKey(use, version, definition.subject, tenant, resource);
        const cachedToken = cache.peek(key);
        this.#deps.onCache?.(cachedToken ? 'hit' : 'miss');
        if (cachedToken) return cachedToken;
        const load = () => this.#requests.send(pod, (limit) => version.requestToken(resource, tenant, pod, limit));
        return unlessAborted(
          cache.get(key, load, ({ expiresOn }) => expiresOn - freshMs),
          signal,
        );
      }),
    );
  }

  #reusableUntil({ use, definition, resource }: TokenCall): number {
    const { subject, tenants, rotates } = definition;
    if (tenants.length > 1) return 0;
    const cached = this.#cacheOf(use).keptUntil(tokenKey(use, definition, subject, undefined, resource)) ?? 0;
    return rotates ? Math.min(cached, this.#deps.secrets.usedUntil(use.spec)) : cached;
  }

  #withdraw(use: IdentityUse, credential: RotatingCredential, version: CredentialVersion): void {
    this.#drop(use, version);
    credential.withdraw(version);
  }

  #drop(use: IdentityUse, { version }: CredentialVersion): void {
    this.#cacheOf(use).drop(`${identityKey(use)} ${version} `);
  }

  #cacheOf({ identity }: IdentityUse): SharedCache<AccessToken> {
    return this.#cached.of(identity.metadata.namespace);
  }
}

function tokenKey(
  use: IdentityUse,
  { version }: { readonly version: string },
  subject: string,
  tenant: string | undefined,
  resource: string,
): string {
  return `${identityKey(use)} ${version} ${JSON.stringify([subject, tenant, resource])}`;
}

/** Tokens of a credential that is being replaced: the handler decides each request again. */
function notReusable(tokens: readonly AccessToken[]): Issued {
  return { tokens, reusableUntil: 0 };
}
