import {
  constants,
  createPrivateKey,
  createPublicKey,
  privateDecrypt,
  privateEncrypt,
  publicDecrypt,
  publicEncrypt,
} from 'node:crypto';
import forge from 'node-forge';
import { signDigest, verifyDigest } from './ecdsa.ts';
import { badParameter } from './vault-request.ts';

/** DER prefixes of DigestInfo (RFC 8017, 9.2). */
const digestInfo: Readonly<Record<string, string>> = {
  256: '3031300d060960864801650304020105000420',
  384: '3041300d060960864801650304020205000430',
  512: '3051300d060960864801650304020305000440',
};

const encryption: Readonly<Record<string, { padding: number; oaepHash?: string }>> = {
  'RSA-OAEP': { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' },
  'RSA-OAEP-256': { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
  RSA1_5: { padding: constants.RSA_PKCS1_PADDING },
};

/** Encrypts with the public half of an RSA key. Throws 400 for an unknown algorithm. */
export function encrypt(keyPem: string, algorithm: string, plain: Buffer): Buffer {
  return publicEncrypt({ key: createPublicKey(keyPem), ...paddingOf(algorithm) }, plain);
}

/** Decrypts with an RSA key. Throws 400 for an unknown algorithm or a value that the key cannot decrypt. */
export function decrypt(keyPem: string, algorithm: string, sealed: Buffer): Buffer {
  try {
    return privateDecrypt({ key: createPrivateKey(keyPem), ...paddingOf(algorithm) }, sealed);
  } catch {
    throw badParameter('The parameter is incorrect: the value cannot be decrypted with this key.');
  }
}

function paddingOf(algorithm: string) {
  const padding = encryption[algorithm];
  if (!padding) throw badParameter(`Algorithm ${algorithm} is not supported on this key.`);
  return padding;
}

/** Signs a digest with RS*, PS* or ES*. */
export function sign(keyPem: string, algorithm: string, digest: Buffer): Buffer {
  const { family, bits } = parse(algorithm, digest);
  const key = createPrivateKey(keyPem);
  if (family === 'ES') return signDigest(key.export({ format: 'jwk' }), digest);
  if (family === 'RS') return privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, digestInfoOf(bits, digest));
  const modulusBits = key.asymmetricKeyDetails?.modulusLength ?? 2048;
  const encoded = pss(bits).encode(presetDigest(bits, digest), modulusBits);
  return privateEncrypt({ key, padding: constants.RSA_NO_PADDING }, Buffer.from(encoded, 'binary'));
}

/** Whether the signature is the key's for this digest. Throws 400 for an unknown algorithm. */
export function verify(keyPem: string, algorithm: string, digest: Buffer, signature: Buffer): boolean {
  const { family, bits } = parse(algorithm, digest);
  const key = createPublicKey(keyPem);
  if (family === 'ES') return verifyDigest(key.export({ format: 'jwk' }), digest, signature);
  try {
    if (family === 'RS') {
      return publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature).equals(digestInfoOf(bits, digest));
    }
    const encoded = publicDecrypt({ key, padding: constants.RSA_NO_PADDING }, signature);
    const modulusBits = key.asymmetricKeyDetails?.modulusLength ?? 2048;
    return pss(bits).verify(digest.toString('binary'), encoded.toString('binary'), modulusBits);
  } catch {
    return false;
  }
}

function parse(algorithm: string, digest: Buffer): { family: string; bits: '256' | '384' | '512' } {
  const match = /^(RS|PS|ES)(256|384|512)$/.exec(algorithm);
  if (!match) throw badParameter(`Algorithm ${algorithm} is not supported on this key.`);
  const bits = match[2] as '256' | '384' | '512';
  if (digest.length * 8 !== Number(bits))
    throw badParameter(`The digest must be ${Number(bits) / 8} bytes long for ${algorithm}.`);
  return { family: match[1] as string, bits };
}

const digestInfoOf = (bits: string, digest: Buffer) =>
  Buffer.concat([Buffer.from(digestInfo[bits] ?? '', 'hex'), digest]);

const hashOf = (bits: '256' | '384' | '512') =>
  ({ 256: forge.md.sha256, 384: forge.md.sha384, 512: forge.md.sha512 })[bits].create();

const pss = (bits: '256' | '384' | '512') =>
  forge.pss.create({ md: hashOf(bits), mgf: forge.mgf.mgf1.create(hashOf(bits)), saltLength: Number(bits) / 8 });

/** A hash object that already has its result: Key Vault is given digests, not messages. */
function presetDigest(bits: '256' | '384' | '512', digest: Buffer): forge.md.MessageDigest {
  return { ...hashOf(bits), digest: () => forge.util.createBuffer(digest.toString('binary')) };
}
