import type { KindExtension } from './extension.ts';
import { roleAssignmentExtension } from './role-assignment.ts';
import { vaultExtension } from './vault.ts';

/** By group and kind; a kind that is not here is data alone. */
const extensions: Readonly<Record<string, KindExtension>> = {
  'authorization.azure.com/RoleAssignment': roleAssignmentExtension,
  'keyvault.azure.com/Vault': vaultExtension,
  'resources.azure.com/ResourceGroup': { nestedStatus: true },
};

export function extensionOf(group: string, kind: string): KindExtension {
  return extensions[`${group}/${kind}`] ?? {};
}
