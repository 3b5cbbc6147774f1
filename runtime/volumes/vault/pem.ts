import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { chainOf } from '../../base/x509/chain.ts';
import { type PemBlock, pemBlocks } from '../../base/x509/pem.ts';

/** Most PEM blocks. A chain has a few, and ordering them compares each pair. */
const mostBlocks = 100;

/** A private key and its certificates: the key's own first, then its issuers in order, then the rest. */
export interface KeyAndChain {
  readonly privateKey: KeyObject | undefined;
  readonly certificates: readonly X509Certificate[];
}

/** Reads PEM text. Undefined without a certificate and key; throws a plain Error for a malformed one. */
export function tryReadPem(text: string): KeyAndChain | undefined {
  const blocks = boundedPemBlocks(text);
  const key = blocks.find(({ label }) => label.endsWith('PRIVATE KEY'))?.block;
  const certificates = blocks.filter(({ label }) => label === 'CERTIFICATE').map(({ block }) => block);
  if (key === undefined && certificates.length === 0) return undefined;
  return keyAndChain(key, certificates);
}

/** The PEM blocks of a text. Throws a plain Error for more than `mostBlocks`. */
function boundedPemBlocks(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  for (const block of pemBlocks(text)) {
    blocks.push(block);
    if (blocks.length > mostBlocks) throw new Error(`it has more than ${mostBlocks} PEM blocks`);
  }
  return blocks;
}

/**
 * Reads a PKCS#12 file without a password: AES with SHA-2, 3DES and RC2-40 with SHA-1, RSA and EC keys. Throws a plain
 * Error with the reader's reason.
 */
export async function readPkcs12(content: Buffer): Promise<KeyAndChain> {
  // Loaded on demand: loading takes longer than the rest of a mount, and most mounts do not need it.
  const { pkcs12ToPem } = await import('../../azure/certificates/pkcs12.ts');
  const { privateKey, certificates } = await pkcs12ToPem(content, '');
  return keyAndChain(privateKey, certificates);
}

function keyAndChain(keyPem: string | undefined, certificatePems: readonly string[]): KeyAndChain {
  if (certificatePems.length > mostBlocks) throw new Error(`it has more than ${mostBlocks} certificates`);
  const privateKey = keyPem === undefined ? undefined : createPrivateKey(keyPem);
  const all = certificatePems.map((pem) => new X509Certificate(pem));
  const leaf = privateKey ? all.find((certificate) => certificate.checkPrivateKey(privateKey)) : all[0];
  if (privateKey && all.length > 0 && !leaf) throw new Error('none of its certificates belongs to its private key');
  return { privateKey, certificates: leaf ? ordered(leaf, all) : [] };
}

/** The chain first, because most servers read the file from its top; vaults keep imported files in any order. */
function ordered(leaf: X509Certificate, all: readonly X509Certificate[]): X509Certificate[] {
  const chain = chainOf(leaf, all);
  return [...chain, ...all.filter((certificate) => !chain.includes(certificate))];
}

/** PEM of the certificates in their order. */
export function certificatesPem(certificates: readonly X509Certificate[]): string {
  return certificates.map((certificate) => certificate.toString()).join('');
}

/** The key as unencrypted PKCS#8 in PEM. */
export function privateKeyPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
