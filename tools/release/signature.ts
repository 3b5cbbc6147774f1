import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Signs SHA256SUMS of a folder with a private key in a PEM file, of the curve P-256: SHA256SUMS.sig as
 * `cosign sign-blob --key` writes it (base64 of ECDSA in DER, over SHA-256), and the public key SHA256SUMS.pub.
 *
 * @throws for a key of another kind
 */
export function writeSignature(folder: string, keyFile: string): void {
  const key = createPrivateKey(readFileSync(keyFile));
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new Error(`Expected ${keyFile} to have a private key of the curve P-256, got ${key.asymmetricKeyType}`);
  }
  const signature = sign('sha256', readFileSync(join(folder, 'SHA256SUMS')), key).toString('base64');
  writeFileSync(join(folder, 'SHA256SUMS.sig'), signature);
  writeFileSync(join(folder, 'SHA256SUMS.pub'), createPublicKey(key).export({ type: 'spki', format: 'pem' }));
}
