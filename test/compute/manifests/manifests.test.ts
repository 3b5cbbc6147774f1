import { describe, expect, test } from '@jest/globals';
import type { ArmKindDefinition } from '../../../runtime/api/kinds.ts';
import { validate } from '../../../runtime/api/validate.ts';
import { armResourceModel } from '../../../runtime/arm-kinds/arm-resource.ts';
import { catalogueModel } from '../../../runtime/arm-kinds/catalogue-kind.ts';
import type { SecretValue } from '../../../runtime/arm-kinds/secret-value.ts';
import { manifestsOf } from '../../../runtime/compute/manifests/manifests.ts';
import type { ManifestContext } from '../../../runtime/compute/manifests/template-manifest.ts';
import { Unknown } from '../../../runtime/compute/templates/values/value.ts';
import { expand, groupId, subscriptionId } from '../templates/support.ts';

const nicId = `${groupId}/providers/Microsoft.Network/networkInterfaces/nic`;

const nic = {
  type: 'Microsoft.Network/networkInterfaces',
  apiVersion: '2020-11-01',
  name: 'nic',
  location: '[resourceGroup().location]',
  properties: {
    ipConfigurations: [
      {
        name: 'ip',
        properties: { subnet: { id: "[resourceId('Microsoft.Network/virtualNetworks/subnets', 'net', 'front')]" } },
      },
    ],
  },
};
const vm = (osProfile: object) => ({
  type: 'Microsoft.Compute/virtualMachines',
  apiVersion: '2022-03-01',
  name: 'Web',
  location: 'westeurope',
  dependsOn: ['nic'],
  properties: {
    hardwareProfile: { vmSize: 'Standard_B2s' },
    osProfile: { computerName: 'web', adminUsername: 'azureuser', ...osProfile },
    storageProfile: { osDisk: { createOption: 'fromImage' } },
    networkProfile: { networkInterfaces: [{ id: "[resourceId('Microsoft.Network/networkInterfaces', 'nic')]" }] },
  },
});
const password = { parameters: { password: { type: 'securestring' } } };

/** The manifests of a template of these parts. */
function make(parts: object, parameters = {}, context: Partial<ManifestContext> = {}) {
  const expanded = expand(parts, parameters);
  expect(expanded.problems).toEqual([]);
  return manifestsOf(expanded, { namespace: 'apps', ...context });
}

describe('a resource of the catalogue', () => {
  const { manifests, problems } = make(
    { ...password, resources: [nic, vm({ adminPassword: "[parameters('password')]" })] },
    { password: { value: 'hunter2-Hunter2' } },
    { objects: { [groupId.toUpperCase()]: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'group' } } },
  );
  const machine = manifests[1] as (typeof manifests)[number];

  test('gets its kind, with owner and references by name where their objects are known', () => {
    expect(problems).toEqual([]);
    expect(machine.object).toMatchObject({
      apiVersion: 'compute.azure.com/v20220301',
      kind: 'VirtualMachine',
      metadata: { name: 'web', namespace: 'apps' },
      spec: {
        azureName: 'Web',
        owner: { name: 'group' },
        networkProfile: {
          networkInterfaces: [{ reference: { group: 'network.azure.com', kind: 'NetworkInterface', name: 'nic' } }],
        },
        storageProfile: { osDisk: { createOption: 'FromImage' } },
      },
    });
    expect(machine.dependsOn).toEqual([nicId]);
    const subnet = `${groupId}/providers/Microsoft.Network/virtualNetworks/net/subnets/front`;
    expect(manifests[0]?.object['spec'].ipConfigurations[0].subnet).toEqual({ reference: { armId: subnet } });
  });

  test('takes a secret from a Secret, and has it nowhere else', () => {
    const [secret] = machine.secrets;
    const { adminPassword } = machine.object['spec'].osProfile;
    expect(adminPassword).toEqual({ name: secret?.name, key: 'osProfile.adminPassword' });
    const value = secret?.data['osProfile.adminPassword'] as SecretValue;
    expect(value.reveal()).toBe('hunter2-Hunter2');
    expect(JSON.stringify(manifests)).not.toContain('hunter2');
  });

  test('is taken by the API server, and stands for the id of the template', () => {
    for (const { definition, object, id } of manifests) {
      expect(validate(definition, object, { strict: true })).toEqual([]);
      const model = catalogueModel(definition as ArmKindDefinition);
      expect(model.resourceId(object, { armId: groupId }, subscriptionId)).toBe(id);
    }
  });
});

