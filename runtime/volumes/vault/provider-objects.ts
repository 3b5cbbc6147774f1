import { X509Certificate } from 'node:crypto';
import type { ObjectType } from '../../api/volumes/vault-objects.ts';
import type { VaultCertificate, VaultSecret } from '../../azure/key-vault/vault-items.ts';
import { AzimuthError } from '../../base/errors.ts';
import { pemBlocks } from '../../base/x509/pem.ts';
import { type ObjectEncoding, objectEncodings, type VolumeObject } from '../options/volume-spec.ts';
import { secretContent, secretParts } from './formats.ts';
import { jsonMemberContent } from './json-member.ts';
import { type ReadKeyAndChain, readKeyAndChain } from './key-and-chain.ts';

/**
 * The formats of the Azure provider of the Secrets Store CSI driver, where they differ from FlexVolume: names of
 * formats, and certificates as PEM by default.
 */

/** One file of an object. */
export interface ProviderFile {
  /** Suffix of the file name. */
  readonly suffix: '' | '.crt' | '.key';
  readonly content: Buffer;
}

/** Parses `objectFormat`, in any case; '' is PEM. Throws AZ_CONFIG_INVALID with the Azure provider's wording. */
export function providerFormat(text: string, type: ObjectType): 'pem' | 'pfx' {
  const format = text.toLowerCase() || 'pem';
  if (format !== 'pem' && format !== 'pfx') throw invalid(`invalid objectFormat: ${text}, should be PEM or PFX`);
  if (format === 'pfx' && type !== 'secret') throw invalid('PFX format only supported for objectType: secret');
  return format;
}

/** Parses `objectEncoding`, in any case; '' is utf-8. Throws AZ_CONFIG_INVALID with the Azure provider's wording. */
export function providerEncoding(text: string, type: ObjectType): ObjectEncoding {
  const encoding = objectEncodings.find((each) => each === (text.toLowerCase() || 'utf-8'));
  if (!encoding) throw invalid(`invalid objectEncoding: ${text}, should be hex, base64 or utf-8`);
  if (text !== '' && type !== 'secret') throw invalid('objectEncoding only supported for objectType: secret');
  return encoding;
}

/**
 * The files of a secret. A secret without a key is one file as stored, also a certificate in a plain secret. The
 * secret of a certificate becomes PEM, or three files with `separate`: the key, the leaf, its issuers up to the root, the
 * rest. Stored PEM with the certificates in this order stays as it is. Throws AZ_VOLUME_CONTENT.
 */
export async function providerSecretFiles(
  request: VolumeObject,
  secret: VaultSecret,
  format: 'pem' | 'pfx',
  separate = false,
  read: ReadKeyAndChain = readKeyAndChain,
): Promise<ProviderFile[]> {
  const asStored = async () => secretContent({ ...request, format: 'raw' }, secret);
  if (secret.id === '') throw unfit('secret', request.name, 'the answer of the vault has no id');
  if (secret.keyId === undefined) return [{ suffix: '', content: await asStored() }];
  const kind = secret.contentType;
  if (kind !== 'application/x-pem-file' && kind !== 'application/x-pkcs12') {
    throw unfit('secret', request.name, `unknown content type ${JSON.stringify(kind ?? '')}`);
  }
  const converted =
    format === 'pem' && (kind === 'application/x-pkcs12' || (await isOutOfOrder(request, secret, read)));
  const whole = { suffix: '', content: await asStored() } as const;
  if (!converted && !separate) return [whole];
  const { privateKey: key = '', certificates } = await secretParts({ ...request, format: 'pem' }, secret, read);
  const chain = certificates.join('');
  const all = converted ? ({ suffix: '', content: Buffer.from(key + chain) } as const) : whole;
  if (!separate) return [all];
  return [{ suffix: '.crt', content: Buffer.from(chain) }, { suffix: '.key', content: Buffer.from(key) }, all];
}

/** The file of one member of a secret that is a JSON document. Throws AZ_VOLUME_CONTENT. */
export async function jsonMemberFiles(
  request: VolumeObject,
  secret: VaultSecret,
  key: string,
): Promise<ProviderFile[]> {
  return [{ suffix: '', content: await jsonMemberContent(request, secret, key) }];
}

/**
 * Whether stored PEM has its certificates in another order than leaf, issuers, rest, which many servers refuse. The
 * Azure provider writes it as stored. PEM that cannot be read stays as it is.
 */
async function isOutOfOrder(request: VolumeObject, secret: VaultSecret, read: ReadKeyAndChain): Promise<boolean> {
  const bodies = (blocks: readonly string[]) => blocks.map((block) => block.replaceAll(/\s/g, ''));
  const stored = [...pemBlocks(secret.value)].filter(({ label }) => label === 'CERTIFICATE');
  if (stored.length < 2) return false;
  try {
    const { privateKey, certificates } = await secretParts({ ...request, format: 'pem' }, secret, read);
    const before = bodies(stored.map(({ block }) => block));
    return privateKey !== undefined && bodies(certificates).some((body, at) => body !== before[at]);
  } catch (error) {
    if (error instanceof AzimuthError && error.code !== 'AZ_VOLUME_CONTENT') throw error;
    return false;
  }
}

/** The certificate without its issuers, as PEM. Throws AZ_VOLUME_CONTENT. */
export function providerCertificate({ certificate, name }: VaultCertificate): Buffer {
  if (certificate.length === 0) throw unfit('certificate', name, 'it is still being issued, the vault has none yet');
  try {
    return Buffer.from(new X509Certificate(certificate).toString());
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
