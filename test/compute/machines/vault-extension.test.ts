import { expect, test } from '@jest/globals';
import {
  observedTextProblems,
  vaultExtensionProblems,
  vaultExtensionProperties,
  withCertificates,
} from '../../../runtime/compute/machines/vault-extension.ts';
import { identityId } from './support.ts';

const url = 'https://kv1.vault.azure.net/secrets/web';
const certificates = [{ url }];
const identities = { system: false, userAssigned: [identityId('reader')] };
const linux = { os: 'Linux', extended: false, identities, exists: false } as const;
const found = (properties: object, situation: Parameters<typeof vaultExtensionProblems>[1] = linux) =>
  vaultExtensionProblems({ properties: { ...properties } }, situation, 'e').map(({ name, path }) => `${name} ${path}`);

test('what we make has no problem, on both systems and with both kinds of identity', () => {
  for (const os of ['Linux', 'Windows'] as const) {
    const user = vaultExtensionProperties({ os, certificates, msiClientId: 'c' });
    expect(found(user, { ...linux, os })).toEqual([]);
    const system = { system: true, userAssigned: [] };
    expect(found(vaultExtensionProperties({ os, certificates }), { ...linux, os, identities: system })).toEqual([]);
  }
});

test('Linux 3.0 observes objects, and waits for the first fetch only with a user-assigned identity', () => {
  expect(vaultExtensionProperties({ os: 'Linux', certificates, msiClientId: 'c' })).toMatchObject({
    publisher: 'Microsoft.Azure.KeyVault',
    type: 'KeyVaultForLinux',
    typeHandlerVersion: '3.0',
    settings: {
      secretsManagementSettings: {
        pollingIntervalInS: '3600',
        requireInitialSync: true,
        observedCertificates: [{ url }],
      },
      authenticationSettings: { msiEndpoint: 'http://169.254.169.254/metadata/identity', msiClientId: 'c' },
    },
  });
  expect(vaultExtensionProperties({ os: 'Linux', certificates })).toMatchObject({
    settings: { secretsManagementSettings: { requireInitialSync: false } },
  });
});

test('Windows 4.0 has stores and none of the settings that are gone', () => {
  const made = vaultExtensionProperties({
    os: 'Windows',
    certificates: [{ url, certificateStore: 'Root' }],
    msiClientId: 'c',
  });
  expect(made).toMatchObject({
    type: 'KeyVaultForWindows',
    typeHandlerVersion: '4.0',
    settings: { authenticationSettings: { msiEndpoint: 'http://169.254.169.254/metadata/identity/oauth2/token' } },
  });
  expect((made['settings'] as { secretsManagementSettings: object }).secretsManagementSettings).toEqual({
    pollingIntervalInS: '3600',
    observedCertificates: [{ url, certificateStoreName: 'Root', certificateStoreLocation: 'LocalMachine' }],
  });
});

test('certificates are added to an extension that exists, and its settings stay', () => {
  const existing = {
    typeHandlerVersion: '3.1',
    settings: {
      secretsManagementSettings: {
        pollingIntervalInS: '600',
        aclEnabled: true,
        observedCertificates: [{ url: `${url}2` }],
      },
      authenticationSettings: { msiClientId: 'mine' },
    },
  };
  const merged = withCertificates(existing, { os: 'Linux', certificates, msiClientId: 'c' });
  expect(merged).toEqual({
    ...existing,
    settings: {
      ...existing.settings,
      secretsManagementSettings: {
        ...existing.settings.secretsManagementSettings,
        observedCertificates: [{ url: `${url}2` }, { url }],
      },
    },
  });
  expect(withCertificates(merged, { os: 'Linux', certificates, msiClientId: 'c' })).toEqual(merged);
});

test('a machine with a user-assigned identity must name the one that reads', () => {
  expect(found({ typeHandlerVersion: '3.0' })).toEqual([
    'MsiClientIdMissing e.settings.authenticationSettings.msiClientId',
  ]);
  expect(found({ settings: { authenticationSettings: { msiClientId: 'c' } } })).toEqual([]);
});

test('a machine without an identity cannot read', () => {
  expect(found({}, { ...linux, identities: { system: false, userAssigned: [] } })).toEqual([
    'VaultIdentityMissing e.settings',
  ]);
});

test("waiting for the first fetch with the machine's own identity is a deadlock before the machine exists", () => {
  const properties = { settings: { secretsManagementSettings: { requireInitialSync: true } } };
  const own = { ...linux, identities: { system: true, userAssigned: [] } };
  const problems = (exists: boolean) =>
    vaultExtensionProblems({ properties }, { ...own, exists }, 'e').map(({ name, severity }) => [name, severity]);
  expect(problems(false)).toEqual([['InitialSyncDeadlock', 'Error']]);
  expect(problems(true)).toEqual([['InitialSyncDeadlock', 'Warning']]);
});

test('certificates cannot be added to an old version', () => {
  const old = { typeHandlerVersion: '2.0', settings: { authenticationSettings: { msiClientId: 'c' } } };
  expect(found(old, { ...linux, extended: true })).toEqual(['VaultExtensionOld e.typeHandlerVersion']);
  expect(found(old)).toEqual([]);
});

test('a certificate as a text is a problem from the version on that observes objects', () => {
  const texts = (typeHandlerVersion: string, observedCertificates: unknown, type = 'KeyVaultForLinux') => {
    const settings = { secretsManagementSettings: { observedCertificates } };
    const properties = { publisher: 'microsoft.azure.keyvault', type, typeHandlerVersion, settings };
    return observedTextProblems({ name: 'kv', properties }, 'e').map(({ name, path }) => `${name} ${path}`);
  };
  const at = 'e.settings.secretsManagementSettings.observedCertificates';
  expect(texts('3.0', [{ url }, url])).toEqual([`ObservedCertificateText ${at}[1]`]);
  expect(texts('3.0', url)).toEqual([`ObservedCertificateText ${at}`]);
  expect(texts('3.0', [url], 'KeyVaultForWindows')).toEqual([`ObservedCertificateText ${at}[0]`]);
  for (const list of [[{ url }, url], url]) expect(texts('2.0', list)).toEqual([]);
  expect(texts('3.0', url, 'CustomScript')).toEqual([]);
  for (const none of [undefined, null, 1, {}]) expect(texts('3.0', none)).toEqual([]);
});

test('Windows 4.0 observes no pinned version', () => {
  const pinned = `${url}/0123456789abcdef0123456789abcdef`;
  const settings = (observedCertificates: object[]) => ({
    typeHandlerVersion: '4.0',
    settings: { secretsManagementSettings: { observedCertificates }, authenticationSettings: { msiClientId: 'c' } },
  });
  const windows = { ...linux, os: 'Windows' } as const;
  expect(found(settings([{ url }, { url: pinned }]), windows)).toEqual([
    'PinnedVersion e.settings.secretsManagementSettings.observedCertificates[1]',
  ]);
});
