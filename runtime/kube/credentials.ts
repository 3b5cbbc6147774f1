import type { Credential, Proof, TextSource } from './connection.ts';

/** A bearer token from a text that may change, with an optional client certificate. */
export function bearerToken(token: TextSource, certificate: { cert?: TextSource; key?: TextSource } = {}): Credential {
  return {
    current: async () => ({ authorization: `Bearer ${token.read()}`, ...readPair(certificate) }),
    refused: () => {
      token.refresh();
      certificate.cert?.refresh();
      certificate.key?.refresh();
    },
  };
}

/** A client certificate, a fixed Authorization header, or both. */
export function fixedCredential(
  authorization: string | undefined,
  certificate: { cert?: TextSource; key?: TextSource } = {},
): Credential {
  return {
    current: async () => ({ ...(authorization === undefined ? {} : { authorization }), ...readPair(certificate) }),
    refused: () => {
      certificate.cert?.refresh();
      certificate.key?.refresh();
    },
  };
}

/** The Authorization header of a user name and password (RFC 7617). */
export function basicAuthorization(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}

/** Whether two proofs are the same, so that trying again with the second is pointless. */
export function sameProof(a: Proof, b: Proof): boolean {
  return a.authorization === b.authorization && a.cert === b.cert && a.key === b.key;
}

function readPair({ cert, key }: { cert?: TextSource; key?: TextSource }): Pick<Proof, 'cert' | 'key'> {
  return cert && key ? { cert: cert.read(), key: key.read() } : {};
}
