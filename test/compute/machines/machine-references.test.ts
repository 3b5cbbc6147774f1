import { expect, test } from '@jest/globals';
import { machineReferences } from '../../../runtime/compute/machines/machine-references.ts';
import { identityId, machine, secretUrl, vaultId } from './support.ts';

test('vaults of certificates, vaults of protected settings and identities are listed with their paths', () => {
  const from = { secretUrl: secretUrl('kv2', 'pw'), sourceVault: { id: vaultId('kv2') } };
  const set = machine(
    'VirtualMachineScaleSet',
    {
      osProfile: { secrets: [{ sourceVault: { id: vaultId('kv1') } }, {}] },
      extensionProfile: { extensions: [{ name: 'access', properties: { protectedSettingsFromKeyVault: from } }] },
    },
    { body: { identity: { userAssignedIdentities: { [identityId('app')]: {} } } } },
  );
  const profile = 'properties.virtualMachineProfile';
  expect(machineReferences(set)).toEqual([
    { path: 'identity.userAssignedIdentities', kind: 'Identity', id: identityId('app') },
    { path: `${profile}.osProfile.secrets[0].sourceVault.id`, kind: 'Vault', id: vaultId('kv1') },
    { path: `${profile}.osProfile.secrets[1].sourceVault.id`, kind: 'Vault', id: '' },
    {
      path: `${profile}.extensionProfile.extensions[access].properties.protectedSettingsFromKeyVault.sourceVault.id`,
      kind: 'Vault',
      id: vaultId('kv2'),
    },
  ]);
});
