import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../runtime/base/json.ts';
import { bodyProblems, listenerProblems } from '../../../runtime/compute/machines/machine-checks.ts';
import type { Machine } from '../../../runtime/compute/machines/machine-model.ts';
import { identityId, machine, secretUrl, vaultId } from './support.ts';

const found = (on: Machine) => bodyProblems(on).map(({ name, path }) => `${name} ${path}`);
const osProfile = (members: JsonObject) => ({ osProfile: { adminUsername: 'ops', ...members } });

test('names, password, keys, data and certificates are checked where they are', () => {
  const members = {
    adminUsername: 'root',
    adminPassword: 'hunter2hunter2',
    computerName: 'a b',
    customData: '!',
    linuxConfiguration: { ssh: { publicKeys: [{ path: '/root/.ssh/authorized_keys', keyData: 'ssh-rsa x' }] } },
    secrets: [{ sourceVault: { id: vaultId('v1') }, vaultCertificates: [{ certificateUrl: 'x' }] }],
  };
  expect(found(machine('VirtualMachine', osProfile(members)))).toEqual([
    'AdminUsernameInvalid properties.osProfile.adminUsername',
    'AdminPasswordInvalid properties.osProfile.adminPassword',
    'ComputerNameInvalid properties.osProfile.computerName',
    'CustomDataInvalid properties.osProfile.customData',
    'SshPathInvalid properties.osProfile.linuxConfiguration.ssh.publicKeys[0].path',
    'SshKeyInvalid properties.osProfile.linuxConfiguration.ssh.publicKeys[0].keyData',
    'CertificateUrlInvalid properties.osProfile.secrets[0].vaultCertificates[0].certificateUrl',
  ]);
});

test('no message has the password', () => {
  const problems = bodyProblems(machine('VirtualMachine', osProfile({ adminPassword: 'hunter2hunter2' })));
  expect(problems).toHaveLength(1);
  expect(JSON.stringify(problems)).not.toContain('hunter2');
});

test('the profile of a scale set is checked under its own path', () => {
  const set = machine('VirtualMachineScaleSet', osProfile({ computerNamePrefix: 'x'.repeat(16) }));
  expect(found(set)).toEqual([
    'ComputerNamePrefixInvalid properties.virtualMachineProfile.osProfile.computerNamePrefix',
  ]);
});

test('a Rolling set needs a health source: a probe, or the extension', () => {
  const set = (profile: JsonObject) =>
    found(machine('VirtualMachineScaleSet', profile, { properties: { upgradePolicy: { mode: 'Rolling' } } }));
  expect(set({})).toEqual(['HealthSourceMissing properties.upgradePolicy.mode']);
  expect(set({ networkProfile: { healthProbe: { id: '/p' } } })).toEqual([]);
  const properties = { publisher: 'microsoft.managedservices', type: 'ApplicationHealthLinux' };
  expect(set({ extensionProfile: { extensions: [{ name: 'h', properties }] } })).toEqual([]);
});

test('a Flexible set has no identity of its own', () => {
  const set = machine(
    'VirtualMachineScaleSet',
    {},
    {
      body: { identity: { type: 'SystemAssigned, UserAssigned', userAssignedIdentities: { [identityId('a')]: {} } } },
      properties: { orchestrationMode: 'Flexible' },
    },
  );
  expect(found(set)).toEqual(['SystemIdentityOnFlexible identity.type']);
});

test('a set of Service Fabric is reported, as nobody else may roll it', () => {
  const properties = { publisher: 'Microsoft.Azure.ServiceFabric', type: 'ServiceFabricLinuxNode' };
  const set = machine('VirtualMachineScaleSet', { extensionProfile: { extensions: [{ name: 'sf', properties }] } });
  expect(bodyProblems(set)).toMatchObject([{ name: 'ServiceFabricSet', severity: 'Warning' }]);
});

test('a certificate of a WinRM listener is among the certificates of the machine', () => {
  const certificateUrl = secretUrl('v1', 'c');
  const winRM = { listeners: [{ protocol: 'Https', certificateUrl }, { protocol: 'Http' }] };
  const windows = (secrets: object[]) =>
    listenerProblems(
      machine('VirtualMachine', osProfile({ windowsConfiguration: { winRM }, secrets }), { os: 'Windows' }),
    );
  expect(windows([])).toMatchObject([
    {
      name: 'ListenerCertificateUnknown',
      path: 'properties.osProfile.windowsConfiguration.winRM.listeners[0].certificateUrl',
      azure: {
        message: `Certificate ${certificateUrl} specified in WinRM configuration is not defined in the VM model secrets.`,
      },
    },
  ]);
  expect(windows([{ sourceVault: { id: vaultId('v1') }, vaultCertificates: [{ certificateUrl }] }])).toEqual([]);
});

test.each([
  null,
  7,
  'x',
  [],
  { osProfile: [] },
  { osProfile: { secrets: {}, linuxConfiguration: { ssh: { publicKeys: [7] } } } },
])('a profile that is %j costs problems at most', (profile) => {
  for (const kind of ['VirtualMachine', 'VirtualMachineScaleSet'] as const) {
    const properties = kind === 'VirtualMachine' ? profile : { virtualMachineProfile: profile };
    expect(() => bodyProblems({ ...machine(kind), body: { properties } })).not.toThrow();
  }
});

test('keys beyond a hundred are refused before they are read', () => {
  const publicKeys = Array.from({ length: 101 }, () => ({ keyData: 'x' }));
  expect(found(machine('VirtualMachine', osProfile({ linuxConfiguration: { ssh: { publicKeys } } })))).toEqual([
    'SshKeysTooMany properties.osProfile.linuxConfiguration.ssh.publicKeys',
  ]);
});

test('protected settings from a vault are versioned, lie in that vault, and exclude settings of their own', () => {
  const from = (vault: string, secretUrlText: string) => ({
    protectedSettingsFromKeyVault: { secretUrl: secretUrlText, sourceVault: { id: vaultId(vault) } },
  });
  const on = (properties: JsonObject) => machine('VirtualMachine', {}, { extensions: [{ name: 'x', properties }] });
  const at = 'extensions[x].properties';
  expect(found(on(from('v1', secretUrl('v1', 's'))))).toEqual([]);
  expect(found(on(from('v2', secretUrl('v1', 's'))))).toEqual([
    `SourceVaultDiffers ${at}.protectedSettingsFromKeyVault.secretUrl`,
  ]);
  expect(found(on({ ...from('v1', 'https://v1.vault.azure.net/secrets/s'), protectedSettings: {} }))).toEqual([
    `CertificateUrlNotVersioned ${at}.protectedSettingsFromKeyVault.secretUrl`,
    `ProtectedSettingsTwice ${at}.protectedSettings`,
  ]);
});
