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

/** A rotation that ended one way or the other. */
export interface Rotation {
  readonly use: IdentityUse;
  readonly outcome: 'accepted' | 'refused';
  /** Of AAD, or of reading the credential; free of secrets. */
  readonly error?: unknown;
}

export interface TokenServiceOptions extends CredentialSources {
  /** @default systemClock */
  readonly clock?: Clock;
  /** How long a token is given out again, milliseconds; 0 = never. @default 300000 */
  readonly cacheMs?: number;
  /** @default 2000 */
  readonly maxCached?: number;
  readonly onRotation?: (rotation: Rotation) => void;
  readonly onCache?: (result: 'hit' | 'miss') => void;
  /** Delays between two tries of a credential that AAD refused. @default {initialMs: 1000, maxMs: 15000} */
  readonly refusedBackoff?: BackoffOptions;
}

type Ask = ReturnType<CredentialDefinition['open']>;

/** Tokens for one identity. */
export interface Issued {
  /** One for each tenant, the primary first. */
  readonly tokens: readonly AccessToken[];
  /** Until when the same request gets the same answer without another look, milliseconds since the epoch; 0 = not at all. */
  readonly reusableUntil: number;
}

interface Slot {
  readonly version: string;
  readonly ask: Ask;
}

/** Which version of a principal's credential AAD took last, and how a newer one fares. */
interface Rotating {
  accepted: Slot | undefined;
  refused:
    | { readonly version: string; readonly tries: number; readonly nextTry: number; readonly error: unknown }
    | undefined;
}

/** A token this close to its end is asked for anew. */
const freshMs = 5 * 60_000;
const requestMs = 110_000;
const maxPrincipals = 2000;
const shortRetries = 2;
/** Requests under way for one pod. They go on when callers hang up, and each made-up resource is a request of its own. */
const maxUnderWay = 12;

/**
 * Gets tokens for identities. Those who wait for the same token share one request. A changed credential is used as soon
 * as AAD accepts it; until then the previous one serves, if it is for the same principal.
 */
export class TokenService {
  readonly #options: TokenServiceOptions;
  readonly #clock: Clock;
  readonly #tokens: SharedCache<AccessToken>;
  readonly #rotating = new Map<string, Rotating>();
  readonly #open = new Map<string, Ask>();
  /** Requests to AAD and IMDS by the uid of the pod that began them. */
  readonly #underWay = new Map<string, number>();

  constructor(options: TokenServiceOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const { cacheMs = 5 * 60_000, maxCached = 2000 } = options;
    this.#tokens = new SharedCache({ clock: this.#clock, ttlMs: cacheMs, maxEntries: maxCached });
  }

  /** One token for each tenant, the primary first. Throws what AAD, IMDS or the credential's source say. */
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
    const current: Slot = { version: definition.version, ask: this.#asker(id, definition) };
    const previous =
      definition.rotates && rotating.accepted?.version !== current.version ? rotating.accepted : undefined;
    const { refused } = rotating;
    if (refused?.version === current.version && this.#clock.now() < refused.nextTry) {
      if (!previous) throw refused.error;
      try {
        return once(await this.#ask(id, definition, previous, pod, resource, signal));
      } catch (error) {
        if (signal.aborted || !isCredentialFault(error)) throw error;
        // It was revoked: its successor may have become valid with that, and is tried now instead of after the pause.
        this.#forgetPrevious(id, rotating, previous);
      }
    }
    try {
      const tokens = await this.#ask(id, definition, current, pod, resource, signal);
      this.#accept(id, use, rotating, current);
      return { tokens, reusableUntil: this.#reusableUntil(id, use, definition, resource) };
    } catch (error) {
      if (signal.aborted) throw error;
      const atFault = isCredentialFault(error);
      if (atFault) this.#refuse(use, rotating, current, previous, error);
      if (!previous || rotating.accepted !== previous || !(atFault || isPassing(error))) throw error;
      const tokens = this.#ask(id, definition, previous, pod, resource, signal);
      return tokens.then(once, (fault: unknown) => {
        if (isCredentialFault(fault) && !signal.aborted) this.#forgetPrevious(id, rotating, previous);
        throw fault;
      });
    }
  }

  /** Entra refuses the credential that served until now: nothing of it is used any more. */
  #forgetPrevious(id: string, rotating: Rotating, previous: Slot): void {
    this.#tokens.drop(`${id} ${previous.version} `);
    if (rotating.accepted === previous) rotating.accepted = undefined;
  }

  #reusableUntil(id: string, use: IdentityUse, definition: CredentialDefinition, resource: string): number {
    const { version, subject, tenants, rotates } = definition;
    if (tenants.length > 1) return 0;
    const cached = this.#tokens.keptUntil(tokenKey(id, version, subject, undefined, resource)) ?? 0;
    return rotates ? Math.min(cached, this.#options.secrets.usedUntil(use.spec)) : cached;
  }

  async #ask(
    id: string,
    definition: CredentialDefinition,
    slot: Slot,
    pod: Pod,
    resource: string,
    signal: AbortSignal,
  ): Promise<AccessToken[]> {
    return Promise.all(
      definition.tenants.map(async (tenant) => {
        const key = tokenKey(id, slot.version, definition.subject, tenant, resource);
        const known = this.#tokens.peek(key);
        this.#options.onCache?.(known ? 'hit' : 'miss');
        if (known) return known;
        const load = () => this.#bounded(pod, () => this.#patiently((limit) => slot.ask(resource, tenant, pod, limit)));
        return unlessAborted(
          this.#tokens.get(key, load, ({ expiresOn }) => expiresOn - freshMs),
          signal,
        );
      }),
    );
  }

