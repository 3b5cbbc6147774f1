import type { ClientAuth, Credential, TextSource } from './connection.ts';

/** A client certificate with its key; both or none. */
export interface CertificateFiles {
  readonly cert?: TextSource;
  readonly key?: TextSource;
}

/** A bearer token from a text that may change. */
export function bearerToken(token: TextSource): Credential {
  return {
    current: async () => ({ authorization: `Bearer ${token.read()}` }),
    refused: () => token.refresh(),
  };
}

/** An Authorization header that never changes. */
export function fixedCredential(authorization: string): Credential {
  return { current: async () => ({ authorization }), refused: () => undefined };
}

/** Adds a client certificate to a credential that brings none of its own. */
export function withCertificate(credential: Credential, { cert, key }: CertificateFiles): Credential {
  if (!cert || !key) return credential;
  return {
    current: async () => ({ cert: cert.read(), key: key.read(), ...(await credential.current()) }),
    refused: (auth) => {
      credential.refused(auth);
      cert.refresh();
      key.refresh();
    },
  };
}

/** The Authorization header of a user name and password (RFC 7617). */
export function basicAuthorization(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}

/** Whether two client authentications are the same, so that trying again with the second is pointless. */
export function sameAuth(a: ClientAuth, b: ClientAuth): boolean {
  return a.authorization === b.authorization && a.cert === b.cert && a.key === b.key;
}
