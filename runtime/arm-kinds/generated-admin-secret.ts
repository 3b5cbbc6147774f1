import { AzimuthError } from '../base/errors.ts';
import { ownership } from '../kube/client/owner-references.ts';
import type { KubeObject } from '../kube/client/types.ts';
import type { Input } from './inputs.ts';

/** Keys of the Secret with generated credentials that mean something here; v1 had the first two. */
export const adminKeys = {
  userName: 'username',
  /** The password that Azure has. */
  password: 'password',
  /** The one that is being set in its place; absent while none is. */
  pending: 'pendingPassword',
} as const;

/** Annotation of that Secret: fingerprint of the last request for a new password that was begun. */
export const adminRotation = 'azimuth.dev/credentials-rotation';

export type AdminInput = Extract<Input, { type: 'credentials' }>;

/** The write before anything can be sent: of all missing members, or of a new password beside the old one. */
export type AdminTask = 'generate' | 'renew';

/** Generated credentials as the Secret has them. */
export interface AdminCredentials {
  readonly input: AdminInput;
  /** The Secret; undefined if there is none. */
  readonly secret: KubeObject | undefined;
  readonly userName: string | undefined;
  readonly password: string | undefined;
  readonly pending: string | undefined;
  readonly rotation: string | undefined;
  readonly task: AdminTask | undefined;
}

/** Reads the credentials. Throws AZ_CONFLICT_OWNED for a Secret of somebody else, whose password is none of ours. */
export function adminCredentials(
  input: AdminInput,
  object: KubeObject,
  secret: KubeObject | undefined,
): AdminCredentials {
  const owned = secret && ownership(secret, object);
  if (secret && !owned?.mine && !owned?.inherited) {
    throw new AzimuthError(
      'AZ_CONFLICT_OWNED',
      `Secret ${input.name} exists and does not belong to this ${object.kind}: it is left as it is, and no credentials are taken from it. Delete it or choose another name`,
    );
  }
  const data = (secret?.['data'] ?? {}) as Record<string, string | undefined>;
  const text = (key: string) => {
    const value = data[key];
    return value === undefined || value === '' ? undefined : Buffer.from(value, 'base64').toString('utf8');
  };
  const stored = {
    userName: text(adminKeys.userName),
    password: text(adminKeys.password),
    pending: text(adminKeys.pending),
    rotation: secret?.metadata.annotations?.[adminRotation],
  };
  const complete = owned?.mine && stored.userName && stored.password;
  const isRequested = input.request !== undefined && input.request !== stored.rotation;
  // A password that may be on its way into Azure is seen through before there is another one.
  const task = !complete ? 'generate' : isRequested && stored.pending === undefined ? 'renew' : undefined;
  return { input, secret, ...stored, task };
}

/** The password to send: the pending one, once it is stored. */
export function passwordToSend({ password, pending }: AdminCredentials): string {
  return pending ?? password ?? '';
}
