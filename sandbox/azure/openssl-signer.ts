import { constants, privateEncrypt } from 'node:crypto';
import type forge from 'node-forge';

/** DER in front of a SHA-256 digest in an RSA signature (RFC 8017, 9.2). */
const sha256Prefix = Buffer.from('3031300d060960864801650304020105000420', 'hex');

/**
 * A key for forge's `sign()` with SHA-256 that signs with OpenSSL, for certificates and signing requests: forge's own
 * arithmetic takes up to seconds for one signature.
 */
export function opensslSigner(keyPem: string): forge.pki.rsa.PrivateKey {
  const signer = {
    sign(digest: forge.md.MessageDigest) {
      const content = Buffer.concat([sha256Prefix, Buffer.from(digest.digest().getBytes(), 'binary')]);
      return privateEncrypt({ key: keyPem, padding: constants.RSA_PKCS1_PADDING }, content).toString('binary');
    },
  };
  return signer as unknown as forge.pki.rsa.PrivateKey;
}
