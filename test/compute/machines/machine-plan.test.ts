import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../runtime/base/json.ts';
import type { Machine, SecretUse } from '../../../runtime/compute/machines/machine-model.ts';
import { planMachine } from '../../../runtime/compute/machines/machine-plan.ts';
import { vmAccessContentType, vmAccessValue } from '../../../runtime/compute/machines/vm-access.ts';
import { certificate, identityId, machine, secretUrl, vaultId, version, versionId } from './support.ts';

const names = (on: Machine, ...uses: SecretUse[]) => planMachine(on, uses).problems.map(({ name }) => name);
const password = (name = 'pw'): SecretUse => ({
  name,
  kind: 'Password',
  delivery: 'VMAccess',
  version: version('kv1', name, { contentType: vmAccessContentType }),
});
const identity = (name: string): SecretUse => ({
  name,
  kind: 'Identity',
  delivery: 'Identity',
  identity: { id: identityId(name), clientId: `client-of-${name}` },
});
const observed = certificate({ delivery: 'VaultExtension' });
const frozen = <T>(value: T): T => {
  if (value !== null && typeof value === 'object') Object.values(Object.freeze(value)).forEach(frozen);
  return value;
};

test('certificates are grouped by vault after what is there, and the rest of the body stays', () => {
  const mine = {
    sourceVault: { id: vaultId('KV1') },
    vaultCertificates: [{ certificateUrl: secretUrl('kv1', 'own') }],
  };
  const on = frozen(
    machine(
      'VirtualMachine',
      { osProfile: { adminUsername: 'ops', secrets: [mine] }, hardwareProfile: { vmSize: 's' } },
      {
        body: { tags: { a: 'b' }, zones: ['1'] },
      },
    ),
  );
  const other = certificate({ name: 'other', version: version('kv2', 'other') });
  const plan = planMachine(on, [certificate(), other, certificate()]);
  expect(plan).toEqual({
    problems: [],
    extensions: [],
    body: {
      ...on.body,
      properties: {
        osProfile: {
          adminUsername: 'ops',
          secrets: [
            {
              sourceVault: { id: vaultId('KV1') },
              vaultCertificates: [
                { certificateUrl: secretUrl('kv1', 'own') },
                { certificateUrl: secretUrl('kv1', 'web') },
              ],
            },
            { sourceVault: { id: vaultId('kv2') }, vaultCertificates: [{ certificateUrl: secretUrl('kv2', 'other') }] },
          ],
        },
        hardwareProfile: { vmSize: 's' },
      },
    },
  });
});

test('a scale set has its certificates in the profile of the instances', () => {
  const on = machine('VirtualMachineScaleSet', {}, { properties: { upgradePolicy: { mode: 'Manual' } } });
  expect(planMachine(on, [certificate()]).body).toMatchObject({
    properties: {
      upgradePolicy: { mode: 'Manual' },
      virtualMachineProfile: {
        osProfile: { adminUsername: 'ops', secrets: [{ sourceVault: { id: vaultId('kv1') } }] },
      },
    },
  });
});

test('Windows certificates have their store, and Linux ones lose theirs with a warning', () => {
  const store = { certificateUrl: secretUrl('kv1', 'own'), certificateStore: 'My' };
  const secrets = [{ sourceVault: { id: vaultId('kv1') }, vaultCertificates: [store] }];
  const plan = (os: 'Linux' | 'Windows') =>
    planMachine(machine('VirtualMachine', { osProfile: { secrets } }, { os }), [
      certificate({ certificateStore: 'My' }),
    ]);
  const certificates = [store, { certificateUrl: secretUrl('kv1', 'web'), certificateStore: 'My' }];
  expect(plan('Windows')).toMatchObject({
    problems: [],
    body: { properties: { osProfile: { secrets: [{ vaultCertificates: certificates }] } } },
  });
  const linux = plan('Linux');
  expect(linux.problems).toMatchObject([{ severity: 'Warning' }, { severity: 'Warning' }]);
  expect(JSON.stringify(linux.body)).not.toContain('certificateStore');
});

