import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { KubeConnection } from '../../kube/config/connection.ts';
import { fixedCredential } from '../../kube/config/credentials.ts';

/** Decides by the bearer token of a request which connection to the API server it may use. */
export interface Access {
  /** Tells a reader without a known token which one is needed. */
  readonly hint: string;
  /** The connection; undefined for a token that is not known, or that cannot be one. */
  connectionFor(token: string): KubeConnection | undefined;
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Identity of a reader: a hash of the token, so that the token itself is in no table. */
export const readerOf = (token: string) => digest(token).toString('base64url');

/** The caller's own connection, for requests with the token that this process made. */
export function localAccess(connection: KubeConnection): Access & { readonly token: string } {
  const token = randomBytes(32).toString('base64url');
  const known = digest(token);
  return {
    token,
    hint: 'Open the address that `azimuth ui` printed: its last part is the token.',
    connectionFor: (sent) => (timingSafeEqual(known, digest(sent)) ? connection : undefined),
  };
}

/**
 * For each reader a connection with the reader's own token, and with nothing else: the API server decides its
 * rights. `server` has no credential.
 */
export function readersAccess(server: Omit<KubeConnection, 'credential'>): Access {
  return {
    hint: 'Sign in with a token of yours for the Kubernetes API.',
    connectionFor: (token) => ({ ...server, credential: fixedCredential(`Bearer ${token}`) }),
  };
}
