import { normalizeResourceId } from '../../azure/arm/resource-ids.ts';
import type { KeyVault } from '../../azure/key-vault/client.ts';
import { KeyVaultError } from '../../azure/key-vault/error.ts';
import type { VaultSecret } from '../../azure/key-vault/vault-items.ts';
import { AzimuthError } from '../../base/errors.ts';
import { jsonHash } from '../../base/json.ts';

/** Tag with the ARM id of a secret's resource: no other resource may write into the secret. */
export const vaultOwnerTag = 'azimuth-resource';

/** Characters; Key Vault accepts no longer tag value. */
const longestTag = 256;

/** How to write a secret into a vault. Times in milliseconds. */
export interface VaultWrite {
  readonly vault: KeyVault;
  /** ARM id of the resource that has the values. */
  readonly resourceId: string;
  /**
   * Whether others than the namespace have secrets in the vault: then only secrets with this resource's tag are
   * written, and no message says whose the others are.
   */
  readonly isShared: boolean;
  /** Time until the secret expires, in milliseconds; undefined: never. */
  readonly expiresMs: number | undefined;
  /** Whether the value is a JSON object, which sets the content type. */
  readonly json: boolean;
  /** Texts that errors must not show, besides the value itself. */
  readonly hidden: readonly string[];
  readonly now: number;
  readonly signal: AbortSignal;
}

/**
 * The result for one secret: `written` is a new version, `renewed` a later expiry, `same` no change. `renewAt` is when
 * its expiry must be renewed, in milliseconds since the epoch.
 */
export interface VaultOutcome {
  readonly did: 'written' | 'renewed' | 'same';
  readonly renewAt: number | undefined;
}

/**
 * Updates one secret of a vault. Writes a new version only if the value differs, or to remove an expiry, which Key
 * Vault cannot remove from a version. Recovers a soft-deleted secret and then compares it; old versions stay. Throws
 * AZ_CONFLICT_OWNED for a secret of another resource.
 */
export async function writeVaultSecret(name: string, value: string, write: VaultWrite): Promise<VaultOutcome> {
  const { vault, expiresMs, json, hidden, now, signal } = write;
  const liveSecret = await vault.tryGetSecret(name, undefined, signal);
  if (liveSecret) return updateVaultSecret(liveSecret, name, value, write);
  const expires = expiresMs === undefined ? undefined : now + expiresMs;
  try {
    await vault.setSecret(name, content(value, { json, expires, tags: ownTag(write) }), {
      recover: false,
      signal,
      hidden,
    });
  } catch (error) {
    if (!(error instanceof KeyVaultError) || !error.hasCode('ObjectIsDeletedButRecoverable')) throw error;
    const deleted = write.isShared ? await vault.tryGetDeleted('secrets', name, signal) : undefined;
    if (deleted && !isTagged(deleted, write)) throw ownedByOthers(name, deleted, write);
    await vault.recover('secrets', name, signal);
    // A deleted secret belongs to no resource, whatever its tag.
    return updateVaultSecret(await vault.getSecret(name, undefined, signal), name, value, write, true);
  }
  return { did: 'written', renewAt: renewalOf(expires, expiresMs) };
}

async function updateVaultSecret(
  liveSecret: VaultSecret,
  name: string,
  value: string,
  write: VaultWrite,
  isRecovered = false,
): Promise<VaultOutcome> {
  const { vault, expiresMs, json, hidden, now, signal } = write;
  const tag = ownTag(write);
  const mine = isTagged(liveSecret, write);
  const isOthers = write.isShared || (liveSecret.tags[vaultOwnerTag] !== undefined && !isRecovered);
  if (!mine && isOthers) throw ownedByOthers(name, liveSecret, write);
  const tags = { ...liveSecret.tags, ...tag };
  const expires = expiresMs === undefined ? undefined : now + expiresMs;
  const removesExpiry = expiresMs === undefined && mine && liveSecret.expires !== undefined;
  if (liveSecret.value !== value || removesExpiry) {
    await vault.setSecret(name, content(value, { json, expires, tags }), { recover: false, signal, hidden });
    return { did: 'written', renewAt: renewalOf(expires, expiresMs) };
  }
  if (expires !== undefined && isDue(liveSecret.expires, expires, expiresMs)) {
    await vault.updateSecret(name, liveSecret.version ?? '', { expires, tags }, signal);
    return { did: 'renewed', renewAt: renewalOf(expires, expiresMs) };
  }
  return { did: 'same', renewAt: expiresMs === undefined ? undefined : renewalOf(liveSecret.expires, expiresMs) };
}

function isTagged({ tags }: Pick<VaultSecret, 'tags'>, { resourceId }: VaultWrite): boolean {
  return tags[vaultOwnerTag] === tagOf(resourceId);
}

function ownedByOthers(name: string, { tags }: Pick<VaultSecret, 'tags'>, { vault, resourceId, isShared }: VaultWrite) {
  const where = `The secret "${name}" of ${vault.url.hostname}`;
  const message = isShared
    ? `${where} exists or was deleted, and does not have this resource in its tag ${vaultOwnerTag}: it is left as it ` +
      `is. Choose another operatorSpec.keyVault.name, or let the vault's administrator set the tag to ${tagOf(resourceId)}`
    : `${where} holds values of ${tags[vaultOwnerTag]}: it is left as it is. Choose another ` +
      `operatorSpec.keyVault.name, or take the tag ${vaultOwnerTag} off the secret`;
  return new AzimuthError('AZ_CONFLICT_OWNED', message);
}

/** Half of its time is over, or it expires more than a second too late; Key Vault rounds to seconds. */
function isDue(current: number | undefined, expected: number, expiresMs = 0): boolean {
  return current === undefined || current < expected - expiresMs / 2 || current > expected + 1000;
}

function renewalOf(expires: number | undefined, expiresMs = 0): number | undefined {
  return expires === undefined ? undefined : expires - expiresMs / 2;
}

function content(
  value: string,
  more: {
    readonly json: boolean;
    readonly expires: number | undefined;
    readonly tags: Readonly<Record<string, string>>;
  },
) {
  const { json, expires, tags } = more;
  return { value, tags, ...(json && { contentType: 'application/json' }), ...(expires !== undefined && { expires }) };
}

function ownTag({ resourceId }: Pick<VaultWrite, 'resourceId'>): Readonly<Record<string, string>> {
  return { [vaultOwnerTag]: tagOf(resourceId) };
}

function tagOf(resourceId: string): string {
  const id = normalizeResourceId(resourceId);
  return id.length <= longestTag ? id : jsonHash(id);
}

/** Deletes a secret with values of this resource, and leaves any other. With soft-delete it can be recovered. */
export async function deleteVaultSecret(
  name: string,
  { vault, resourceId, signal }: Pick<VaultWrite, 'vault' | 'resourceId' | 'signal'>,
): Promise<void> {
  const liveSecret = await vault.tryGetSecret(name, undefined, signal);
  if (liveSecret?.tags[vaultOwnerTag] === tagOf(resourceId)) await vault.delete('secrets', name, signal);
}
