import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  certificateGroupProblems,
  parseCertificateUrl,
} from '../../../runtime/compute/machines/certificate-references.ts';

const version = '0123456789abcdef0123456789abcdef';
const subscriptionId = '11111111-1111-1111-1111-111111111111';
const vaultId = (name: string, subscription = subscriptionId) =>
  `/subscriptions/${subscription}/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/${name}`;
const url = (vault = 'v1') => `https://${vault}.vault.azure.net/secrets/c/${version}`;
const group = (vault: string, certificateUrl = url(vault.toLowerCase()), certificateStore?: string) => ({
  sourceVault: { id: vaultId(vault) },
  vaultCertificates: [{ certificateUrl, ...(certificateStore && { certificateStore }) }],
});
const linux = { os: 'Linux', subscriptionId } as const;
const found = (machine: Parameters<typeof certificateGroupProblems>[0], secrets: unknown) =>
  certificateGroupProblems(machine, secrets, 'secrets').map(({ name, path }) => `${name} ${path}`);

test("a vault of the sandbox is a port of localhost, which is no vault of Azure's", () => {
  const local = `https://localhost:8443/secrets/c/${version}`;
  expect(parseCertificateUrl(local, 8443)).toMatchObject({ result: 'ok', url: { host: 'localhost', name: 'c' } });
  for (const [text, port] of [
    [local, 443],
    [local.replace(':8443', ''), 443],
    [local.replace(':8443', ':443'), 443],
  ] as const) {
    expect(parseCertificateUrl(text, port).result).toBe('refused');
  }
});

test('port 443 may be written; the sandbox has another port', () => {
  const withPort = (port: number) => url().replace('.net/', `.net:${port}/`);
  expect(parseCertificateUrl(withPort(443)).result).toBe('ok');
  expect(parseCertificateUrl(withPort(8443)).result).toBe('refused');
  expect(parseCertificateUrl(withPort(8443), 8443)).toEqual({
    result: 'ok',
    url: { host: 'v1.vault.azure.net', vault: 'v1', name: 'c', version },
  });
});

test.each([
  ['a key', url().replace('/secrets/', '/keys/'), 'wrongKind'],
  ['a user in the host', url().replace('//', '//v1@'), 'refused'],
  ['a query', `${url()}?api-version=7.4`, 'refused'],
  ['a fragment', `${url()}#x`, 'refused'],
  ['another segment', `${url()}/x`, 'refused'],
  ['a short version', url().slice(0, -1), 'refused'],
  ['dots as a name', url().replace('/c/', '/../'), 'refused'],
  ['no host', `https:///secrets/c/${version}`, 'refused'],
  ['a host without a dot', `https://localhost/secrets/c/${version}`, 'refused'],
  ['a long text', `${url()}${'x'.repeat(600)}`, 'refused'],
] as const)('a URL with %s is no certificate', (_, text, result) => {
  expect(parseCertificateUrl(text).result).toBe(result);
});

test('whatever a text is, it gets a result', () => {
  fc.assert(fc.property(fc.string(), (text) => parseCertificateUrl(`https://${text}`).result !== undefined));
});

test('a vault may have one group, whatever the case of its id', () => {
  expect(found(linux, [group('v1'), group('V1')])).toEqual(['VaultRepeated secrets[1].sourceVault.id']);
  const [problem] = certificateGroupProblems(linux, [group('v1'), group('V1')], 'secrets');
  expect(problem?.azure?.message).toBe(
    `List secrets contains repeated instances of ${vaultId('V1')}, which is disallowed.`,
  );
});

test('a certificate lies in the vault of its group', () => {
  expect(found(linux, [group('v1', url('v2'))])).toEqual([
    'SourceVaultDiffers secrets[0].vaultCertificates[0].certificateUrl',
  ]);
  expect(found(linux, [group('V1', url('v1'))])).toEqual([]);
});

test('the vault lies in the subscription of the machine', () => {
  const other = [{ sourceVault: { id: vaultId('v1', '22222222-1111-1111-1111-111111111111') }, vaultCertificates: [] }];
  expect(found(linux, other)).toEqual(['VaultSubscriptionDiffers secrets[0].sourceVault.id']);
});

test('Windows needs a store, Linux ignores one with a warning', () => {
  const at = 'secrets[0].vaultCertificates[0].certificateStore';
  expect(found({ os: 'Windows' }, [group('v1')])).toEqual([`CertificateStoreMissing ${at}`]);
  expect(found({ os: 'Windows' }, [group('v1', undefined, 'My')])).toEqual([]);
  expect(certificateGroupProblems(linux, [group('v1', undefined, 'My')], 'secrets')).toMatchObject([
    { name: 'CertificateStoreIgnored', severity: 'Warning', path: at },
  ]);
});

test('certificates need the VM agent', () => {
  expect(found({ ...linux, provisionVMAgent: false }, [group('v1')])).toEqual(['VmAgentMissing secrets']);
  expect(found({ ...linux, provisionVMAgent: false }, [])).toEqual([]);
});

test.each([
  ['a text', 'x', ['SecretsInvalid secrets']],
  ['a number as a group', [7], ['VaultIdInvalid secrets[0].sourceVault.id']],
  [
    'an id that is no vault',
    [{ sourceVault: { id: vaultId('v').replace('vaults', 'managedHSMs') } }],
    ['VaultIdInvalid secrets[0].sourceVault.id'],
  ],
  [
    'a certificate that is none',
    [{ ...group('v1'), vaultCertificates: [null] }],
    ['CertificateUrlInvalid secrets[0].vaultCertificates[0].certificateUrl'],
  ],
])('%s in place of the list or a part of it is a problem with its path', (_, secrets, problems) => {
  expect(found(linux, secrets)).toEqual(problems);
});