test('the plan has no body while there is an error, and names all of them', () => {
  const plan = planMachine(machine('VirtualMachine', { osProfile: { adminUsername: 'root' } }), [
    certificate({ kind: 'Password' }),
    certificate({ version: version('kv1', 'web', { enabledForDeployment: false }) }),
  ]);
  expect(plan.body).toBeUndefined();
  expect(plan.extensions).toEqual([]);
  expect(plan.problems.map(({ name, path }) => `${name} ${path}`)).toEqual([
    'AdminUsernameInvalid properties.osProfile.adminUsername',
    'DeliveryImpossible spec.operatorSpec.managedSecrets[0].delivery',
    'VaultNotEnabled spec.operatorSpec.managedSecrets[1]',
  ]);
});

test('an identity is attached beside those of the manifest, once', () => {
  const own = { type: 'SystemAssigned', userAssignedIdentities: { [identityId('MINE')]: {} } };
  const on = frozen(machine('VirtualMachine', {}, { body: { identity: own } }));
  expect(planMachine(on, [identity('app'), identity('app'), identity('mine')]).body?.['identity']).toEqual({
    type: 'SystemAssigned, UserAssigned',
    userAssignedIdentities: { [identityId('MINE')]: {}, [identityId('app')]: {} },
  });
  expect(planMachine(machine('VirtualMachine'), [identity('app')]).body?.['identity']).toMatchObject({
    type: 'UserAssigned',
  });
});

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

test('certificates and extensions need the VM agent, and extensions that they are allowed', () => {
  const linux = (members: JsonObject) => machine('VirtualMachine', { osProfile: { adminUsername: 'ops', ...members } });
  const noAgent = linux({ linuxConfiguration: { provisionVMAgent: false } });
  expect(names(noAgent, certificate())).toEqual(['VmAgentMissing']);
  expect(names(noAgent, password())).toEqual(['VmAgentMissing']);
  expect(names(noAgent)).toEqual([]);
  expect(names(linux({ allowExtensionOperations: false }), password())).toEqual(['ExtensionsForbidden']);
  expect(names(linux({ allowExtensionOperations: false }), certificate())).toEqual([]);
});

test('a WinRM listener may use a managed certificate', () => {
  const winRM = { listeners: [{ certificateUrl: secretUrl('kv1', 'web') }] };
  const on = machine('VirtualMachine', { osProfile: { windowsConfiguration: { winRM } } }, { os: 'Windows' });
  expect(names(on, certificate({ certificateStore: 'My' }))).toEqual([]);
  expect(names(on)).toEqual(['ListenerCertificateUnknown']);
});

test('uses by the endpoint and no uses leave the body as it is', () => {
  const on = frozen(machine('VirtualMachineScaleSet', { extensionProfile: { extensions: [] } }));
  expect(planMachine(on, [{ name: 'k', kind: 'SymmetricKey', delivery: 'Endpoint' }]).body).toBe(on.body);
});

test('the sandbox has vaults on other ports', () => {
  const url = secretUrl('kv1', 'web').replace('.net/', '.net:8443/');
  const use = certificate({ delivery: 'VaultExtension', version: version('kv1', 'web', { secretUrl: url }) });
  const plan = planMachine(machine('VirtualMachine', {}, { vaultPort: 8443 }), [identity('reader'), use]);
  expect(JSON.stringify(plan.extensions)).toContain('"https://kv1.vault.azure.net:8443/secrets/web"');
  expect(names(machine('VirtualMachine'), identity('reader'), use)).toEqual(['CertificateUrlInvalid']);
});

test('more than fifty uses are refused before any work', () => {
  expect(names(machine('VirtualMachine'), ...Array.from({ length: 51 }, () => certificate()))).toEqual(['UsesTooMany']);
});
