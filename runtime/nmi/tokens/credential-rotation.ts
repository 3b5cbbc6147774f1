import { LRUCache } from 'lru-cache';
import { refusesCredential } from '../../azure/identity/entra-errors.ts';
import { backoff } from '../../base/backoff.ts';
import type { Clock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import { ByNamespace } from '../by-namespace.ts';
import type { CredentialDefinition } from './credential-definition.ts';
import type { IdentityUse } from './pod-identities.ts';

/** The result of a credential rotation. */
export interface Rotation {
  readonly use: IdentityUse;
  readonly outcome: 'accepted' | 'refused';
  /** Entra's error, or that of reading the credential; has no secrets. */
  readonly error?: unknown;
}

/** How rotations are reported, and the pauses between attempts. */
export interface RotationOptions {
  readonly clock: Clock;
  readonly onRotation: (rotation: Rotation) => void;
}

/** Requests tokens with one version of a credential. */
export type AcquireToken = ReturnType<CredentialDefinition['open']>;

/** One version of a credential, such as one content of a Secret. */
export interface CredentialVersion {
  readonly version: string;
  readonly requestToken: AcquireToken;
}

interface Refusal {
  readonly version: string;
  readonly tries: number;
  /** When Entra refused the version first since it last accepted it, milliseconds since the epoch. */
  readonly since: number;
  /** Milliseconds since the epoch. */
  readonly nextTry: number;
  readonly error: unknown;
}

/** Pauses between two attempts with a credential that Entra refused, which all its requests share. */
const pauses = {
  /** A replica may know the credential a moment later. */
  mayPass: { initialMs: 250, maxMs: 15_000 },
  permanent: { initialMs: 1000, maxMs: 15_000 },
} as const;
/** For how long after the first refusal requests wait for a credential that may pass, milliseconds. */
const waitForMs = 8000;
/** For how long after it answers ask callers to retry. */
const retryableForMs = 60_000;

/**
 * AZ_AUTH_UNREACHABLE: Entra refuses the credential, perhaps because it was changed moments ago. `cause` is its refusal.
 */
export class RefusedForNow extends AzimuthError {
  constructor(cause: Error, retryAfterMs: number) {
    super('AZ_AUTH_UNREACHABLE', cause.message, { cause, retryAfterMs });
  }
}

/** Most credentials of one namespace. */
const maxCredentials = 500;

/** A principal's credential: the version that Entra accepted last, and the refusal of a newer one. */
export class RotatingCredential {
  readonly #options: RotationOptions;
  #accepted: CredentialVersion | undefined;
  #refused: Refusal | undefined;

  constructor(options: RotationOptions) {
    this.#options = options;
  }

  /** The version that Entra accepted last; undefined where there is none. */
  get accepted(): CredentialVersion | undefined {
    return this.#accepted;
  }

  /** The refusal of this version whose pause has not ended; undefined where the version may be tried. */
  pausedBy({ version }: CredentialVersion): { readonly error: unknown } | undefined {
    const refused = this.#refused;
    return refused?.version === version && this.#options.clock.now() < refused.nextTry ? refused : undefined;
  }

  /**
   * Milliseconds until a refused version may be tried again; undefined where requests do not wait for that: the refusal
   * is permanent or lasts too long.
   */
  pauseMs({ version }: CredentialVersion): number | undefined {
    const refused = this.#refused;
    if (refused?.version !== version || !mayPass(refused.error)) return undefined;
    const now = this.#options.clock.now();
    const left = refused.since + waitForMs - now;
    return left > 0 ? Math.min(left, Math.max(1, refused.nextTry - now)) : undefined;
  }

  /** The error for callers: one that asks them to retry while the refusal of the version may pass. */
  errorFor({ version }: CredentialVersion, error: unknown): unknown {
    const refused = this.#refused;
    const now = this.#options.clock.now();
    const recent = refused?.version === version && now < refused.since + retryableForMs;
    return recent && mayPass(error) ? new RefusedForNow(error, refused.nextTry - now) : error;
  }

  /** Records that Entra accepted the version. Returns the one that it replaces. */
  accept(use: IdentityUse, version: CredentialVersion): CredentialVersion | undefined {
    const before = this.#accepted;
    if (this.#refused?.version === version.version) this.#refused = undefined;
    if (before?.version === version.version) return undefined;
    this.#accepted = version;
    this.#refused = undefined;
    if (before) this.#options.onRotation({ use, outcome: 'accepted' });
    return before;
  }

  /** Records that Entra refused the version. Reports the first refusal of a version that replaces another one. */
  refuse(use: IdentityUse, current: CredentialVersion, replaces: boolean, error: unknown): void {
    const { version } = current;
    // Requests that were sent together are one attempt.
    if (this.pausedBy(current)) return;
    const { clock, onRotation } = this.#options;
    const same = this.#refused?.version === version ? this.#refused : undefined;
    const now = clock.now();
    const tries = same?.tries ?? 0;
    const nextTry = now + backoff(tries, mayPass(error) ? pauses.mayPass : pauses.permanent);
    this.#refused = { version, tries: tries + 1, since: same?.since ?? now, nextTry, error };
    if (replaces && !same) onRotation({ use, outcome: 'refused', error });
  }

  /** Forgets the accepted version, because Entra refuses it now. */
  withdraw(version: CredentialVersion): void {
    if (this.#accepted === version) this.#accepted = undefined;
  }
}

/** The credentials of all identities in use, by the namespace of the identity. */
export class Credentials {
  readonly #rotating: ByNamespace<LRUCache<string, RotatingCredential>>;
  readonly #opened = new ByNamespace(() => new LRUCache<string, CredentialVersion>({ max: maxCredentials }));
  readonly #options: RotationOptions;

  constructor(options: RotationOptions) {
    this.#options = options;
    this.#rotating = new ByNamespace(() => new LRUCache<string, RotatingCredential>({ max: maxCredentials }));
  }

  /** The credential of the principal that the definition names. */
  rotating(use: IdentityUse, { principal, subject }: CredentialDefinition): RotatingCredential {
    const credentials = this.#rotating.of(use.identity.metadata.namespace);
    const key = `${identityKey(use)} ${principal} ${subject}`;
    const credential = credentials.get(key) ?? new RotatingCredential(this.#options);
    credentials.set(key, credential);
    return credential;
  }

  /** The current version; opened once. */
  current(use: IdentityUse, { version, subject, open }: CredentialDefinition): CredentialVersion {
    const opened = this.#opened.of(use.identity.metadata.namespace);
    const key = `${identityKey(use)} ${version} ${subject}`;
    const current = opened.get(key) ?? { version, requestToken: open() };
    opened.set(key, current);
    return current;
  }
}

function mayPass(error: unknown): error is Error {
  return refusesCredential(error) && error.mayPass;
}

/** Identifies an AzureIdentity object: another one of the same name has another key. */
export function identityKey({ identity: { metadata } }: IdentityUse): string {
  return `${metadata.uid}/${metadata.namespace}/${metadata.name}`;
}

/** Whether the credential itself is at fault, regardless of the resource: Entra refused it, or it is malformed. */
export function isCredentialFault(error: unknown): boolean {
  if (refusesCredential(error)) return true;
  return error instanceof AzimuthError && error.code === 'AZ_CONFIG_INVALID';
}
