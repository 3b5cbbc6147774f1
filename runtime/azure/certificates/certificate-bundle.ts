import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import { chainOf } from '../../base/x509/chain.ts';
import { pemBlocks } from '../../base/x509/pem.ts';
import { checkEncryptedKey, isQuickToRead, isQuickToSign } from './encrypted-key.ts';
import { maxRoundsAtOnce, Rounds, TooMuchWork } from './key-derivation.ts';

/** Most bytes of a file. A chain with its key has a few thousand; the time to parse grows with the file. */
const maxBytes = 64 * 1024;

/** A client certificate with its key; the leaf comes first, then its issuers as far as the file has them. */
export interface CertificateBundle {
  readonly privateKey: KeyObject;
  readonly chain: readonly X509Certificate[];
}

/** As parseCertificateBundle; also throws AZ_CONFIG_INVALID for a key that is not RSA, as Microsoft Entra ID takes no other. */
export async function parseClientCertificate(
  content: Buffer | string,
  password: string | undefined,
  source: string,
): Promise<CertificateBundle> {
  const bundle = await parseCertificateBundle(content, password, source);
  const { asymmetricKeyType } = bundle.privateKey;
  if (asymmetricKeyType !== 'rsa') throw invalid(source, `expected an RSA key, got ${asymmetricKeyType}`);
  return bundle;
}

/**
 * Reads PEM (certificates and one key, encrypted or not), PKCS#12, or either in base64, as environment variables hold
 * it. Throws AZ_CONFIG_INVALID that names `source` and the fault, never the content or the password.
 */
export async function parseCertificateBundle(
  content: Buffer | string,
  password: string | undefined,
  source: string,
): Promise<CertificateBundle> {
  const { certificates, privateKey } = await split(content, password, source);
  if (certificates.length === 0) throw invalid(source, 'it holds no certificate');
  if (!privateKey) throw invalid(source, 'it holds no private key');
  const parsed = certificates.map((pem) => {
    try {
      return new X509Certificate(pem);
    } catch (cause) {
      throw invalid(source, 'one of its certificates cannot be parsed', cause);
    }
  });
  const leaf = parsed.find((certificate) => certificate.checkPrivateKey(privateKey));
  if (!leaf) throw invalid(source, 'none of its certificates belongs to its private key');
  return { privateKey, chain: chainOf(leaf, parsed) };
}

interface PemContent {
  readonly certificates: readonly string[];
  readonly privateKey: KeyObject | undefined;
}

async function split(content: Buffer | string, password: string | undefined, source: string): Promise<PemContent> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  if (bytes.length > maxBytes) throw invalid(source, `it has ${bytes.length} bytes, more than ${maxBytes}`);
  const text = bytes.toString('latin1');
  if (text.includes('-----BEGIN ')) return splitPem(text, password, source);
  // DER starts with a SEQUENCE; base64 text never does (0x30 is the digit 0, which base64 of DER never starts with).
  if (bytes[0] === 0x30 && bytes.length > 2 && /[^\x20-\x7e\s]/.test(text)) return splitPkcs12(bytes, password, source);
  const decoded = /^[A-Za-z0-9+/=\s]+$/.test(text) ? Buffer.from(text, 'base64') : undefined;
  if (decoded?.includes('-----BEGIN ')) return splitPem(decoded.toString('latin1'), password, source);
  if (decoded?.[0] === 0x30) return splitPkcs12(decoded, password, source);
  throw invalid(source, 'it is neither PEM nor PKCS#12 nor the base64 of one');
}

function splitPem(text: string, password: string | undefined, source: string): PemContent {
  const blocks = [...pemBlocks(text)];
  const key = blocks.find(({ label }) => label.endsWith('PRIVATE KEY'))?.block;
  return {
    certificates: blocks.filter(({ label }) => label === 'CERTIFICATE').map(({ block }) => block),
    privateKey: key === undefined ? undefined : readKey(key, password, source),
  };
}

const plainLabel = '-----BEGIN PRIVATE KEY-----';
const pkcs8Label = '-----BEGIN ENCRYPTED PRIVATE KEY-----';

function readKey(pem: string, password: string | undefined, source: string): KeyObject {
  const encrypted = /ENCRYPTED/.test(pem);
  if (encrypted && !password) throw invalid(source, 'its private key is encrypted and no password is set');
  // The older form, whose label names the type of the key, derives in one round.
  if (encrypted && pem.includes(pkcs8Label)) {
    try {
      checkEncryptedKey(pem, new Rounds(maxRoundsAtOnce));
    } catch (cause) {
      throw invalid(source, `its private key cannot be decrypted: ${messageOf(cause)}`, cause);
    }
  }
  try {
    if (pem.startsWith(plainLabel) && !isQuickToRead(pem)) {
      throw new TooMuchWork('its type is none of RSA, EC, Ed25519, Ed448, X25519 and X448');
    }
    const key = createPrivateKey(encrypted ? { key: pem, passphrase: password } : pem);
    if (isQuickToSign(key)) return key;
    throw new TooMuchWork('it is an RSA key that has more than 8192 bits, or has numbers of other sizes than its bits');
  } catch (cause) {
    if (cause instanceof TooMuchWork) throw invalid(source, `its private key is not read: ${cause.message}`, cause);
    const reason = encrypted ? 'its private key cannot be decrypted with the password' : 'its private key is malformed';
    throw invalid(source, reason, cause);
  }
}

async function splitPkcs12(content: Buffer, password: string | undefined, source: string): Promise<PemContent> {
  // Loaded on demand: most credentials do not need it, and loading is slow.
  const { pkcs12ToPem } = await import('./pkcs12.ts');
  let parts: { certificates: string[]; privateKey: string | undefined };
  try {
    parts = await pkcs12ToPem(content, password ?? '');
  } catch (cause) {
    const doubt = cause instanceof TooMuchWork ? '' : '; is the password right?';
    throw invalid(source, `the PKCS#12 file cannot be opened (${messageOf(cause)})${doubt}`, cause);
  }
  return {
    certificates: parts.certificates,
    privateKey: parts.privateKey === undefined ? undefined : readKey(parts.privateKey, undefined, source),
  };
}

function invalid(source: string, reason: string, cause?: unknown): AzimuthError {
  return new AzimuthError('AZ_CONFIG_INVALID', `The client certificate of ${source} cannot be used: ${reason}`, {
    cause,
  });
}
