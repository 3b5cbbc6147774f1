import { describe, expect, test } from '@jest/globals';
import type { ArmKindDefinition } from '../../../runtime/api/kinds.ts';
import { validate } from '../../../runtime/api/validate.ts';
import { armResourceModel } from '../../../runtime/arm-kinds/arm-resource.ts';
import { catalogueModel } from '../../../runtime/arm-kinds/catalogue-kind.ts';
import type { SecretValue } from '../../../runtime/arm-kinds/secret-value.ts';
import { Unknown } from '../../../runtime/compute/templates/values/value.ts';
import { groupId, subscriptionId } from '../templates/support.ts';
import { make, nic, nicId, password, vm } from './machine-template.ts';

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

test('an extension resource may be written behind the type that it extends', () => {
  const { manifests, problems } = make({
    resources: [
      {
        type: 'Microsoft.Storage/storageAccounts/providers/roleAssignments',
        apiVersion: '2022-04-01',
        name: 'shop/Microsoft.Authorization/05157810-4937-53a2-b1f9-457785819960',
        properties: { principalId: subscriptionId, aMemberOfNoKind: true },
      },
    ],
  });
  expect(problems).toEqual([]);
  expect(manifests[0]?.object).toMatchObject({
    spec: {
      type: 'Microsoft.Authorization/roleAssignments@2022-04-01',
      scope: `${groupId}/providers/Microsoft.Storage/storageAccounts/shop`,
    },
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

test('a resource without an API version that no kind takes gets the newest one of its type', () => {
  const type = 'Microsoft.Storage/storageAccounts';
  const account = { type, name: 'st', location: 'uksouth', sku: { name: 'Standard_LRS' }, kind: 'StorageV2' };
  const { manifests, problems } = make({ resources: [{ ...account, properties: { notInTheKind: 1 } }] });
  expect(problems).toEqual([]);
  expect(manifests[0]?.object['spec'].type).toMatch(/^Microsoft\.Storage\/storageAccounts@\d{4}-\d{2}-\d{2}$/);
  const unknown = make({ resources: [{ type: 'X.Y/things', name: 'a' }] });
  expect(unknown.problems.map(({ message }) => message).join()).toMatch(/has no apiVersion.*add one/);
});
