/**
 * Resources that a machine's body reaches beyond itself: vaults whose secrets Azure puts onto the machine, and
 * identities whose tokens it gets. Under the multi-tenant profile each of them has to lie in a scope of the namespace.
 */
import { isObject } from '../../base/json.ts';
import {
  extensionPath,
  extensionsOf,
  listIn,
  type Machine,
  objectIn,
  osProfileOf,
  profilePath,
  textIn,
} from './machine-model.ts';

/** One reference, by the path that has it. */
export interface MachineReference {
  readonly path: string;
  readonly kind: 'Vault' | 'Identity';
  /** The ARM id as written; '' for one that is missing or no text, which lies in no scope. */
  readonly id: string;
}

/** Every vault and user-assigned identity that the body names, in the order of its fields. */
export function machineReferences(machine: Machine): MachineReference[] {
  const references: MachineReference[] = [];
  const vault = (path: string, value: unknown) =>
    references.push({ path, kind: 'Vault', id: textIn(objectIn(value, 'sourceVault'), 'id') ?? '' });
  for (const id of Object.keys(objectIn(machine.body, 'identity', 'userAssignedIdentities'))) {
    references.push({ path: 'identity.userAssignedIdentities', kind: 'Identity', id });
  }
  const secrets = `${profilePath(machine)}.osProfile.secrets`;
  for (const [index, group] of listIn(osProfileOf(machine), 'secrets').entries()) {
    vault(`${secrets}[${index}].sourceVault.id`, group);
  }
  for (const { name, properties } of extensionsOf(machine)) {
    const from = properties['protectedSettingsFromKeyVault'];
    const path = `${extensionPath(machine, name)}.protectedSettingsFromKeyVault.sourceVault.id`;
    if (isObject(from)) vault(path, from);
  }
  return references;
}
