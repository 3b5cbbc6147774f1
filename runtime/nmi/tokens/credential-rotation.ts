import { LRUCache } from 'lru-cache';
import { AuthError } from '../../azure/identity/entra-errors.ts';
import { type BackoffOptions, backoff } from '../../base/backoff.ts';
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
  /** Delays between two attempts with a credential that Entra refused. @default {initialMs: 1000, maxMs: 15000} */
  readonly refusedBackoff?: BackoffOptions;
}

/** Requests tokens with one version of a credential. */
export type RequestToken = ReturnType<CredentialDefinition['open']>;

/** One version of a credential, such as one content of a Secret. */
export interface CredentialVersion {
  readonly version: string;
  readonly requestToken: RequestToken;
}

interface Refusal {
  readonly version: string;
  readonly tries: number;
  /** Milliseconds since the epoch. */
  readonly nextTry: number;
  readonly error: unknown;
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

  /** Records that Entra accepted the version. Returns the one that it replaces. */
  accept(use: IdentityUse, version: CredentialVersion): CredentialVersion | undefined {
    const before = this.#accepted;
    if (before?.version === version.version) return undefined;
    this.#accepted = version;
    this.#refused = undefined;
    if (before) this.#options.onRotation({ use, outcome: 'accepted' });
    return before;
  }

  /** Records that Entra refused the version. Reports the first refusal of a version that replaces another one. */
  refuse(use: IdentityUse, { version }: CredentialVersion, replaces: boolean, error: unknown): void {
    const { clock, onRotation, refusedBackoff } = this.#options;
    const same = this.#refused?.version === version ? this.#refused : undefined;
    const tries = same?.tries ?? 0;
    const pauseMs = backoff(tries, { initialMs: 1000, maxMs: 15_000, ...refusedBackoff });
    this.#refused = { version, tries: tries + 1, nextTry: clock.now() + pauseMs, error };
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

/** Identifies an AzureIdentity object: another one of the same name has another key. */
export function identityKey({ identity: { metadata } }: IdentityUse): string {
  return `${metadata.uid}/${metadata.namespace}/${metadata.name}`;
}

/** Whether the credential itself is at fault, regardless of the resource: Entra refused it, or it is malformed. */
export function isCredentialFault(error: unknown): boolean {
  if (error instanceof AuthError)
    return ['invalid_client', 'unauthorized_client'].includes(error.info.oauthError ?? '');
  return error instanceof AzimuthError && error.code === 'AZ_CONFIG_INVALID';
}
