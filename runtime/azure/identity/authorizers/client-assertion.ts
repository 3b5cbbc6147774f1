import { createHash, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { CertificateBundle } from '../../certificates/certificate-bundle.ts';

/** Entra takes assertions of up to ten minutes; the start is set back for clocks that run ahead. */
const LIFETIME_S = 600;
const SKEW_S = 60;

/**
 * A client assertion (RFC 7523 section 3) signed with RS256. The header names the certificate by both thumbprints
 * (`x5t`, `x5t#S256`) and carries the chain (`x5c`), so that a registration by subject name and issuer works too.
 * `now` is in milliseconds since the epoch.
 */
export async function clientAssertion(
  bundle: CertificateBundle,
  clientId: string,
  audience: string,
  now: number,
): Promise<string> {
  const der = (bundle.chain[0] as CertificateBundle['chain'][number]).raw;
  const thumbprint = (algorithm: string) => createHash(algorithm).update(der).digest('base64url');
  const from = Math.floor(now / 1000) - SKEW_S;
  return await new SignJWT()
    .setProtectedHeader({
      alg: 'RS256',
      typ: 'JWT',
      x5t: thumbprint('sha1'),
      'x5t#S256': thumbprint('sha256'),
      x5c: bundle.chain.map((certificate) => certificate.raw.toString('base64')),
    })
    .setAudience(audience)
    .setIssuer(clientId)
    .setSubject(clientId)
    .setJti(randomUUID())
    .setNotBefore(from)
    .setIssuedAt(from)
    .setExpirationTime(from + LIFETIME_S)
    .sign(bundle.privateKey);
}
