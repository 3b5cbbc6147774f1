/**
 * The VMAccess extension sets a user's password or key on a running machine. Its protected settings come from a secret in
 * the regional vault, so that no value is in a request to Azure. That secret is the JSON of the settings, not the password.
 */
import type { JsonObject } from '../../base/json.ts';
import type { OsType } from '../problems/compute-problem.ts';
import type { SecretVersion } from './machine-model.ts';

/** Publisher, type and version of the extension. */
export const vmAccessExtensions: Readonly<Record<OsType, { publisher: string; type: string; version: string }>> = {
  Linux: { publisher: 'Microsoft.OSTCExtensions', type: 'VMAccessForLinux', version: '1.5' },
  Windows: { publisher: 'Microsoft.Compute', type: 'VMAccessAgent', version: '2.0' },
};

/** Content type of a Key Vault secret that is the protected settings of VMAccess; it distinguishes them from a bare password. */
export const vmAccessContentType = 'application/vnd.azimuth.vmaccess+json';

/** A user's new password or public key. */
export interface VmAccessUser {
  readonly username: string;
  readonly password?: string;
  /** Linux: the public key in OpenSSH form. */
  readonly sshKey?: string;
}

/** The value to keep in the vault, with the content type above. Is a secret: it goes nowhere but into the vault. */
export function vmAccessValue(os: OsType, { username, password, sshKey }: VmAccessUser): string {
  if (os === 'Windows') return JSON.stringify({ Password: password });
  return JSON.stringify({
    username,
    ...(password !== undefined && { password }),
    ...(sshKey !== undefined && { ssh_key: sshKey }),
  });
}

/** Properties of the extension. `tag` changes with each version, as equal settings are not applied again. */
export function vmAccessProperties(
  os: OsType,
  username: string,
  { secretUrl, vaultId }: SecretVersion,
  tag: string,
): JsonObject {
  const { publisher, type, version } = vmAccessExtensions[os];
  return {
    publisher,
    type,
    typeHandlerVersion: version,
    autoUpgradeMinorVersion: true,
    forceUpdateTag: tag,
    settings: os === 'Windows' ? { UserName: username } : {},
    protectedSettingsFromKeyVault: { secretUrl, sourceVault: { id: vaultId } },
  };
}
