import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../runtime/base/json.ts';
import { planMachine } from '../../../runtime/compute/machines/machine-plan.ts';
import { vmAccessValue } from '../../../runtime/compute/machines/vm-access.ts';
import { identity, names, password } from './secret-uses.ts';
import { certificate, identityId, machine, secretUrl, vaultId, versionId } from './support.ts';

const observed = certificate({ delivery: 'VaultExtension' });
const frozen = <T>(value: T): T => {
  if (value !== null && typeof value === 'object') Object.values(Object.freeze(value)).forEach(frozen);
  return value;
};

test('the Key Vault extension of a machine is a resource of its own, read by the identity that is attached with it', () => {
  const plan = planMachine(machine('VirtualMachine'), [identity('reader'), observed]);
  expect(plan.problems).toEqual([]);
  expect(plan.extensions).toMatchObject([
    {
      name: 'KeyVaultForLinux',
      location: 'westeurope',
      properties: {
        typeHandlerVersion: '3.0',
        settings: {
          secretsManagementSettings: { observedCertificates: [{ url: 'https://kv1.vault.azure.net/secrets/web' }] },
          authenticationSettings: { msiClientId: 'client-of-reader' },
        },
      },
    },
  ]);
  expect(JSON.stringify(plan.body)).not.toContain('KeyVaultFor');
});

test('with two identities the one that reads has to be named, and has to be attached', () => {
  const uses = [identity('a'), identity('b'), observed];
  expect(names(machine('VirtualMachine'), ...uses)).toEqual(['MsiClientIdMissing']);
  const vaultIdentity = { id: identityId('B'), clientId: 'c' };
  expect(names(machine('VirtualMachine', {}, { vaultIdentity }), ...uses)).toEqual([]);
  expect(names(machine('VirtualMachine', {}, { vaultIdentity }), identity('a'), observed)).toEqual([
    'VaultIdentityNotAttached',
  ]);
  expect(names(machine('VirtualMachine'), observed)).toEqual(['VaultIdentityMissing']);
});

test('a scale set has its extensions in the model, in place of or after those of the manifest', () => {
  const mine = { name: 'other', properties: { publisher: 'p', type: 't' } };
  const vault = {
    name: 'kv',
    properties: {
      publisher: 'Microsoft.Azure.KeyVault',
      type: 'KeyVaultForLinux',
      typeHandlerVersion: '3.0',
      provisionAfterExtensions: ['other'],
      settings: { authenticationSettings: { msiClientId: 'mine' } },
    },
  };
  const set = (...extensions: JsonObject[]) =>
    frozen(
      machine(
        'VirtualMachineScaleSet',
        { extensionProfile: { extensionsTimeBudget: 'PT1H', extensions } },
        {
          body: { identity: { type: 'UserAssigned', userAssignedIdentities: { [identityId('reader')]: {} } } },
        },
      ),
    );
  const profileOf = (plan: ReturnType<typeof planMachine>) =>
    (plan.body as { properties: { virtualMachineProfile: { extensionProfile: { extensions: JsonObject[] } } } })
      .properties.virtualMachineProfile.extensionProfile;
  const replaced = planMachine(set(vault, mine), [observed]);
  expect(replaced).toMatchObject({ problems: [], extensions: [] });
  expect(profileOf(replaced)).toMatchObject({
    extensionsTimeBudget: 'PT1H',
    extensions: [
      {
        name: 'kv',
        properties: {
          provisionAfterExtensions: ['other'],
          settings: {
            authenticationSettings: { msiClientId: 'mine' },
            secretsManagementSettings: { observedCertificates: [{ url: 'https://kv1.vault.azure.net/secrets/web' }] },
          },
        },
      },
      mine,
    ],
  });
  const added = planMachine(set({ ...mine, name: 'keyvaultforlinux' }), [{ ...identity('reader') }, observed]);
  expect(added.problems).toEqual([]);
  expect(profileOf(added).extensions.map(({ name }) => name)).toEqual(['keyvaultforlinux', 'azimuth-KeyVaultForLinux']);
});

test('VMAccess gets its settings from the vault: the body names the secret and has no value', () => {
  const plan = planMachine(machine('VirtualMachine'), [password()]);
  expect(plan.extensions).toEqual([
    {
      name: 'VMAccessForLinux',
      location: 'westeurope',
      properties: {
        publisher: 'Microsoft.OSTCExtensions',
        type: 'VMAccessForLinux',
        typeHandlerVersion: '1.5',
        autoUpgradeMinorVersion: true,
        forceUpdateTag: versionId,
        settings: {},
        protectedSettingsFromKeyVault: { secretUrl: secretUrl('kv1', 'pw'), sourceVault: { id: vaultId('kv1') } },
      },
    },
  ]);
  const account = planMachine(machine('VirtualMachine', { osProfile: {} }, { os: 'Windows' }), [
    { ...password(), userName: 'breakglass' },
  ]);
  expect(account.extensions).toMatchObject([{ properties: { settings: { UserName: 'breakglass' } } }]);
  const windows = planMachine(machine('VirtualMachine', {}, { os: 'Windows' }), [password()]);
  expect(windows.extensions).toMatchObject([
    { name: 'VMAccessAgent', properties: { publisher: 'Microsoft.Compute', settings: { UserName: 'ops' } } },
  ]);
});

test('the value of VMAccess is the settings that each system reads', () => {
  const user = { username: 'ops', password: 'p' };
  expect(JSON.parse(vmAccessValue('Windows', user))).toEqual({ Password: 'p' });
  expect(JSON.parse(vmAccessValue('Linux', user))).toEqual(user);
  expect(JSON.parse(vmAccessValue('Linux', { username: 'ops', sshKey: 'k' }))).toEqual({
    username: 'ops',
    ssh_key: 'k',
  });
});

test('VMAccess needs a user, is there once, and has settings from one place', () => {
  const properties = { publisher: 'Microsoft.OSTCExtensions', type: 'VMAccessForLinux' };
  const own = (members: JsonObject) =>
    machine('VirtualMachine', {}, { extensions: [{ name: 'access', properties: { ...properties, ...members } }] });
  expect(names(machine('VirtualMachine', { osProfile: {} }), password())).toEqual(['AdminUsernameMissing']);
  expect(names(machine('VirtualMachine'), password('a'), password('b'))).toEqual(['VmAccessTwice']);
  expect(names(own({ protectedSettings: {} }), password())).toEqual(['ProtectedSettingsTwice']);
  expect(names(own({ protectedSettingsFromKeyVault: { secretUrl: secretUrl('kv1', 'x') } }), password())).toEqual([
    'ProtectedSettingsTwice',
  ]);
  expect(planMachine(own({ suppressFailures: true }), [password()]).extensions).toMatchObject([
    { name: 'access', properties: { suppressFailures: true, forceUpdateTag: versionId } },
  ]);
});
