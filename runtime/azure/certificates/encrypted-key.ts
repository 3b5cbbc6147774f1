import type { KeyObject } from 'node:crypto';
import { type Rounds, TooMuchWork } from './key-derivation.ts';

const pbes2 = '2a864886f70d01050d';
const pbkdf2 = '2a864886f70d01050c';

/**
 * Most bytes of an encrypted key; one of RSA with 4,096 bits has 2,500. Its type is not visible, and OpenSSL computes the
 * public part of a DSA key: a tenth of a second for a key of this size, growing with its third power.
 */
const maxEncryptedBytes = 3072;

/**
 * Holds the key derivation of an encrypted PKCS#8 key (PEM, RFC 5958 3) to `rounds`, without the password: PBES1,
 * PKCS#12's algorithms, PBES2 with PBKDF2 (RFC 8018 A.2) or with scrypt (RFC 7914 7). Throws a plain Error for text
 * that is not DER too, as OpenSSL reads more than that.
 */
export function checkEncryptedKey(pem: string, rounds: Rounds): void {
  const [, base64 = ''] = /^-----BEGIN ENCRYPTED PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END/.exec(pem) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > maxEncryptedBytes) {
    const fix = 'write it without a password, or use an RSA key of 4096 bits or fewer';
    throw new TooMuchWork(
      `it has ${bytes.length} bytes, more than the ${maxEncryptedBytes} of an encrypted key; ${fix}`,
    );
  }
  const [algorithm] = children(element(bytes, 0).content);
  const [scheme, parameters] = children(algorithm?.content);
  const isPbes2 = scheme?.content.toString('hex') === pbes2;
  const [derivation, inner] = isPbes2 ? children(children(parameters?.content)[0]?.content) : [scheme, parameters];
  const numbers = children(inner?.content)
    .filter(({ tag }) => tag === 0x02)
    .map(({ content }) => Number(`0x${content.toString('hex')}`));
  const [count = Number.NaN, ...more] = numbers;
  // PBKDF2 may add the length of the key; of scrypt all three numbers multiply its work.
  const isScrypt = isPbes2 && derivation?.content.toString('hex') !== pbkdf2;
  rounds.take(isScrypt ? more.slice(0, 2).reduce((product, each) => product * each, count) : count);
}

/** Key types in PKCS#8 that have their public part, or whose curve bounds the work: RSA, RSA-PSS, EC, Ed and X keys. */
const quickKeyTypes = [
  '2a864886f70d010101',
  '2a864886f70d01010a',
  '2a8648ce3d0201',
  '2b6570',
  '2b6571',
  '2b656e',
  '2b656f',
];

/**
 * Whether OpenSSL reads an unencrypted PKCS#8 key (PEM) at once. It computes the public part of a DSA or DH key, for
 * minutes where the key names a huge modulus. Throws a plain Error for a key that is not DER.
 */
export function isQuickToRead(pem: string): boolean {
  const [, base64 = ''] = /^-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END/.exec(pem) ?? [];
  const [, algorithm] = children(element(Buffer.from(base64, 'base64'), 0).content);
  return quickKeyTypes.includes(children(algorithm?.content)[0]?.content.toString('hex') ?? '');
}

/** Most bytes of an RSA modulus: 8,192 bits. One signature then takes a tenth of a second at most. */
const maxModulusBytes = 1024;
/** Most bytes of a public exponent (FIPS 186-5 A.1.1). */
const maxExponentBytes = 32;

/**
 * Whether one signature with the key takes no more than a tenth of a second. The time grows with the cube of the numbers
 * of an RSA key, which need not belong together: a key of 40,000 bits takes half a minute, and so does one of 2,048 bits
 * with a very large "prime". The curve of another key bounds its work.
 */
export function isQuickToSign(key: KeyObject): boolean {
  if (key.asymmetricKeyType !== 'rsa') return true;
  let der: Buffer;
  try {
    der = key.export({ type: 'pkcs1', format: 'der' });
  } catch {
    // OpenSSL reads larger numbers than it writes.
    return false;
  }
  // RFC 8017 A.1.2; a positive number may begin with a zero.
  const sizes = children(element(der, 0).content).map(({ content }) => content.length - (content[0] === 0 ? 1 : 0));
  der.fill(0);
  const [, modulus = 0, exponent = 0, privateExponent = 0, ...parts] = sizes;
  if (modulus > maxModulusBytes || exponent > maxExponentBytes || privateExponent > modulus) return false;
  return parts.length === 5 && parts.every((size) => size <= modulus / 2 + 1);
}

interface Element {
  readonly tag: number;
  readonly content: Buffer;
  readonly end: number;
}

/** Elements of DER one after the other. */
function children(bytes: Buffer | undefined): Element[] {
  const elements: Element[] = [];
  for (let at = 0; bytes !== undefined && at < bytes.length; ) {
    const next = element(bytes, at);
    elements.push(next);
    at = next.end;
  }
  return elements;
}

function element(bytes: Buffer, at: number): Element {
  const first = bytes[at + 1] ?? 0x80;
  const longer = first & 0x80 ? first & 0x7f : 0;
  const start = at + 2 + longer;
  if (first === 0x80 || longer > 4 || start > bytes.length) throw new Error('it is not DER');
  const length = longer === 0 ? first : bytes.readUIntBE(at + 2, longer);
  if (start + length > bytes.length) throw new Error('it is not DER');
  return { tag: bytes[at] ?? 0, content: bytes.subarray(start, start + length), end: start + length };
}
