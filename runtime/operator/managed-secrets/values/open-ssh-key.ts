/**
 * Private keys in the form of OpenSSH (openssh-key-v1, PROTOCOL.key of OpenSSH), without a passphrase, and the public key
 * in one. RSA and Ed25519. Numbers and texts are length-prefixed, big-endian.
 */
import { type JsonWebKey, randomBytes } from 'node:crypto';
import { AzimuthError } from '../../../base/errors.ts';

const magic = Buffer.from('openssh-key-v1\0');
const begin = '-----BEGIN OPENSSH PRIVATE KEY-----';
const end = '-----END OPENSSH PRIVATE KEY-----';
/** The cipher `none` pads to its block size. */
const blockSize = 8;

/** The private key of a JWK, as PEM of OpenSSH. Throws AZ_TERMINAL for another type of key. */
export function openSshPrivateKey(key: JsonWebKey): string {
  const publicBlob = publicBlobOf(key);
  const check = randomBytes(4);
  const secret = Buffer.concat([check, check, privateFieldsOf(key), text('')]);
  const padding = Buffer.from(Array.from({ length: -secret.length & (blockSize - 1) }, (_, index) => index + 1));
  const count = Buffer.from([0, 0, 0, 1]);
  const body = [magic, text('none'), text('none'), text(''), count, field(publicBlob)];
  const encoded = Buffer.concat([...body, field(Buffer.concat([secret, padding]))]).toString('base64');
  return `${begin}\n${encoded.match(/.{1,70}/g)?.join('\n')}\n${end}\n`;
}

/** The line of authorized_keys for a private key that `openSshPrivateKey` made. Throws AZ_TERMINAL for another text. */
export function openSshPublicKey(privateKey: string, comment: string): string {
  const base64 = privateKey.replace(begin, '').replace(end, '').replaceAll('\n', '');
  const bytes = Buffer.from(base64, 'base64');
  if (!bytes.subarray(0, magic.length).equals(magic)) throw unreadable();
  let at = magic.length;
  const next = (): Buffer => {
    if (at + 4 > bytes.length) throw unreadable();
    const length = bytes.readUInt32BE(at);
    if (at + 4 + length > bytes.length) throw unreadable();
    const field = bytes.subarray(at + 4, at + 4 + length);
    at += 4 + length;
    return field;
  };
  for (let skipped = 0; skipped < 3; skipped++) next();
  at += 4;
  const blob = next();
  const type = blob.length > 4 ? blob.subarray(4, 4 + blob.readUInt32BE(0)).toString('latin1') : '';
  if (type !== 'ssh-rsa' && type !== 'ssh-ed25519') throw unreadable();
  return `${type} ${blob.toString('base64')} ${comment}`;
}

function publicBlobOf({ kty, n, e, x }: JsonWebKey): Buffer {
  if (kty === 'RSA') return Buffer.concat([text('ssh-rsa'), integer(e), integer(n)]);
  if (kty === 'OKP') return Buffer.concat([text('ssh-ed25519'), field(bytesOf(x))]);
  throw new AzimuthError('AZ_TERMINAL', 'Only RSA and Ed25519 keys have a form of OpenSSH here');
}

function privateFieldsOf({ kty, n, e, d, p, q, qi, x }: JsonWebKey): Buffer {
  if (kty === 'RSA') {
    return Buffer.concat([text('ssh-rsa'), ...[n, e, d, qi, p, q].map(integer)]);
  }
  return Buffer.concat([text('ssh-ed25519'), field(bytesOf(x)), field(Buffer.concat([bytesOf(d), bytesOf(x)]))]);
}

function field(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function text(value: string): Buffer {
  return field(Buffer.from(value));
}

/** A positive number: with a zero before a first bit that is set. */
function integer(value: string | undefined): Buffer {
  const bytes = bytesOf(value);
  return field((bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

function bytesOf(value: string | undefined): Buffer {
  return Buffer.from(value ?? '', 'base64url');
}

function unreadable(): AzimuthError {
  return new AzimuthError(
    'AZ_TERMINAL',
    'The secret in the home vault is no private key of OpenSSH as the operator writes it',
  );
}
