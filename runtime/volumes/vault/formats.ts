import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { VaultCertificate, VaultKey, VaultSecret } from '../../azure/key-vault/vault-items.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import type { ObjectEncoding, VolumeObject } from '../options/volume-spec.ts';
import { mostValueLength } from './conversion.ts';
import { isDer, type KeyAndChain, type ReadKeyAndChain, readKeyAndChain } from './key-and-chain.ts';

/** The file of a secret in the requested format. Throws AZ_VOLUME_CONTENT, without any content in the message. */
export async function secretContent(
  request: VolumeObject,
  secret: VaultSecret,
  read: ReadKeyAndChain = readKeyAndChain,
): Promise<Buffer> {
  switch (request.format) {
    case 'raw':
      return decoded(request, secret.value);
    case 'pem': {
      const { privateKey = '', certificates } = await secretParts(request, secret, read);
      return Buffer.from(privateKey + certificates.join(''));
    }
    case 'pfx': {
      const content = Buffer.from(secret.value, 'base64');
      if (isDer(content) && !secret.value.includes('-----BEGIN')) return content;
      throw unfit(
        request,
        'the vault keeps it as PEM or text, not as PKCS#12: use pem or raw, or renew the certificate with the content type application/x-pkcs12',
      );
    }
    default:
      throw unfit(request, 'a secret can be raw, pem or pfx');
  }
}

/** The key and certificates of a secret, independent of its content type. Throws AZ_VOLUME_CONTENT. */
export async function secretParts(
  request: VolumeObject,
  { value }: VaultSecret,
  read: ReadKeyAndChain = readKeyAndChain,
): Promise<KeyAndChain> {
  if (value.length > mostValueLength) throw unfit(request, `it has more than ${mostValueLength} characters; use raw`);
  const parts = await read(value).catch((cause: unknown) => {
    throw cause instanceof AzimuthError ? cause : unfit(request, `it cannot be read (${messageOf(cause)})`, cause);
  });
  if (parts) return parts;
  throw unfit(request, 'it holds neither PEM nor PKCS#12; use raw');
}

/**
 * The file of a key in the requested format; `raw` is upstream's: the modulus as base64url text of the JWK. Throws
 * AZ_VOLUME_CONTENT.
 */
export function keyContent(request: VolumeObject, vaultKey: VaultKey): Buffer {
  const jwk = vaultKey.key;
  switch (request.format) {
    case 'raw': {
      const { n } = jwk;
      if (typeof n === 'string' && n !== '') return Buffer.from(n);
      throw unfit(request, `a key of type ${String(jwk['kty'])} has no modulus, which raw is: use pem, jwk or der`);
    }
    case 'pem':
      return Buffer.from(publicKey(request, jwk).export({ type: 'spki', format: 'pem' }));
    case 'der':
      return publicKey(request, jwk).export({ type: 'spki', format: 'der' });
    case 'jwk':
      return Buffer.from(JSON.stringify({ ...publicKey(request, jwk).export({ format: 'jwk' }), kid: vaultKey.id }));
    default:
      throw unfit(request, 'a key can be raw, pem, jwk or der');
  }
}

function publicKey(request: VolumeObject, jwk: Readonly<Record<string, unknown>>): KeyObject {
  // The public part of a hardware key has the same form.
  const kty = String(jwk['kty']).replace(/-HSM$/, '');
  // secp256k1: Node uses the name of the IANA registry, Key Vault an older one.
  const crv = jwk['crv'] === 'P-256K' ? 'secp256k1' : jwk['crv'];
  const { n, e, x, y } = jwk;
  try {
    return createPublicKey({ key: { kty, crv, n, e, x, y } as JsonWebKey, format: 'jwk' });
  } catch (cause) {
    throw unfit(request, `a key of type ${String(jwk['kty'])} has no public part that can be written`, cause);
  }
}

type JsonWebKey = import('node:crypto').JsonWebKey;

/**
 * Whether the file includes the issuers of the certificate, which only its secret has. A self-signed certificate is
 * its own chain, so that its readers need no permission for the key.
 */
export function needsChain(request: VolumeObject, { certificate }: VaultCertificate): boolean {
  if (request.format !== 'pem') return false;
  const leaf = leafOf(request, certificate);
  return !leaf.checkIssued(leaf);
}

/**
 * The file of a certificate in the requested format. `secret`: the certificate's secret where `needsChain` is true.
 * Throws AZ_VOLUME_CONTENT.
 */
export async function certificateContent(
  request: VolumeObject,
  { certificate }: VaultCertificate,
  secret: VaultSecret | undefined,
  read: ReadKeyAndChain = readKeyAndChain,
): Promise<Buffer> {
  if (request.format !== 'pem' && certificate.length > 0) return certificate;
  const leaf = leafOf(request, certificate).toString();
  const { certificates } = secret ? await secretParts(request, secret, read) : { certificates: [] };
  return Buffer.from([leaf, ...certificates.filter((other) => other !== leaf)].join(''));
}

function leafOf(request: VolumeObject, der: Buffer): X509Certificate {
  if (der.length === 0) throw unfit(request, 'the vault has no certificate yet: it is still being issued');
  try {
    return new X509Certificate(der);
  } catch (cause) {
    throw unfit(request, 'what the vault sent is no certificate', cause);
  }
}

/** Decodes the text of a secret. */
function decoded(request: { readonly name: string; readonly encoding: ObjectEncoding }, value: string): Buffer {
  const { encoding } = request;
  const compact = encoding === 'utf-8' ? value : value.replaceAll(/\s/g, '');
  if (encoding === 'base64' && !/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) throw unfit(request, 'it is not base64');
  if (encoding === 'hex' && !/^(?:[0-9a-fA-F]{2})*$/.test(compact)) throw unfit(request, 'it is not hexadecimal');
  return Buffer.from(compact, encoding);
}

function unfit(
  request: Partial<VolumeObject> & { readonly name: string },
  reason: string,
  cause?: unknown,
): AzimuthError {
  const { type = 'secret', name, format } = request;
  const as = format ? ` as ${format}` : '';
  // The driver's BoringSSL lacks algorithms that the agent's OpenSSL has.
  const hint =
    cause && process.versions['bun'] ? '; keys like P-256K and RSA-PSS take the node agent, which is away' : '';
  const message = `The ${type} "${name}" cannot be written${as}: ${reason}${hint}`;
  return new AzimuthError('AZ_VOLUME_CONTENT', message, { cause });
}
