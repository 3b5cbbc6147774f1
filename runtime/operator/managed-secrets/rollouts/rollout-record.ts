import { KeyVaultError } from '../../../azure/key-vault/error.ts';
import {
  decodeRollout,
  encodeRollout,
  type RolloutState,
  rolloutSecretName,
} from '../../../compute/managed-secrets/rollout-state.ts';
import { ownerTag, versionTags } from '../../../compute/managed-secrets/vault-tags.ts';
import { ownerOf } from '../secret-object.ts';
import { unlessDeleted } from '../vaults/secret-steps.ts';
import { type OpenVault, PlaceProblem, type SecretContext } from '../vaults/vault-places.ts';

const contentType = 'application/json';

/** The state of the rollout in the home vault. Throws PlaceProblem for a secret of another object. */
export async function readRollout(context: SecretContext, { vault }: OpenVault): Promise<RolloutState | undefined> {
  const name = rolloutSecretName(context.name);
  const storedRecord = await vault.tryGetSecret(name, undefined, context.signal).catch((error: unknown) => {
    // Somebody disabled its newest version.
    if (error instanceof KeyVaultError && error.hasCode('SecretDisabled')) return undefined;
    throw error;
  });
  if (!storedRecord) return undefined;
  if (storedRecord.tags[versionTags.object] !== ownerTag(ownerOf(context.object))) {
    const message = `${vault.url.hostname} has a secret "${name}" that is not this object's: remove it there`;
    throw new PlaceProblem('NameTaken', message);
  }
  return decodeRollout(storedRecord.value);
}

/** Writes the state, or an empty one in place of it. Its value is no secret. */
export async function writeRollout(
  context: SecretContext,
  { vault }: OpenVault,
  state: RolloutState | undefined,
): Promise<void> {
  const name = rolloutSecretName(context.name);
  const value = state ? encodeRollout(state) : '{}';
  const content = { value, contentType, tags: { [versionTags.object]: ownerTag(ownerOf(context.object)) } };
  const options = { recover: false, signal: context.signal };
  await unlessDeleted(context, vault, 'secrets', name, () => vault.setSecret(name, content, options));
}
