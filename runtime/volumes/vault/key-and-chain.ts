import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { chainOf } from '../../base/x509/chain.ts';
import { type PemBlock, pemBlocks } from '../../base/x509/pem.ts';

/** Most PEM blocks. A chain has a few, and ordering them compares each pair. */
const mostBlocks = 100;

/** A private key and its certificates in PEM: the key's own first, then its issuers in order, then the rest. */
export interface KeyAndChain {
  /** Unencrypted PKCS#8; undefined where there is no key. */
  readonly privateKey: string | undefined;
  readonly certificates: readonly string[];
}

/** Reads the text of a secret; undefined where it is neither PEM nor PKCS#12. Rejects where it cannot be read. */
export type ReadKeyAndChain = (value: string) => Promise<KeyAndChain | undefined>;

/**
 * Reads PEM, or PKCS#12 in base64, in this process; undefined where it is neither. Throws a plain Error with the reason
 * for malformed content. A tenant writes the content, and OpenSSL may compute for minutes: programs of the cluster read
 * it in a process that they can end (tenant-text-reader.ts).
 */
export const readKeyAndChain: ReadKeyAndChain = async (value) => {
  const parts = tryReadPem(value);
  if (parts) return parts;
  const content = Buffer.from(value, 'base64');
  return isDer(content) ? readPkcs12(content) : undefined;
};

/** Whether the bytes look like DER: certificates, keys and PKCS#12 start with a SEQUENCE. */
export function isDer(content: Buffer): boolean {
  return content.length > 16 && content[0] === 0x30;
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
async function readPkcs12(content: Buffer): Promise<KeyAndChain> {
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
  const chain = leaf ? ordered(leaf, all) : [];
  return { privateKey: privateKey && pkcs8(privateKey), certificates: chain.map((each) => each.toString()) };
}

/** The chain first, because most servers read the file from its top; vaults keep imported files in any order. */
function ordered(leaf: X509Certificate, all: readonly X509Certificate[]): X509Certificate[] {
  const chain = chainOf(leaf, all);
  return [...chain, ...all.filter((certificate) => !chain.includes(certificate))];
}

function pkcs8(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
