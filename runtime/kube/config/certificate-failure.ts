import { X509Certificate } from 'node:crypto';
import { pemBlocks } from '../../base/x509/pem.ts';
import type { KubeConnection } from './connection.ts';

/** Most certificates that a message names. */
const mostNamed = 3;
/** Most characters of the names of a server's certificate. */
const mostOfNames = 300;

const otherAuthority =
  'take the certificate-authority of this cluster; a proxy that ends TLS needs its own authority there';

/** What to do, by the code of Node for a certificate that it refused. */
const remedies: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'renew the certificate of the server, or set the clock of this machine',
  CERT_NOT_YET_VALID: 'set the clock of this machine or of the server',
  CERT_SIGNATURE_FAILURE: otherAuthority,
  DEPTH_ZERO_SELF_SIGNED_CERT: otherAuthority,
  ERR_TLS_CERT_ALTNAME_INVALID: 'use a name of the certificate in server, or set tls-server-name to one',
  SELF_SIGNED_CERT_IN_CHAIN: otherAuthority,
  UNABLE_TO_GET_ISSUER_CERT: otherAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: otherAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: otherAuthority,
};

/** What Node tells of a certificate that it refused. */
interface Refusal {
  readonly code?: string;
  /** Of a certificate for another name only. */
  readonly cert?: { readonly subjectaltname?: string };
}

/** The certificates at fault and what to do, when the error refuses the server's certificate; otherwise ''. */
export function certificateFailureText(error: unknown, { ca, source }: KubeConnection): string {
  const refusal = refusalOf(error);
  if (refusal === undefined) return '';
  const names = refusal.cert?.subjectaltname?.slice(0, mostOfNames);
  const trusted = ca === undefined ? 'the built-in roots and NODE_EXTRA_CA_CERTS' : namesOf(ca.read());
  const certificates = names === undefined ? `trusted by ${source}: ${trusted}` : `the certificate is for ${names}`;
  return `; ${certificates}; ${remedies[refusal.code ?? '']}`;
}

function refusalOf(error: unknown): Refusal | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const refusal = error as Refusal & { readonly cause?: unknown; readonly errors?: readonly unknown[] };
  if (Object.hasOwn(remedies, refusal.code ?? '')) return refusal;
  const inner = [refusal.cause, ...(refusal.errors ?? [])];
  return inner.map(refusalOf).find((one) => one !== undefined);
}

/** Subject and end of the first certificates of a bundle. */
function namesOf(pem: string): string {
  const names = [...pemBlocks(pem)].flatMap(({ label, block }) => {
    if (label !== 'CERTIFICATE') return [];
    try {
      const { subject, validTo } = new X509Certificate(block);
      return [`${subject.replaceAll('\n', ', ')} (until ${validTo})`];
    } catch {
      return [];
    }
  });
  const more = names.length > mostNamed ? `, and ${names.length - mostNamed} more` : '';
  return names.slice(0, mostNamed).join(', ') + more;
}
