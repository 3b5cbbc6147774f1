import { describe, expect, test } from '@jest/globals';
import { make, nic, nicId, password, vm } from './machine-template.ts';

describe('secrets', () => {
  const vault = { id: '/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/v' };

  test('a managed certificate becomes an entry of operatorSpec.managedSecrets; other certificates stay', () => {
    const url = 'https://v.vault.azure.net/secrets/other/0123456789abcdef0123456789abcdef';
    const own = { sourceVault: vault, vaultCertificates: [{ certificateUrl: { managedSecret: 'web-tls' } }] };
    const mixed = {
      sourceVault: vault,
      vaultCertificates: [
        { certificateUrl: { managedSecret: 'api-tls' }, certificateStore: 'My' },
        { certificateUrl: url, certificateStore: 'My' },
      ],
    };
    const spec = make({ resources: [nic, vm({ secrets: [own, mixed] })] }).manifests[1]?.object['spec'];
    expect(spec.operatorSpec).toEqual({
      managedSecrets: [
        { delivery: 'OsProfile', managedSecret: 'web-tls' },
        { delivery: 'OsProfile', managedSecret: 'api-tls', certificateStore: 'My' },
      ],
    });
    expect(spec.osProfile.secrets).toEqual([
      {
        sourceVault: { reference: { armId: vault.id } },
        vaultCertificates: [{ certificateUrl: url, certificateStore: 'My' }],
      },
    ]);
    const alone = make({ resources: [nic, vm({ secrets: [own] })] }).manifests[1]?.object['spec'];
    expect(alone.osProfile).not.toHaveProperty('secrets');
  });

  test('a reference to a Secret goes into the spec as it is, in fields that take one', () => {
    const parts = { ...password, resources: [nic, vm({ adminPassword: "[parameters('password')]" })] };
    const { manifests, problems } = make(parts, { password: { secretKeyRef: { name: 'admin', key: 'password' } } });
    expect([problems, manifests[1]?.secrets]).toEqual([[], []]);
    expect(manifests[1]?.object['spec'].osProfile.adminPassword).toEqual({ name: 'admin', key: 'password' });
  });

  test.each([
    [
      'a ManagedSecret as password',
      { managedSecret: 'p' },
      { adminPassword: "[parameters('password')]" },
      'adminPassword',
    ],
    [
      'a Key Vault reference as password',
      { reference: { keyVault: vault, secretName: 'admin' } },
      { adminPassword: "[parameters('password')]" },
      'adminPassword',
    ],
    [
      'a value of a Secret as customData',
      { secretKeyRef: { name: 'admin', key: 'password' } },
      { customData: "[parameters('password')]" },
      'customData',
    ],
    [
      'a secret within customData',
      { value: 'hunter2' },
      { customData: "[base64(concat('x', parameters('password')))]" },
      'customData',
    ],
  ])('%s is refused with the path of the value', (_, input, osProfile, member) => {
    const { manifests, problems } = make({ ...password, resources: [nic, vm(osProfile)] }, { password: input });
    expect(manifests).toHaveLength(1);
    expect(problems).toMatchObject([{ name: 'Secret', path: `resources[1].properties.osProfile.${member}`, line: 1 }]);
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });

  test('an ArmResource takes no secret, also not a member of a secure object', () => {
    const site = { type: 'X.Y/sites', apiVersion: '2024-01-01', name: 'a', properties: "[parameters('o')]" };
    const parts = { parameters: { o: { type: 'secureObject' } }, resources: [site] };
    const { problems } = make(parts, { o: { value: { user: 'u', nested: { pass: 'hunter2' } } } });
    expect(problems.map(({ name, path }) => [name, path])).toEqual([
      ['Secret', 'resources[0].properties.user'],
      ['Secret', 'resources[0].properties.nested.pass'],
    ]);
  });

  test('a value that will be a secret is refused before it is there', () => {
    const key = `[concat('key=', listKeys('${nicId}', '2022-09-01').keys[0].value)]`;
    const site = { type: 'X.Y/sites', apiVersion: '2024-01-01', name: 'a', properties: { key } };
    expect(make({ resources: [nic, site] }).problems.map(({ name, path }) => [name, path])).toEqual([
      ['Secret', 'resources[1].properties.key'],
    ]);
  });

  test('a text of the template is never taken for a value that has no text', () => {
    const properties = { a: "[parameters('password')]", b: '(value0)', c: '(value_0)' };
    const site = { type: 'X.Y/sites', apiVersion: '2024-01-01', name: 'a', properties };
    const { problems } = make({ ...password, resources: [site] }, { password: { value: 'p' } });
    expect(problems.map(({ path }) => path)).toEqual(['resources[0].properties.a']);
  });
});