  async #bounded<T>({ metadata: { uid = '' } }: Pod, ask: () => Promise<T>): Promise<T> {
    const count = this.#underWay.get(uid) ?? 0;
    if (count >= maxUnderWay) {
      throw new AzimuthError('AZ_AUTH_UNREACHABLE', 'too many requests of the pod are waiting for tokens', {
        retryAfterMs: 1000,
      });
    }
    this.#underWay.set(uid, count + 1);
    try {
      return await ask();
    } finally {
      const left = (this.#underWay.get(uid) ?? 1) - 1;
      if (left > 0) this.#underWay.set(uid, left);
      else this.#underWay.delete(uid);
    }
  }

  /** A fault that passes within a second or two is not worth a refusal; IMDS does its own retries before. */
  async #patiently(ask: (limit: AbortSignal) => Promise<AccessToken>): Promise<AccessToken> {
    const limit = AbortSignal.timeout(requestMs);
    for (let attempt = 0; ; attempt++) {
      try {
        return await ask(limit);
      } catch (error) {
        const asked = error instanceof AzimuthError ? error.retryAfterMs : undefined;
        const delayMs = asked || backoff(attempt, { initialMs: 250 });
        if (attempt >= shortRetries || !isPassing(error) || delayMs > 2000) throw error;
        await this.#clock.sleep(delayMs, limit);
      }
    }
  }

  #asker(id: string, definition: CredentialDefinition): Ask {
    const key = `${id} ${definition.version} ${definition.subject}`;
    const ask = this.#open.get(key) ?? definition.open();
    touch(this.#open, key, ask);
    return ask;
  }

  #rotatingOf(id: string, definition: CredentialDefinition): Rotating {
    const key = rotatingKeyOf(id, definition);
    const rotating = this.#rotating.get(key) ?? { accepted: undefined, refused: undefined };
    touch(this.#rotating, key, rotating);
    return rotating;
  }

  #accept(id: string, use: IdentityUse, rotating: Rotating, slot: Slot): void {
    const before = rotating.accepted;
    if (before?.version === slot.version) return;
    rotating.accepted = slot;
    rotating.refused = undefined;
    if (!before) return;
    this.#tokens.drop(`${id} ${before.version} `);
    this.#options.onRotation?.({ use, outcome: 'accepted' });
  }

  #refuse(use: IdentityUse, rotating: Rotating, slot: Slot, previous: Slot | undefined, error: unknown): void {
    const same = rotating.refused?.version === slot.version ? rotating.refused : undefined;
    const tries = same?.tries ?? 0;
    const delay = backoff(tries, { initialMs: 1000, maxMs: 15_000, ...this.#options.refusedBackoff });
    rotating.refused = { version: slot.version, tries: tries + 1, nextTry: this.#clock.now() + delay, error };
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

/** Tokens of a credential that is being replaced: each request decides anew. */
function once(tokens: readonly AccessToken[]): Issued {
  return { tokens, reusableUntil: 0 };
}

/** Whether the credential itself was not taken, by AAD or by us; what was asked for with it does not matter. */
function isCredentialFault(error: unknown): boolean {
  if (error instanceof AuthError)
    return ['invalid_client', 'unauthorized_client'].includes(error.facts.oauthError ?? '');
  return error instanceof AzimuthError && error.code === 'AZ_CONFIG_INVALID';
}

/** Whether the same request may well succeed a little later. */
export function isPassing(error: unknown): boolean {
  return error instanceof AzimuthError && error.code === 'AZ_AUTH_UNREACHABLE';
}

/** Makes the entry the newest and drops the oldest beyond the bound. */
function touch<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= maxPrincipals) break;
    map.delete(oldest);
  }
}
