import { webcrypto, X509Certificate } from 'node:crypto';
import {
  type AltName,
  Certificate,
  CertificateChainValidationEngine,
  ContentInfo,
  CryptoEngine,
  SignedData,
} from 'pkijs';
import { chainOf } from '../../base/x509/chain.ts';
import { HttpError } from '../protocol/http-error.ts';
import { hasElementsUpTo } from './asn1-size.ts';

/** A document whose PKCS#7 signature holds; the signer is not verified yet. */
export interface SignedDocument {
  readonly content: Buffer;
  readonly signer: X509Certificate;
  /** Certificates that came with it, in no order. */
  readonly others: readonly X509Certificate[];
}

const crypto = new CryptoEngine({ crypto: webcrypto as unknown as typeof globalThis.crypto, name: 'node' });
/** Documents have 3 to 6 KB. */
const longest = 24 * 1024;
const mostCertificates = 8;
/** A certificate has about 150. */
const mostElements = 2000;
const data = '1.2.840.113549.1.7.1';
/** Extension with the names of a certificate, and the tag of a DNS name in it (RFC 5280 4.2.1.6). */
const subjectAltName = '2.5.29.17';
const dnsName = 2;
const signedData = '1.2.840.113549.1.7.2';
const digests: ReadonlySet<string> = new Set([
  '2.16.840.1.101.3.4.2.1',
  '2.16.840.1.101.3.4.2.2',
  '2.16.840.1.101.3.4.2.3',
]);

const invalid = (why: string) => new HttpError('attestation_invalid', `The attested document is not valid: ${why}`);

/** Reads a PKCS#7 signature (Base64 of DER) and verifies it by the certificate in it. Throws an HttpError. */
export async function readSigned(base64: string): Promise<SignedDocument> {
  if (base64.length > longest || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw invalid('it is no Base64 of this size');
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
  if (!hasElementsUpTo(mostElements, bytes)) throw invalid('it has too many elements');
  try {
    const outer = ContentInfo.fromBER(bytes);
    if (outer.contentType !== signedData) throw invalid('it is no signed data');
    const signed = new SignedData({ schema: outer.content });
    const [info, further] = signed.signerInfos;
    const certificates = (signed.certificates ?? []).filter((each) => each instanceof Certificate);
    if (!info || further) throw invalid('it has not exactly one signer');
    if (certificates.length > mostCertificates) throw invalid('it has too many certificates');
    // Another type of content, such as a time stamp, would set the date of the checks.
    if (signed.encapContentInfo.eContentType !== data || !signed.encapContentInfo.eContent)
      throw invalid('it has no content');
    if (!digests.has(info.digestAlgorithm.algorithmId)) throw invalid('its digest is not of SHA-2');
    const result = await signed.verify({ signer: 0, checkChain: false, extendedMode: true }, crypto);
    if (result.signatureVerified !== true || !result.signerCertificate) throw invalid('the signature is wrong');
    const [signer, ...others] = [result.signerCertificate, ...certificates].map(nodeCertificate);
    return {
      content: Buffer.from(signed.encapContentInfo.eContent.getValue()),
      signer: signer as X509Certificate,
      others,
    };
  } catch (error) {
    throw error instanceof HttpError ? error : invalid('it cannot be read, or the signature is wrong');
  }
}

/**
 * Verifies the chain from the signer to one of the roots: signatures, dates at `now`, and that issuers are authorities.
 * Returns why it does not hold, and undefined where it does.
 */
export async function chainProblem(
  signer: X509Certificate,
  others: readonly X509Certificate[],
  roots: readonly X509Certificate[],
  now: number,
): Promise<string | undefined> {
  const chain = chainOf(signer, [...others, ...roots]);
  const root = chain.find((each) => roots.some(({ fingerprint256 }) => fingerprint256 === each.fingerprint256));
  if (!root) return 'its certificates lead to no trusted root';
  if (root === signer) return 'a root has signed it itself';
  const path = chain.slice(1, chain.indexOf(root)).reverse();
  const engine = new CertificateChainValidationEngine({
    certs: [...path, signer].map(pkiCertificate),
    trustedCerts: [pkiCertificate(root)],
    checkDate: new Date(now),
  });
  const { result, resultMessage } = await engine.verify({ passedWhenNotRevValues: true }, crypto);
  return result ? undefined : `its certificates do not hold: ${resultMessage.slice(0, 200)}`;
}

/**
 * The DNS names of a certificate, lower case. Read from the extension itself: in the text that Node.js makes of it, an
 * address of mail or a URI can look like a further DNS name.
 */
export function dnsNamesOf(certificate: X509Certificate): string[] {
  const extension = pkiCertificate(certificate).extensions?.find(({ extnID }) => extnID === subjectAltName);
  const names = (extension?.parsedValue as AltName | undefined)?.altNames ?? [];
  return names.filter(({ type }) => type === dnsName).map(({ value }) => String(value).toLowerCase());
}

function nodeCertificate(certificate: Certificate): X509Certificate {
  return new X509Certificate(Buffer.from(certificate.toSchema(true).toBER()));
}

function pkiCertificate({ raw }: X509Certificate): Certificate {
  return Certificate.fromBER(Uint8Array.from(raw));
}
