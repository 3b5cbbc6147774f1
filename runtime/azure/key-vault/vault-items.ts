import { AzimuthError } from '../../base/errors.ts';

/** The collections of a vault. */
export type VaultCollection = 'secrets' | 'keys' | 'certificates';

/** One version of an object, or the object in a list; times in milliseconds since the epoch. */
export interface VaultItem {
  readonly id: string;
  readonly name: string;
  /** Undefined in lists of objects. */
  readonly version: string | undefined;
  readonly enabled: boolean;
  readonly created: number | undefined;
  readonly updated: number | undefined;
  readonly notBefore: number | undefined;
  readonly expires: number | undefined;
  readonly recoveryLevel: string | undefined;
  readonly contentType: string | undefined;
  /** The object belongs to a certificate. */
  readonly managed: boolean;
  readonly tags: Readonly<Record<string, string>>;
  /** SHA-1 of a certificate's DER, base64url; certificates only. */
  readonly thumbprint?: string | undefined;
}

/** A Key Vault secret with its value. */
export interface VaultSecret extends VaultItem {
  readonly value: string;
  /** Key behind a certificate's secret. */
  readonly keyId: string | undefined;
}

/** A Key Vault key with its public part. */
export interface VaultKey extends VaultItem {
  /** JWK of the public part: kty, key_ops and n, e or crv, x, y. */
  readonly key: Readonly<Record<string, unknown>>;
}

/** A Key Vault certificate without its private key. */
export interface VaultCertificate extends VaultItem {
  /** DER. */
  readonly certificate: Buffer;
  readonly thumbprint: string | undefined;
  readonly keyId: string | undefined;
  readonly secretId: string | undefined;
  readonly policy: unknown;
}

type Json = Readonly<Record<string, unknown>>;

/** The members that secrets, keys and certificates share, from an answer of Key Vault. */
export function vaultItem(body: Json): VaultItem {
  const attributes = (body['attributes'] ?? {}) as Json;
  const id = text(body['id']) ?? text(body['kid']) ?? text((body['key'] as Json | undefined)?.['kid']) ?? '';
  const [, name = '', version] = (URL.parse(id)?.pathname ?? '').split('/').filter(Boolean);
  return {
    id,
    name,
    version,
    enabled: attributes['enabled'] !== false,
    created: seconds(attributes['created']),
    updated: seconds(attributes['updated']),
    notBefore: seconds(attributes['nbf']),
    expires: seconds(attributes['exp']),
    recoveryLevel: text(attributes['recoveryLevel']),
    contentType: text(body['contentType']),
    managed: body['managed'] === true,
    tags: (body['tags'] ?? {}) as Record<string, string>,
    ...(typeof body['x5t'] === 'string' && { thumbprint: body['x5t'] }),
  };
}

/** A secret from an answer of Key Vault. Throws AZ_KEYVAULT_REFUSED for an answer without a value. */
export function vaultSecret(body: Json): VaultSecret {
  const { value } = body;
  const item = vaultItem(body);
  if (typeof value !== 'string') {
    throw new AzimuthError('AZ_KEYVAULT_REFUSED', `Key Vault sent the secret "${item.name}" without a value`);
  }
  return { ...item, value, keyId: text(body['kid']) };
}

/** A key from an answer of Key Vault. */
export function vaultKey(body: Json): VaultKey {
  return { ...vaultItem(body), key: (body['key'] ?? {}) as Json };
}

/** A certificate from an answer of Key Vault. */
export function vaultCertificate(body: Json): VaultCertificate {
  return {
    ...vaultItem(body),
    certificate: Buffer.from(text(body['cer']) ?? '', 'base64'),
    thumbprint: text(body['x5t']),
    keyId: text(body['kid']),
    secretId: text(body['sid']),
    policy: body['policy'],
  };
}

/** The end of the year 9999, the last that dates in objects and answers can have. */
const latest = Date.UTC(10_000, 0) - 1000;

/** Whoever may write a vault chooses the number, and a date beyond all calendars is none for JavaScript. */
function seconds(value: unknown): number | undefined {
  return typeof value === 'number' ? Math.max(0, Math.min(value * 1000, latest)) : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