describe('any other resource', () => {
  const parent = {
    type: 'X.Y/sites',
    apiVersion: '2024-01-01',
    name: 'site',
    location: 'westeurope',
    properties: { a: null },
  };
  const child = { ...parent, type: 'X.Y/sites/slots', name: 'site/blue', dependsOn: ['site'] };

  test('is an ArmResource with its body as it is, below its parent by name or in the group by id', () => {
    const { manifests, problems } = make({ resources: [parent, child] });
    expect(problems).toEqual([]);
    const [site, slot] = manifests.map(({ object }) => object);
    const body = { location: 'westeurope', properties: { a: null } };
    expect(site?.['spec']).toEqual({ type: 'X.Y/sites@2024-01-01', azureName: 'site', scope: groupId, body });
    expect(slot?.['spec'].owner).toEqual({ group: 'azimuth.dev', kind: 'ArmResource', name: site?.metadata.name });
    const [{ id } = { id: '' }] = manifests;
    for (const [index, each] of manifests.entries()) {
      const armId = index === 0 ? groupId : id;
      expect(armResourceModel.resourceId(each.object, { armId }, subscriptionId)).toBe(each.id);
    }
  });

  test('a member that no version of the kind knows makes an ArmResource, to which others refer as one', () => {
    const strange = { ...nic, properties: { ...nic.properties, newerThanTheCatalogue: true } };
    const { manifests } = make({ resources: [strange, vm({})] });
    expect(manifests.map(({ object }) => object.kind)).toEqual(['ArmResource', 'VirtualMachine']);
    const [reference] = manifests[1]?.object['spec'].networkProfile.networkInterfaces ?? [];
    expect(reference.reference).toEqual({
      group: 'azimuth.dev',
      kind: 'ArmResource',
      name: manifests[0]?.object.metadata.name,
    });
  });

  test('a child by name waits for its parent, and a resource without an API version is refused', () => {
    const { manifests } = make({ resources: [parent, { ...child, dependsOn: [] }] });
    expect(manifests[1]?.dependsOn).toEqual([manifests[0]?.id]);
    const { apiVersion: _, ...bare } = parent;
    expect(make({ resources: [bare] }).problems.map(({ name, path }) => [name, path])).toEqual([
      ['Manifest', 'resources[0]'],
    ]);
  });
});

test('a parent that waits for its child is a circle, although the child names no dependency', () => {
  const site = (name: string, more: object) => ({ apiVersion: '2024-01-01', name, ...more });
  const { problems } = make({
    resources: [
      site('p', { type: 'X.Y/sites', dependsOn: ["[resourceId('X.Y/other', 'o')]"] }),
      site('o', { type: 'X.Y/other', dependsOn: ["[resourceId('X.Y/sites/slots', 'p', 'c')]"] }),
      site('p/c', { type: 'X.Y/sites/slots' }),
    ],
  });
  expect(problems.map(({ name }) => name)).toEqual(['Cycle']);
});

