import { expect, test } from '@jest/globals';
import type { SecretUse } from '../../../runtime/compute/machines/machine-model.ts';
import { secretUseProblems } from '../../../runtime/compute/machines/secret-delivery.ts';
import { vmAccessContentType } from '../../../runtime/compute/machines/vm-access.ts';
import { certificate, identityId, machine, secretUrl, vaultId, version } from './support.ts';

const linux = machine('VirtualMachine');
const windows = machine('VirtualMachine', {}, { os: 'Windows' });
const found = (use: SecretUse, on = linux) =>
  secretUseProblems(on, use, 'u').map(({ name, path }) => `${name} ${path}`);
const settings = { contentType: vmAccessContentType };

test.each([
  ['Password', 'OsProfile', 'VMAccess or Endpoint'],
  ['Password', 'VaultExtension', 'VMAccess or Endpoint'],
  ['SymmetricKey', 'OsProfile', 'Endpoint'],
  ['SymmetricKey', 'VMAccess', 'Endpoint'],
  ['ResourceKey', 'VaultExtension', 'Endpoint'],
  ['Certificate', 'VMAccess', 'OsProfile or VaultExtension or Endpoint'],
  ['Certificate', 'Identity', 'OsProfile or VaultExtension or Endpoint'],
  ['Identity', 'Endpoint', 'Identity'],
  ['Identity', 'OsProfile', 'Identity'],
] as const)('%s by %s is refused, and the message says what works: %s', (kind, delivery, works) => {
  const [problem] = secretUseProblems(linux, certificate({ kind, delivery }), 'u');
  expect(problem).toMatchObject({ name: 'DeliveryImpossible', path: 'u.delivery', severity: 'Error' });
  expect(problem?.message.endsWith(`; set ${works}`)).toBe(true);
});

test.each([
  ['CustomData', /stays readable on the machine for its life/],
  ['UserData', /every process on the machine reads userData/],
  ['AdminPassword', /reaches only new and reimaged instances of a set/],
  ['constructor', /cannot be delivered by "constructor"/],
])('delivery by %s is refused with its own reason', (delivery, reason) => {
  const [problem] = secretUseProblems(linux, certificate({ kind: 'Password', delivery }), 'u');
  expect(problem?.message).toMatch(reason);
});

test('VMAccess sets a key on Linux only', () => {
  const key = certificate({ kind: 'SshKey', delivery: 'VMAccess', version: version('kv1', 'key', settings) });
  expect(found(key)).toEqual([]);
  expect(found(key, windows)).toEqual(['DeliveryImpossible u.delivery']);
});

test('the endpoint needs nothing of the machine, whatever the vault', () => {
  expect(found({ name: 'k', kind: 'SymmetricKey', delivery: 'Endpoint' })).toEqual([]);
});

test('a closed vault, another region and another subscription are found, with what Azure would answer in the operation', () => {
  const problems = secretUseProblems(
    linux,
    certificate({
      version: version('kv1', 'web', {
        vaultId: vaultId('kv1').replace('11111111-', '22222222-'),
        enabledForDeployment: false,
        vaultLocation: 'East US',
      }),
    }),
    'u',
  );
  expect(problems.map(({ name }) => name)).toEqual([
    'VaultNotEnabled',
    'VaultRegionDiffers',
    'VaultSubscriptionDiffers',
  ]);
  expect(problems[0]?.azure).toMatchObject({ when: 'Operation', code: 'KeyVaultAccessForbidden' });
  expect(problems[1]?.azure?.message).toBe(
    `The Key Vault ${secretUrl('kv1', 'web')} is located in location eastus, which is different from the location of the VM, westeurope. The VM and Key Vault need to be located within the same region.`,
  );
  for (const { message } of problems) expect(message).toMatch(/; (set|add|use) /);
});

test('locations are compared without regard to case and spaces', () => {
  expect(found(certificate({ version: version('kv1', 'web', { vaultLocation: 'West Europe' }) }))).toEqual([]);
});

test('the Key Vault extension may read a vault of any region, as the machine reads it and not Compute', () => {
  const far = version('kv1', 'web', { enabledForDeployment: false, vaultLocation: 'eastus' });
  expect(found(certificate({ delivery: 'VaultExtension', version: far }))).toEqual([]);
});

test('a certificate must be exportable, and no PEM for osProfile', () => {
  expect(found(certificate({ version: version('kv1', 'web', { exportable: false }) }))).toEqual([
    'CertificateNotExportable u',
  ]);
  const pem = version('kv1', 'web', { contentType: 'application/x-pem-file' });
  expect(found(certificate({ version: pem }))).toEqual(['CertificateImproperlyFormatted u']);
  expect(found(certificate({ version: pem, delivery: 'VaultExtension' }))).toEqual([]);
});

test('the version must be there, be versioned, and lie in its vault', () => {
  const { version: _, ...without } = certificate();
  expect(found(without)).toEqual(['VersionMissing u.managedSecret']);
  const unversioned = version('kv1', 'web', { secretUrl: 'https://kv1.vault.azure.net/secrets/web' });
  expect(found(certificate({ version: unversioned }))).toEqual(['CertificateUrlNotVersioned u']);
  expect(found(certificate({ version: version('kv1', 'web', { vaultId: vaultId('kv2') }) }))).toEqual([
    'SourceVaultDiffers u',
  ]);
});

test('Windows needs a store for osProfile', () => {
  expect(found(certificate(), windows)).toEqual(['CertificateStoreMissing u.certificateStore']);
  expect(found(certificate({ certificateStore: 'My' }), windows)).toEqual([]);
  expect(found(certificate({ delivery: 'VaultExtension' }), windows)).toEqual([]);
});

test('VMAccess reads settings in JSON, not a bare password', () => {
  const password = certificate({ kind: 'Password', delivery: 'VMAccess', version: version('kv1', 'pw') });
  expect(found(password)).toEqual(['VmAccessFormMissing u']);
  expect(found({ ...password, version: version('kv1', 'pw', settings) })).toEqual([]);
});

test('an identity must be there', () => {
  const use = { name: 'id', kind: 'Identity', delivery: 'Identity' } as const;
  expect(found(use)).toEqual(['IdentityMissing u']);
  expect(found({ ...use, identity: { id: vaultId('kv1'), clientId: 'c' } })).toEqual(['IdentityMissing u']);
  expect(found({ ...use, identity: { id: identityId('id'), clientId: 'c' } })).toEqual([]);
});

test('a vault whose newest version is not the one of the machine is a warning for the Key Vault extension', () => {
  const use = certificate({ delivery: 'VaultExtension', latest: 3 });
  const problems = secretUseProblems(machine('VirtualMachine'), use, 'p');
  expect(problems).toMatchObject([{ name: 'NewerVersionRead', path: 'p.delivery', severity: 'Warning' }]);
  expect(problems[0]?.message).toContain('version 3 of web');
  expect(found(certificate({ latest: 3 }))).toEqual([]);
});
