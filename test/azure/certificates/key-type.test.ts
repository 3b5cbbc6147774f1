import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { parseCertificateBundle } from '../../../runtime/azure/certificates/certificate-bundle.ts';

/** One element of DER with a length of two bytes. */
function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag, 0x82, bytes.length >> 8, bytes.length & 0xff]), bytes]);
}

/** A key in PKCS#8 whose numbers have 32,768 bits each. */
function hugeKey(objectIdentifier: string): string {
  const integer = der(0x02, Buffer.from([0]), Buffer.alloc(4096, 0xa5));
  const algorithm = der(0x30, Buffer.from(objectIdentifier, 'hex'), der(0x30, integer, integer, integer));
  const body = der(0x30, Buffer.from('020100', 'hex'), algorithm, der(0x04, integer)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${body.replaceAll(/(.{64})/g, '$1\n')}\n-----END PRIVATE KEY-----\n`;
}

// OpenSSL needs minutes for these three, and each test has a limit of three.
test.each([
  ['DSA', '06072a8648ce380401'],
  ['DH', '06092a864886f70d010301'],
  ['X9.42 DH', '06072a8648ce3e0201'],
])('a key of the type %s is refused before OpenSSL computes its public part', async (_, objectIdentifier) => {
  const reading = parseCertificateBundle(hugeKey(objectIdentifier), undefined, 'the Secret a/b');
  await expect(reading).rejects.toThrow(
    /Secret a\/b cannot be used: its private key is not read: its type is none of RSA/,
  );
});

test.each([
  ['RSA', generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey],
  ['EC', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey],
  ['Ed25519', generateKeyPairSync('ed25519').privateKey],
])('a key of the type %s is read', async (_, key) => {
  const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  await expect(parseCertificateBundle(pem, undefined, 'x')).rejects.toThrow(/it holds no certificate/);
});

const encrypt = (key: KeyObject) =>
  key.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'word' }).toString();

test('an encrypted key, whose type is not visible, is refused by its size before OpenSSL reads it', async () => {
  const big = `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${Buffer.alloc(3073, 0x30).toString('base64')}\n-----END ENCRYPTED PRIVATE KEY-----\n`;
  const reading = parseCertificateBundle(big, 'word', 'the Secret a/b');
  await expect(reading).rejects.toThrow(
    /3073 bytes, more than the 3072 of an encrypted key; write it without a password/,
  );
});

/** A number of so many bytes, whose first bit is set. */
const odd = (bytes: number) => {
  const number = randomBytes(bytes);
  number[0] = (number[0] ?? 0) | 0x80;
  number[bytes - 1] = (number[bytes - 1] ?? 0) | 1;
  return number;
};

/** An RSA key in PKCS#1 with numbers of these sizes in bytes; they belong together in nothing but their sizes. */
function rsaKey({ n = 256, e = 3, p = n / 2 }: { n?: number; e?: number; p?: number }): string {
  const sizes = [n, e, n, p, n / 2, n / 2, n / 2, n / 2];
  const numbers = sizes.map((bytes) => der(0x02, Buffer.from([0]), odd(bytes)));
  const body = der(0x30, der(0x02, Buffer.from([0])), ...numbers).toString('base64');
  return `-----BEGIN RSA PRIVATE KEY-----\n${body.replaceAll(/(.{64})/g, '$1\n')}\n-----END RSA PRIVATE KEY-----\n`;
}

// One signature takes 36 s with 40,000 bits, and 10 s with a prime of 20,000 bytes.
test.each([
  ['8208 bits', { n: 1026 }],
  ['40000 bits', { n: 5000 }],
  ['a prime larger than its modulus', { p: 20_000 }],
  ['a prime of three quarters of its modulus', { p: 192 }],
  ['an exponent as long as its modulus', { e: 256 }],
])('an RSA key with %s is refused, as each signature would take seconds', async (_, sizes) => {
  const reading = parseCertificateBundle(rsaKey(sizes), undefined, 'the Secret a/b');
  await expect(reading).rejects.toThrow(/Secret a\/b cannot be used: .*more than 8192 bits, or has numbers/);
});

// Reading compares no numbers, and to make a real key of 4096 bits takes a second of the processor.
test.each([1024, 3072, 4096])('an RSA key of %d bits is read', async (bits) => {
  const pem = rsaKey({ n: bits / 8 });
  await expect(parseCertificateBundle(pem, undefined, 'x')).rejects.toThrow(/it holds no certificate/);
});

test('an encrypted RSA key of 4096 bits is read', async () => {
  const key = createPrivateKey(rsaKey({ n: 512 }));
  await expect(parseCertificateBundle(encrypt(key), 'word', 'x')).rejects.toThrow(/it holds no certificate/);
});
