import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

/** A private key and the certificates that came with it, the key's own first, then its issuers upwards, then the rest. */
export interface KeyAndChain {
  readonly privateKey: KeyObject | undefined;
  readonly certificates: readonly X509Certificate[];
}

/** Reads PEM text as vaults keep it. Undefined where it holds no certificate and no key; throws where one is broken. */
export function tryReadPem(text: string): KeyAndChain | undefined {
  const blocks = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----[\s\S]+?-----END \1-----/g)];
  const key = blocks.find(([, label]) => label?.endsWith('PRIVATE KEY'))?.[0];
  const certificates = blocks.filter(([, label]) => label === 'CERTIFICATE').map(([block]) => block);
  if (key === undefined && certificates.length === 0) return undefined;
  return keyAndChain(key, certificates);
}

/**
 * Reads a PKCS#12 file of any kind that vaults hold: AES with SHA-2, 3DES and RC2-40 with SHA-1, RSA and EC keys. The
 * password of those is empty. Throws a plain Error with the reader's reason.
 */
export async function readPkcs12(content: Buffer): Promise<KeyAndChain> {
  // Loaded on demand: it takes longer than all else that a mount does, and most mounts have no use for it.
  const { pkcs12ToPem } = await import('../../azure/certificates/pkcs12.ts');
  const { privateKey, certificates } = await pkcs12ToPem(content, '');
  return keyAndChain(privateKey, certificates);
}

function keyAndChain(keyPem: string | undefined, certificatePems: readonly string[]): KeyAndChain {
  const privateKey = keyPem === undefined ? undefined : createPrivateKey(keyPem);
  const all = certificatePems.map((pem) => new X509Certificate(pem));
  const leaf = privateKey ? all.find((certificate) => certificate.checkPrivateKey(privateKey)) : all[0];
  if (privateKey && all.length > 0 && !leaf) throw new Error('none of its certificates belongs to its private key');
  return { privateKey, certificates: leaf ? ordered(leaf, all) : [] };
}

/** A chain file is read from the top by most servers; vaults keep imported files in any order. */
function ordered(leaf: X509Certificate, all: readonly X509Certificate[]): X509Certificate[] {
  const chain = [leaf];
  for (let last = leaf; ; ) {
    const issuer = all.find((candidate) => !chain.includes(candidate) && last.checkIssued(candidate));
    if (!issuer) break;
    chain.push(issuer);
    last = issuer;
  }
  return [...chain, ...all.filter((certificate) => !chain.includes(certificate))];
}

/** PEM with the lines that OpenSSL writes. */
export function certificatesPem(certificates: readonly X509Certificate[]): string {
  return certificates.map((certificate) => certificate.toString()).join('');
}

/** PKCS#8 without encryption. */
export function privateKeyPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
