import { X509Certificate } from 'node:crypto';
import type { ObjectType } from '../../api/volumes/vault-objects.ts';
import type { VaultCertificate, VaultSecret } from '../../azure/key-vault/vault-items.ts';
import { AzimuthError } from '../../base/errors.ts';
import { type ObjectEncoding, type ObjectRequest, objectEncodings } from '../options/volume-request.ts';
import { secretContent, secretParts } from './formats.ts';
import { certificatesPem, privateKeyPem } from './pem.ts';

/**
 * What the Azure provider of the Secrets Store CSI driver makes of objects, where it differs from FlexVolume (facts on Key
 * Vault 3): its words for formats, and certificates that turn into PEM unasked.
 */

export interface ProviderFile {
  /** Added to the name of the file. */
  readonly suffix: '' | '.crt' | '.key';
  readonly content: Buffer;
}

/** `objectFormat`, in any case; '' is PEM. Throws AZ_CONFIG_INVALID as upstream words it. */
export function providerFormat(text: string, type: ObjectType): 'pem' | 'pfx' {
  const format = text.toLowerCase() || 'pem';
  if (format !== 'pem' && format !== 'pfx') throw invalid(`invalid objectFormat: ${text}, should be PEM or PFX`);
  if (format === 'pfx' && type !== 'secret') throw invalid('PFX format only supported for objectType: secret');
  return format;
}

/** `objectEncoding`, in any case; '' is utf-8. Throws AZ_CONFIG_INVALID as upstream words it. */
export function providerEncoding(text: string, type: ObjectType): ObjectEncoding {
  const encoding = objectEncodings.find((each) => each === (text.toLowerCase() || 'utf-8'));
  if (!encoding) throw invalid(`invalid objectEncoding: ${text}, should be hex, base64 or utf-8`);
  if (text !== '' && type !== 'secret') throw invalid('objectEncoding only supported for objectType: secret');
  return encoding;
}

/**
 * The files of a secret. One without a key is written as it is, also a certificate that was stored as a plain secret;
 * one behind a certificate becomes PEM, or three files with `separate`. Throws AZ_VOLUME_CONTENT.
 */
export async function providerSecretFiles(
  request: ObjectRequest,
  secret: VaultSecret,
  format: 'pem' | 'pfx',
  separate = false,
): Promise<ProviderFile[]> {
  const asKept = async () => secretContent({ ...request, format: 'raw' }, secret);
  if (secret.id === '') throw unfit('secret', request.name, 'the vault did not tell its id');
  if (secret.keyId === undefined) return [{ suffix: '', content: await asKept() }];
  const kind = secret.contentType;
  if (kind !== 'application/x-pem-file' && kind !== 'application/x-pkcs12') {
    throw unfit('secret', request.name, `unknown content type ${JSON.stringify(kind ?? '')}`);
  }
  const converted = kind === 'application/x-pkcs12' && format === 'pem';
  const whole = { suffix: '', content: await asKept() } as const;
  if (!converted && !separate) return [whole];
  const { privateKey, certificates } = await secretParts({ ...request, format: 'pem' }, secret);
  const key = privateKey ? privateKeyPem(privateKey) : '';
  const chain = certificatesPem(certificates);
  const all = converted ? ({ suffix: '', content: Buffer.from(key + chain) } as const) : whole;
  if (!separate) return [all];
  return [{ suffix: '.crt', content: Buffer.from(chain) }, { suffix: '.key', content: Buffer.from(key) }, all];
}

/** The certificate alone, as PEM. Throws AZ_VOLUME_CONTENT. */
export function providerCertificate({ certificate, name }: VaultCertificate): Buffer {
  if (certificate.length === 0) throw unfit('certificate', name, 'it is still being issued, the vault has none yet');
  try {
    return Buffer.from(certificatesPem([new X509Certificate(certificate)]));
  } catch {
    throw unfit('certificate', name, 'what the vault sent is no certificate');
  }
}

function invalid(message: string): AzimuthError {
  return new AzimuthError('AZ_CONFIG_INVALID', message);
}

function unfit(kind: string, name: string, reason: string): AzimuthError {
  return new AzimuthError('AZ_VOLUME_CONTENT', `The ${kind} "${name}" cannot be written: ${reason}`);
}
