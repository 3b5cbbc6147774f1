import { createHash, randomUUID, sign } from 'node:crypto';
import type { CertificateBundle } from '../certificates/certificate-bundle.ts';

/** AAD takes assertions of up to ten minutes; the start is set back for clocks that run ahead. */
const LIFETIME_S = 600;
const SKEW_S = 60;

/**
 * A client assertion (RFC 7523 section 3) signed with RS256. The header names the certificate by both thumbprints
 * (`x5t`, `x5t#S256`) and carries the chain (`x5c`), so that a registration by subject name and issuer works too.
 */
export function clientAssertion(bundle: CertificateBundle, clientId: string, audience: string, now: number): string {
  const der = (bundle.chain[0] as CertificateBundle['chain'][number]).raw;
  const thumbprint = (algorithm: string) => createHash(algorithm).update(der).digest('base64url');
  const header = {
    alg: 'RS256',
    typ: 'JWT',
    x5t: thumbprint('sha1'),
    'x5t#S256': thumbprint('sha256'),
    x5c: bundle.chain.map((certificate) => certificate.raw.toString('base64')),
  };
  const seconds = Math.floor(now / 1000);
  const claims = {
    aud: audience,
    iss: clientId,
    sub: clientId,
    jti: randomUUID(),
    nbf: seconds - SKEW_S,
    iat: seconds - SKEW_S,
    exp: seconds - SKEW_S + LIFETIME_S,
  };
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${sign('sha256', Buffer.from(input), bundle.privateKey).toString('base64url')}`;
}
