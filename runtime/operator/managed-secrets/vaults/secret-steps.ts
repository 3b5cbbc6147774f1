import type { KeyVault } from '../../../azure/key-vault/client.ts';
import { KeyVaultError } from '../../../azure/key-vault/error.ts';
import {
  collectionOf,
  ownerTag,
  type SecretVersion,
  tagsOf,
  versionTags,
  vmAccessSecretName,
} from '../../../compute/managed-secrets/vault-tags.ts';
import type { FingerprintKey } from '../../references/fingerprint-key.ts';
import { ownerOf, rotationOf } from '../secret-object.ts';
import { type SecretValue, vmAccessForm } from '../values/secret-values.ts';
import type { OrderMemory } from './orders.ts';
import { type OpenVault, PlaceProblem, type SecretContext } from './vault-places.ts';

/** Which of the secrets of a vault: the one with the value, or the one with the protected settings of VMAccess. */
export type SecretPart = 'value' | 'vmAccess';

/** The input of a new version. Times in milliseconds since the epoch. */
export interface NewVersion {
  readonly number: number;
  readonly now: number;
  /** Fingerprint of the annotation that asked for it. */
  readonly request: string | undefined;
  /** The newest enabled version, which it follows. */
  readonly newest: SecretVersion | undefined;
  /** The order of a certificate at its issuer. */
  readonly order: OrderMemory;
}

/** Writes a value as a new version into the home vault. */
export async function writeVersion(
  context: SecretContext,
  { vault }: OpenVault,
  secret: SecretValue,
  { number, now, request }: NewVersion,
  fingerprints: Pick<FingerprintKey, 'of'>,
): Promise<void> {
  const owner = ownerOf(context.object);
  const hash = await valueHash(context, secret.value, fingerprints);
  const tags = tagsOf(owner, { number, hash, created: now, ...(request !== undefined && { request }) });
  const { every } = rotationOf(context.object.spec);
  const expires = every === undefined ? {} : { expires: now + every };
  await put(context, vault, context.name, { ...secret, tags, ...expires });
}

/** Keyed hash of a value: 16 hexadecimal digits, which reveal nothing about it without the operator's key. */
export async function valueHash(
  context: SecretContext,
  value: string,
  fingerprints: Pick<FingerprintKey, 'of'>,
): Promise<string> {
  const digest = await fingerprints.of({ object: ownerTag(ownerOf(context.object)), value }, context.signal);
  return digest.slice(0, 16);
}

/** Reads a version from the home vault and writes it into a vault, with the same tags. */
export async function copyVersion(
  context: SecretContext,
  source: OpenVault,
  target: OpenVault,
  part: SecretPart,
  version: SecretVersion,
): Promise<void> {
  const { signal, object, name } = context;
  const { value, contentType } = await source.vault.getSecret(name, version.version, signal);
  const tags = tagsOf(ownerOf(object), version);
  if (part === 'vmAccess') {
    await put(context, target.vault, vmAccessSecretName(name), { ...vmAccessForm(object.spec, value), tags }, [value]);
  } else if (object.spec.kind === 'Certificate') {
    await unlessDeleted(context, target.vault, 'certificates', name, () =>
      target.vault.importCertificate(name, { value, tags }, { recover: false, signal }),
    );
  } else {
    const { expires } = version;
    const content = { value, contentType: contentType ?? 'text/plain', tags };
    await put(context, target.vault, name, { ...content, ...(expires !== undefined && { expires }) });
  }
}

/** Imports a certificate of a vault again, with its number, as the newest one there. */
export async function reimportVersion(
  context: SecretContext,
  { vault }: OpenVault,
  version: SecretVersion,
): Promise<void> {
  const { signal, object, name } = context;
  const { value } = await vault.getSecret(name, version.version, signal);
  const tags = { ...tagsOf(ownerOf(object), version), [versionTags.reimportOf]: version.version };
  await unlessDeleted(context, vault, 'certificates', name, () =>
    vault.importCertificate(name, { value, tags }, { recover: false, signal }),
  );
}

/** Disables an old version, after its reimports: a run that ends between the two goes on with the rest. */
export async function disableVersion(
  context: SecretContext,
  { vault }: OpenVault,
  part: SecretPart,
  { version, reimports = [] }: SecretVersion,
): Promise<void> {
  const collection = part === 'vmAccess' ? 'secrets' : collectionOf(context.object.spec.kind);
  const name = part === 'vmAccess' ? vmAccessSecretName(context.name) : context.name;
  for (const id of [...reimports, version]) await vault.setEnabled(collection, name, id, false, context.signal);
}

async function put(
  context: SecretContext,
  vault: KeyVault,
  name: string,
  content: SecretValue & { readonly tags: Readonly<Record<string, string>>; readonly expires?: number },
  hidden: readonly string[] = [],
): Promise<void> {
  const options = { recover: false, signal: context.signal, hidden };
  await unlessDeleted(context, vault, 'secrets', name, () =>
    vault.setSecret(name, { ...content, enabled: true }, options),
  );
}

/**
 * Writes a secret. A soft-deleted one of this object is recovered instead, and the next run decides on its versions.
 * Throws PlaceProblem in that case, and for a deleted secret of another object.
 */
export async function unlessDeleted(
  { object, signal }: SecretContext,
  vault: KeyVault,
  collection: 'secrets' | 'certificates',
  name: string,
  write: () => Promise<unknown>,
): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof KeyVaultError) || !error.hasCode('ObjectIsDeletedButRecoverable')) throw error;
    const deleted = await vault.tryGetDeleted(collection, name, signal);
    if (deleted?.tags[versionTags.object] !== ownerTag(ownerOf(object))) {
      const message =
        `${vault.url.hostname} has a deleted secret "${name}" that is not this object's: ` +
        'purge it there, or set another spec.vaultSecretName';
      throw new PlaceProblem('NameTaken', message);
    }
    await vault.recover(collection, name, signal);
    const message = `Somebody deleted the secret "${name}" of ${vault.url.hostname}: it is recovered and read again`;
    throw new PlaceProblem('SecretRecovered', message);
  }
}