describe('names', () => {
  const site = (name: string) => ({ type: 'X.Y/sites', apiVersion: '2024-01-01', name });
  const namesOf = (resources: object[], prefix?: string) =>
    make({ resources }, {}, prefix === undefined ? {} : { prefix }).manifests.map(({ object }) => object.metadata.name);

  test('do not depend on other resources, and differ where the kind and the letters that Kubernetes takes do not', () => {
    const [alone] = namesOf([site('My.App')]);
    const both = namesOf([site('My_App'), site('My.App')]);
    expect(both[1]).toBe(alone);
    expect(both[0]).not.toBe(both[1]);
    for (const name of both) expect(name).toMatch(/^my-app-[0-9a-f]{16}$/);
    expect(namesOf([nic], 'north')).toEqual(['north-nic']);
    const long = namesOf([{ ...nic, name: 'n'.repeat(80) }], 'north');
    expect(long[0]).toMatch(/^north-n+-[0-9a-f]{16}$/);
    expect(long[0]).toHaveLength(63);
  });

  test('a name cannot be chosen to be that of another resource', () => {
    const [hashed = ''] = namesOf([{ ...nic, name: 'a_b' }]);
    expect(namesOf([{ ...nic, name: hashed }])).not.toEqual([hashed]);
  });
});

describe('values that are not there yet', () => {
  const other = {
    type: 'X.Y/b',
    apiVersion: '2024-01-01',
    name: 'b',
    properties: { ip: "[reference('nic').ipConfigurations[0].properties.privateIPAddress]" },
  };
  const answer = { resource: { properties: { ipConfigurations: [{ properties: { privateIPAddress: '10.0.0.4' } }] } } };

  test('are marked with what they wait for, and filled in with the answer', () => {
    const open = make({ resources: [nic, other] }).manifests[1];
    expect(open?.waitsFor).toEqual([nicId]);
    expect(open?.object['spec'].body.properties.ip).toBeInstanceOf(Unknown);
    const known = make({ resources: [nic, other] }, {}, { known: { [nicId]: answer } }).manifests[1];
    expect(known).toMatchObject({ waitsFor: [], object: { spec: { body: { properties: { ip: '10.0.0.4' } } } } });
    expect(known?.object.metadata).toEqual(open?.object.metadata);
  });

  test('can be a reference or a number of a kind, which keeps its kind; a wrong answer is refused by name', () => {
    const disk = "[reference('b').size]";
    const machine = { ...vm({}), dependsOn: ['b'] };
    const sized = {
      ...machine,
      properties: {
        ...machine.properties,
        storageProfile: { osDisk: { createOption: 'FromImage', diskSizeGB: disk } },
      },
    };
    const parts = { resources: [{ ...other, properties: {} }, sized] };
    const id = `${groupId}/providers/X.Y/b/b`;
    const of = (size: unknown) => make(parts, {}, { known: { [id]: { resource: { properties: { size } } } } });
    expect(make(parts).manifests[1]?.object.kind).toBe('VirtualMachine');
    expect(of(64).manifests[1]?.object['spec'].storageProfile.osDisk.diskSizeGB).toBe(64);
    expect(of('large').problems.map(({ name, path }) => [name, path])).toEqual([['Manifest', 'resources[1]']]);
  });

  test('a key of another resource goes into a Secret once it is there', () => {
    const extension = {
      type: 'Microsoft.Compute/virtualMachines/extensions',
      apiVersion: '2022-03-01',
      name: 'Web/script',
      location: 'westeurope',
      properties: {
        publisher: 'Microsoft.Azure.Extensions',
        type: 'CustomScript',
        typeHandlerVersion: '2.1',
        protectedSettings: { storageAccountKey: `[listKeys('${nicId}', '2022-09-01').keys[0].value]` },
      },
    };
    const parts = { resources: [nic, extension] };
    const known = { [nicId]: { lists: { listKeys: { keys: [{ value: 'key-of-storage' }] } } } };
    expect(make(parts).manifests[1]?.waitsFor).toEqual([nicId]);
    const { manifests, problems } = make(parts, {}, { known });
    expect(problems).toEqual([]);
    expect(manifests[1]?.object['spec'].protectedSettings).toEqual({ name: manifests[1]?.secrets[0]?.name });
    const value = manifests[1]?.secrets[0]?.data['storageAccountKey'] as SecretValue | undefined;
    expect(value?.reveal()).toBe('key-of-storage');
    expect(JSON.stringify(manifests)).not.toContain('key-of-storage');
  });
});

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
