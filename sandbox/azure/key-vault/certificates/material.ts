import { createPrivateKey } from 'node:crypto';
import { badParameter } from '../vault-request.ts';
import { readPfx, writePfx } from './pfx.ts';
import type { Material } from './x509.ts';

/** Content type of a certificate as PEM. */
export const pemType = 'application/x-pem-file';
/** Content type of a certificate as PKCS#12. */
export const pfxType = 'application/x-pkcs12';

/** Reads the value of an import: PEM text (key and certificates) or base64 PKCS#12. */
export function readMaterial(value: string, password: string): Material {
  if (value.includes('-----BEGIN')) {
    const blocks = value.match(/-----BEGIN ([A-Z ]+)-----[\s\S]+?-----END \1-----/g) ?? [];
    const keyPem = blocks.find((block) => block.includes('PRIVATE KEY-----'));
    const [certPem, ...chainPem] = blocks.filter((block) => block.includes('BEGIN CERTIFICATE'));
    if (!keyPem || !certPem)
      throw badParameter('The specified PEM X.509 certificate content holds no private key or no certificate.');
    const key = createPrivateKey(keyPem).export({ type: 'pkcs8', format: 'pem' }) as string;
    return { keyPem: key, certPem, chainPem };
  }
  try {
    return readPfx(value, password);
  } catch {
    throw badParameter(
      'The specified PKCS#12 X.509 certificate content can not be read. Please check if certificate is in valid PKCS#12 format and if the password is right.',
    );
  }
}

/** The value of the secret that belongs to the certificate; without the key if that may not leave the vault. */
export function secretValue({ keyPem, certPem, chainPem }: Material, contentType: string, exportable = true): string {
  const certificates = [certPem, ...chainPem];
  if (contentType !== pemType) return writePfx(exportable ? keyPem : undefined, certificates);
  return [...(exportable ? [keyPem] : []), ...certificates].map((pem) => `${pem.trim()}\n`).join('');
}
