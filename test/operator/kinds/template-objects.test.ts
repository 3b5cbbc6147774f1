/** The objects of an expanded ARM template in a cluster: what Azure has at the end is what the template says. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { resourceOf } from '../../../runtime/api/kinds.ts';
import { armDiff } from '../../../runtime/arm-kinds/comparison/arm-diff.ts';
import type { JsonObject } from '../../../runtime/base/json.ts';
import { SecretValue } from '../../../runtime/base/secret-value.ts';
import { manifestsOf } from '../../../runtime/compute/manifests/manifests.ts';
import type { TemplateManifest } from '../../../runtime/compute/manifests/template-manifest.ts';
import type { KnownAnswer } from '../../../runtime/compute/templates/evaluation/scope.ts';
import { expandTemplate } from '../../../runtime/compute/templates/expand-template.ts';
import { secrets, startWorldWithGroup, untilReady, type World } from '../support.ts';

const limitMs = 120_000;
const network = 'Microsoft.Network';
const location = '[resourceGroup().location]';
const id = (type: string, ...names: string[]) => `[resourceId('${network}/${type}', '${names.join("', '")}')]`;
const $schema = 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#';

const machine = {
  type: 'Microsoft.Compute/virtualMachines',
  apiVersion: '2022-03-01',
  name: 'Tpl-VM',
  location,
  dependsOn: ['front'],
  properties: {
    hardwareProfile: { vmSize: 'Standard_B2s' },
    osProfile: { computerName: 'vm', adminUsername: 'azureuser', adminPassword: "[parameters('password')]" },
    storageProfile: {
      imageReference: { publisher: 'Canonical', offer: 'ubuntu', sku: '22_04-lts', version: 'latest' },
      osDisk: { createOption: 'fromImage' },
    },
    networkProfile: { networkInterfaces: [{ id: id('networkInterfaces', 'tplnic') }] },
  },
};
const interfaces = {
  $schema,
  contentVersion: '1.0.0.0',
  resources: [
    {
      type: `${network}/networkInterfaces`,
      apiVersion: '2020-11-01',
      name: 'tplnic',
      location,
      properties: {
        ipConfigurations: [
          {
            name: 'ip',
            properties: {
              subnet: { id: id('virtualNetworks/subnets', 'tplnet', 'front') },
              publicIPAddress: { id: id('publicIPAddresses', 'tplip') },
            },
          },
        ],
      },
    },
  ],
};
const template = {
  $schema,
  contentVersion: '1.0.0.0',
  parameters: { password: { type: 'securestring' } },
  resources: [
    {
      type: `${network}/virtualNetworks`,
      apiVersion: '2020-11-01',
      name: 'tplnet',
      location,
      properties: {
        addressSpace: { addressPrefixes: ['10.0.0.0/16'] },
        subnets: [{ name: 'front', properties: { addressPrefix: '10.0.0.0/24' } }],
      },
    },
    {
      type: `${network}/publicIPAddresses`,
      apiVersion: '2020-11-01',
      name: 'tplip',
      location,
      sku: { name: 'Standard' },
      properties: { publicIPAllocationMethod: 'Static' },
    },
    {
      type: 'Microsoft.Resources/deployments',
      apiVersion: '2021-04-01',
      name: 'front',
      dependsOn: ['tplnet', 'tplip'],
      properties: { mode: 'Incremental', template: interfaces },
    },
    machine,
    {
      type: `${network}/routeTables`,
      apiVersion: '2020-11-01',
      name: 'tplroutes',
      location,
      tags: { address: "[reference('tplip').resourceGuid]" },
      properties: { disableBgpRoutePropagation: "[not(empty(reference('tplip').resourceGuid))]" },
    },
  ],
};

let world: World;
beforeAll(async () => {
  const kinds = [
    'network.azure.com/PublicIPAddress',
    'network.azure.com/NetworkInterface',
    'network.azure.com/RouteTable',
    'compute.azure.com/VirtualMachine',
  ].join(';');
  world = await startWorldWithGroup({ kinds });
}, limitMs);
afterAll(() => world?.close());

async function apply({ object, secrets: made, definition }: TemplateManifest): Promise<void> {
  for (const { name, data } of made) {
    const stringData = Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, value instanceof SecretValue ? value.reveal() : '']),
    );
    const metadata = { namespace: 'default', name };
    await world.client.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata, stringData } as never);
  }
  await world.apply(resourceOf(definition), object.metadata.name, object['spec'] as object);
}

async function live(armId: string, apiVersion = '2022-03-01'): Promise<JsonObject> {
  const { status, text } = await world.portal.arm('GET', armId, apiVersion);
  expect([armId, status]).toEqual([armId, 200]);
  return JSON.parse(text) as JsonObject;
}

test(
  'are applied one after the other, take values of Azure, and give Azure the bodies of the template',
  async () => {
    const { subscriptionId, tenantId } = world.azure;
    const groupId = `/subscriptions/${subscriptionId}/resourceGroups/rg`;
    const expanded = expandTemplate(JSON.stringify(template), {
      subscription: { subscriptionId, tenantId },
      resourceGroup: { name: 'rg', location: 'westeurope' },
      deployment: { name: 'd' },
      parameters: { password: { value: 'correct-Horse-9' } },
      now: 0,
      newGuid: () => '',
    });
    expect(expanded.problems).toEqual([]);
    const objects = { [groupId]: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'rg' } };
    const known: Record<string, KnownAnswer> = {};
    const order: string[] = [];
    while (order.length < expanded.resources.length) {
      const { manifests, problems } = manifestsOf(expanded, { namespace: 'default', objects, known });
      expect(problems).toEqual([]);
      const ready = manifests.filter((each) => {
        const isFree = [...each.dependsOn, ...each.waitsFor].every((before) => order.includes(before));
        return isFree && !order.includes(each.id);
      });
      expect(ready.length).toBeGreaterThan(0);
      for (const each of ready) {
        expect(each.waitsFor.filter((before) => !(before in known))).toEqual([]);
        await apply(each);
        await untilReady(world, resourceOf(each.definition), each.object.metadata.name);
        known[each.id] = { resource: await live(each.id) };
        order.push(each.id);
      }
    }
    const kinds = manifestsOf(expanded, { namespace: 'default', objects, known }).manifests.map(
      ({ object }) => object.kind,
    );
    expect(kinds).toEqual(['ArmResource', 'PublicIPAddress', 'NetworkInterface', 'VirtualMachine', 'RouteTable']);
    const [networkBody, , , , routes] = expanded.resources as [...typeof expanded.resources];
    expect(armDiff(JSON.parse(JSON.stringify(networkBody?.body)), await live(networkBody?.id ?? ''))).toEqual([]);
    const { resourceGuid } = (await live(`${groupId}/providers/${network}/publicIPAddresses/tplip`))[
      'properties'
    ] as JsonObject;
    expect(typeof resourceGuid).toBe('string');
    expect(await live(routes?.id ?? '')).toMatchObject({
      tags: { address: resourceGuid },
      properties: { disableBgpRoutePropagation: true },
    });
    const vm = await live(`${groupId}/providers/Microsoft.Compute/virtualMachines/Tpl-VM`);
    expect(vm).toMatchObject({
      name: 'Tpl-VM',
      properties: {
        osProfile: { adminUsername: 'azureuser' },
        storageProfile: { osDisk: { createOption: 'FromImage' } },
        networkProfile: { networkInterfaces: [{ id: `${groupId}/providers/${network}/networkInterfaces/tplnic` }] },
      },
    });
    expect(world.log.join('\n')).not.toContain('correct-Horse-9');
  },
  limitMs,
);
