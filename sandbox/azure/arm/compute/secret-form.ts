import { type Refusal, refuse } from '../../exchange.ts';
import { at, type Json, stringOf } from '../../json.ts';
import type { WriteContext } from '../behaviour.ts';
import { isAllowed } from '../roles/access.ts';
import { objectsIn, profileOf, type SecretReference, secretReferences, settingsReference } from './profile.ts';

/** https, a path of a secret with a version of 32 digits. The host is checked when the vault is read. */
const versionedUrl = /^https:\/\/[a-z0-9.-]+(:\d+)?\/secrets\/[0-9a-z-]{1,127}\/[0-9a-f]{32}\/?$/i;
const vaultForm = /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.KeyVault\/vaults\/[^/]+$/i;
const deploy = 'Microsoft.KeyVault/vaults/deploy/action';

function invalid(message: string, target: string): Refusal {
  return refuse(400, 'InvalidParameter', message, { target });
}

function checkReference({ url, vaultId, path }: SecretReference): void {
  if (!versionedUrl.test(url)) {
    throw invalid(
      `${url} is not a valid versioned Key Vault Secret URL. It should be in the format https://<vaultEndpoint>/secrets/<secretName>/<secretVersion>.`,
      path === 'osProfile.secrets' ? 'certificateUrl' : 'secretUrl',
    );
  }
  if (!vaultForm.test(vaultId)) {
    throw invalid(`The value '${vaultId}' of parameter 'sourceVault.id' is not the id of a vault.`, 'sourceVault.id');
  }
}

/** A caller that deploys secrets of a vault into a machine needs a right on that vault. */
function checkDeploy(vaultIds: readonly string[], { settings, state, caller, path }: WriteContext): void {
  if (!settings.enforceRbac) return;
  const denied = vaultIds.filter((id) => !isAllowed(state, caller.objectId, deploy, id));
  if (denied.length === 0) return;
  throw refuse(
    403,
    'LinkedAuthorizationFailed',
    `The client '${caller.clientId}' with object id '${caller.objectId}' has permission to perform action '${path.type}/write' on scope '${path.id}'; however, it does not have permission to perform action '${deploy}' on the linked scope(s) '${denied.join(',')}' or the linked scope(s) are invalid.`,
  );
}

function checkProfile(profile: Json): void {
  const seen = new Set<string>();
  for (const group of objectsIn(at(profile, 'osProfile.secrets'))) {
    const id = stringOf(at(group, 'sourceVault.id'));
    if (seen.has(id.toLowerCase())) {
      throw invalid(`List secrets contains repeated instances of ${id}, which is disallowed.`, 'sourceVault.id');
    }
    seen.add(id.toLowerCase());
  }
  if (seen.size === 0) return;
  for (const os of ['windowsConfiguration', 'linuxConfiguration']) {
    if (at(profile, `osProfile.${os}.provisionVMAgent`) !== false) continue;
    throw invalid('Certificates cannot be added to your VM if the VM agent is not provisioned.', 'osProfile.secrets');
  }
}

/** The checks of Azure in the PUT of a machine: the form of its secrets, not whether they can be read. */
export function checkMachineSecrets(context: WriteContext): void {
  const profile = profileOf(context.path.type, context.request);
  checkProfile(profile);
  checkExtensions(objectsIn(at(profile, 'extensionProfile.extensions')));
  const references = secretReferences(profile);
  references.forEach(checkReference);
  checkDeploy([...new Set(references.map(({ vaultId }) => vaultId))], context);
}

/** The same for an extension that is written by itself. */
export function checkExtensionSecrets(context: WriteContext): void {
  checkExtensions([context.request]);
  const references = settingsReference(context.request);
  references.forEach(checkReference);
  checkDeploy(
    references.map(({ vaultId }) => vaultId),
    context,
  );
}

function checkExtensions(extensions: readonly Json[]): void {
  for (const extension of extensions) {
    const both = ['protectedSettings', 'protectedSettingsFromKeyVault'].map((name) =>
      at(extension, `properties.${name}`),
    );
    if (both.every((value) => value !== undefined)) {
      throw invalid(
        'The extension can contain either protectedSettings or protectedSettingsFromKeyVault or no protected settings at all.',
        'protectedSettings',
      );
    }
  }
}
