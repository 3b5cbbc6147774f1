import { describe, expect, test } from '@jest/globals';
import { armResource } from '../../../runtime/api/arm/arm-resource.ts';
import { validate } from '../../../runtime/api/validate.ts';
import { armResourceModel } from '../../../runtime/arm-kinds/arm-resource.ts';
import type { TemplateManifest } from '../../../runtime/compute/manifests/template-manifest.ts';
import type { ParameterInput } from '../../../runtime/compute/templates/document/context.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { expand } from '../templates/support.ts';
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

  test('a ManagedSecret as a whole value is read when the body is sent', () => {
    const resources = (value: string) => [nic, vm({ adminPassword: value })];
    const given = { password: { managedSecret: 'p' } };
    const { manifests, problems } = make({ ...password, resources: resources("[parameters('password')]") }, given);
    expect([problems, manifests[1]?.secrets]).toEqual([[], []]);
    const path = '/properties/osProfile/adminPassword';
    expect(manifests[1]?.object['spec'].bodySecrets).toEqual([{ path, secrets: [{ managedSecret: 'p' }] }]);
  });

  test.each([
    ["[concat('user:', parameters('password'))]", "[concat('user:', parameters('secret0'))]"],
    ["[base64(format('{0}!', parameters('password')))]", "[base64(format('{0}!', parameters('secret0')))]"],
  ])('a function over a ManagedSecret is computed when the body is sent: %s', (adminPassword, expression) => {
    const parts = { ...password, resources: [nic, vm({ adminPassword })] };
    const { manifests, problems } = make(parts, { password: { managedSecret: 'p' } });
    expect([problems, manifests[1]?.secrets]).toEqual([[], []]);
    const path = '/properties/osProfile/adminPassword';
    expect(manifests[1]?.object['spec'].bodySecrets).toEqual([{ path, expression, secrets: [{ managedSecret: 'p' }] }]);
  });

  const secretsOf = ({ object, secrets }: TemplateManifest) => ({
    bodySecrets: object['spec'].bodySecrets,
    data: secrets.map(({ data }) => data),
  });

  test.each([
    ['as it is', "[parameters('password')]", undefined],
    ['in a text', "[concat('it''s ', parameters('password'))]", "[concat('it''s ', parameters('secret0'))]"],
    [
      'in nested functions',
      "[base64(format('{0}:{1}', 5, toLower(parameters('password'))))]",
      "[base64(format('{0}:{1}', 5, toLower(parameters('secret0'))))]",
    ],
    [
      'by a condition',
      "[if(contains(parameters('password'), 'a'), 'x', parameters('password'))]",
      "[if(contains(parameters('secret0'), 'a'), 'x', parameters('secret0'))]",
    ],
    ['by a part', "[split(parameters('password'), ',')[1]]", "[split(parameters('secret0'), ',')[1]]"],
  ])('a value of a Secret reaches any property, %s', (_, keyData, expression) => {
    const linuxConfiguration = { ssh: { publicKeys: [{ path: '/home/azureuser/.ssh/authorized_keys', keyData }] } };
    const given = { password: { secretKeyRef: { name: 'admin', key: 'ssh' } } };
    const { manifests, problems } = make({ ...password, resources: [nic, vm({ linuxConfiguration })] }, given);
    expect(problems).toEqual([]);
    expect(manifests[1]?.object).toMatchObject({ kind: 'ArmResource' });
    expect(manifests[1]?.object['spec'].body.properties.osProfile.linuxConfiguration.ssh.publicKeys).toEqual([
      { path: '/home/azureuser/.ssh/authorized_keys', keyData: '(secret)' },
    ]);
    expect(secretsOf(manifests[1] as TemplateManifest)).toEqual({
      bodySecrets: [
        {
          path: '/properties/osProfile/linuxConfiguration/ssh/publicKeys/0/keyData',
          ...(expression !== undefined && { expression }),
          secrets: [{ name: 'admin', key: 'ssh' }],
        },
      ],
      data: [],
    });
  });

  test('a reference to a secret of a Key Vault is read when the body is sent', () => {
    const input = { reference: { keyVault: vault, secretName: 'admin', secretVersion: '1' } };
    const parts = { ...password, resources: [nic, vm({ adminPassword: "[parameters('password')]" })] };
    const { manifests, problems } = make(parts, { password: input });
    expect(problems).toEqual([]);
    expect(secretsOf(manifests[1] as TemplateManifest).bodySecrets).toEqual([
      {
        path: '/properties/osProfile/adminPassword',
        secrets: [{ keyVault: { id: vault.id, secret: 'admin', version: '1' } }],
      },
    ]);
  });

  test('the members of a secure object, and values of no text, come from a Secret of the object', () => {
    const site = { type: 'X.Y/sites', apiVersion: '2024-01-01', name: 'a', properties: "[parameters('o')]" };
    const parts = { parameters: { o: { type: 'secureObject' } }, resources: [site] };
    const { manifests, problems } = make(parts, { o: { value: { user: 'u', 'a/b': { port: 7, none: null } } } });
    expect(problems).toEqual([]);
    const { object, secrets } = manifests[0] as TemplateManifest;
    expect(object['spec'].body.properties).toEqual({ user: '(secret)', 'a/b': { port: '(secret)', none: null } });
    const name = secrets[0]?.name;
    expect(object['spec'].bodySecrets).toEqual([
      { path: '/properties/user', secrets: [{ name, key: 'properties.user' }] },
      {
        path: '/properties/a~1b/port',
        expression: "[json(parameters('secret0'))]",
        secrets: [{ name, key: 'properties.a.b.port.1' }],
      },
    ]);
    expect(JSON.stringify(manifests)).not.toContain('"u"');
  });

  test('an object in a Secret is JSON, of which expressions take members', () => {
    const properties = { all: "[parameters('o')]", one: "[parameters('o').user]" };
    const site = { type: 'X.Y/sites', apiVersion: '2024-01-01', name: 'a', properties };
    const parts = { parameters: { o: { type: 'secureObject' } }, resources: [site] };
    const { manifests } = make(parts, { o: { secretKeyRef: { name: 'login', key: 'json' } } });
    const secrets = [{ name: 'login', key: 'json' }];
    expect(secretsOf(manifests[0] as TemplateManifest).bodySecrets).toEqual([
      { path: '/properties/all', expression: "[json(parameters('secret0'))]", secrets },
      { path: '/properties/one', expression: "[json(parameters('secret0'))['user']]", secrets },
    ]);
  });

  test('conditions may ask whether a secret is there, and for nothing else of it', () => {
    const site = (condition: string) => ({ type: 'X.Y/sites', apiVersion: '2024-01-01', name: 'a', condition });
    const count = (condition: string, input: ParameterInput) =>
      expand({ ...password, resources: [site(condition)] }, { password: input });
    const given = { secretKeyRef: { name: 'admin', key: 'ssh' } };
    for (const input of [given, { value: 'hunter2' }]) {
      expect(count("[empty(parameters('password'))]", input)).toMatchObject({ problems: [], resources: [] });
      expect(count("[equals(parameters('password'), '')]", input)).toMatchObject({ problems: [], resources: [] });
    }
    expect(count("[equals(parameters('password'), 'x')]", given).problems).toHaveLength(1);
    expect(count("[empty(parameters('password'))]", { value: '' }).resources).toHaveLength(1);
  });

  test('a value that will be a secret comes from a Secret, which somebody writes before', () => {
    const key = `[concat('key=', listKeys('${nicId}', '2022-09-01').keys[0].value)]`;
    const site = { type: 'X.Y/sites', apiVersion: '2024-01-01', name: 'a', properties: { key } };
    const { manifests, problems } = make({ resources: [nic, site] });
    expect(problems).toEqual([]);
    expect(manifests[1]?.secrets).toMatchObject([{ data: { 'properties.key': { isSecret: true } } }]);
  });

  test('a text of the template is never taken for a value that has no text', () => {
    const properties = { a: "[parameters('password')]", b: '(value0)', c: '(value_0)' };
    const site = { type: 'X.Y/sites', apiVersion: '2024-01-01', name: 'a', properties };
    const { manifests } = make({ ...password, resources: [site] }, { password: { value: 'p' } });
    expect(manifests[0]?.object['spec'].body.properties).toEqual({ ...properties, a: '(secret)' });
  });
});

test('a resource of the tenant is an ArmResource whose scope is the tenant', () => {
  const template = {
    $schema: 'https://schema.management.azure.com/schemas/2019-08-01/tenantDeploymentTemplate.json#',
    resources: [
      { type: 'Microsoft.Management/managementGroups', apiVersion: '2021-04-01', name: 'mg', properties: {} },
    ],
  };
  const { manifests, problems } = make(template);
  expect(problems).toEqual([]);
  const object = manifests[0]?.object as KubeObject;
  expect(object).toMatchObject({ kind: 'ArmResource', spec: { scope: '/', azureName: 'mg' } });
  expect(validate(armResource, object, { strict: true })).toEqual([]);
  const id = armResourceModel.resourceId(object, { armId: '/' }, 'sub');
  expect(id).toBe('/providers/Microsoft.Management/managementGroups/mg');
});
