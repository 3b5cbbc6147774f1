import { expect, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import type { ResourceType } from '../../../runtime/kube/client/types.ts';
import { ScaledClock } from '../../fakes/scaled-clock.ts';
import { armRequests, secrets, startWorld, types } from '../support.ts';
import { deploymentType, runIn } from './deployment-world.ts';

const kinds = ['VirtualMachine', 'VirtualMachinesExtension'].map((kind) =>
  resourceOf(kindOf('compute.azure.com', kind)),
);
const [, extensions] = kinds as [ResourceType, ResourceType];
const [machineVersion, extensionVersion] = kinds.map(({ version }) =>
  version.replace(/^.*?(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3'),
);
const location = '[resourceGroup().location]';
const resources = [
  {
    type: 'Microsoft.Compute/virtualMachines/extensions',
    apiVersion: extensionVersion,
    name: 'web/monitor',
    location,
    dependsOn: ['web'],
    properties: {
      publisher: 'Microsoft.Azure.Monitor',
      type: 'AzureMonitorLinuxAgent',
      typeHandlerVersion: '1.0',
      protectedSettings: { commandToExecute: "[concat('install ', resourceGroup().name)]" },
    },
  },
  {
    type: 'Microsoft.Compute/virtualMachines/extensions',
    apiVersion: extensionVersion,
    name: 'web/script',
    location,
    dependsOn: ['web'],
    properties: {
      publisher: 'Microsoft.Azure.Extensions',
      type: 'CustomScript',
      typeHandlerVersion: '2.1',
      protectedSettings: {
        storageAccountName: 'listedkeys',
        storageAccountKey:
          "[listKeys(resourceId('Microsoft.Storage/storageAccounts', 'listedkeys'), '2021-04-01').keys[0].value]",
      },
    },
  },
  {
    type: 'Microsoft.Compute/virtualMachines',
    apiVersion: machineVersion,
    name: 'web',
    location,
    properties: {
      hardwareProfile: { vmSize: 'Standard_B2s' },
      storageProfile: {
        imageReference: { publisher: 'Canonical', offer: 'ubuntu', sku: 'server', version: 'latest' },
        osDisk: { createOption: 'FromImage' },
      },
      osProfile: {
        computerName: 'web',
        adminUsername: 'azureuser',
        linuxConfiguration: { disablePasswordAuthentication: true },
      },
    },
  },
  {
    type: 'Microsoft.Storage/storageAccounts',
    apiVersion: '2025-06-01',
    name: 'listedkeys',
    location,
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
    properties: {},
  },
];
const json = JSON.stringify({
  $schema: 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#',
  contentVersion: '1.0.0.0',
  resources,
});

test('an extension of a template gets the key of an account of the template, which no object of the cluster shows', async () => {
  const names = [...kinds, types.group, types.account].map(({ group, kind }) => `${group}/${kind}`).join(';');
  const world = await startWorld({ deployments: true, clock: new ScaledClock(10), kinds: names });
  try {
    await world.startOperator();
    await world.apply(types.group, 'shop-westeurope', { location: 'westeurope' });
    await world.apply(deploymentType, 'shop', {
      locations: [{ name: 'westeurope' }],
      template: { arm: { json, owner: { name: 'shop-${location}' } } },
    });
    await runIn(world, 'shop', 'Succeeded');
    const account = (await world.get(types.account, 'westeurope-listedkeys'))['status'].id as string;
    const { body } = await world.portal.arm('POST', `${account}/listKeys`, '2025-06-01');
    const key = body.keys[0].value as string;
    const { items } = await world.client.list(extensions, { namespace: 'default' });
    const settingsOf = async (azureName: string) => {
      const extension = items.find(({ spec }) => spec.azureName === azureName);
      const secret = await world.get(secrets, extension?.['spec'].protectedSettings.name);
      const data = Object.entries(secret['data'] as Record<string, string>);
      return Object.fromEntries(data.map(([name, text]) => [name, Buffer.from(text, 'base64').toString()]));
    };
    // The operator sends what the Secrets have, which the objects of the account and of the machine have written.
    expect(await settingsOf('script')).toEqual({ storageAccountName: 'listedkeys', storageAccountKey: key });
    expect(await settingsOf('monitor')).toEqual({ commandToExecute: 'install shop-westeurope' });
    for (const each of [/extensions\/script/, /extensions\/monitor/])
      expect(armRequests(world, 'PUT', each)).toHaveLength(1);
    for (const type of [types.account, deploymentType, ...kinds])
      expect(JSON.stringify(await world.client.list(type, { namespace: 'default' }))).not.toContain(key);
  } finally {
    await world.close();
  }
});
