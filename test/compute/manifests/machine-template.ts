/** A template with a network interface and a machine, and the objects that it becomes. */
import { expect } from '@jest/globals';
import { manifestsOf } from '../../../runtime/compute/manifests/manifests.ts';
import type { ManifestContext } from '../../../runtime/compute/manifests/template-manifest.ts';
import { expand, groupId } from '../templates/support.ts';

export const nicId = `${groupId}/providers/Microsoft.Network/networkInterfaces/nic`;

export const nic = {
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
export const vm = (osProfile: object) => ({
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
export const password = { parameters: { password: { type: 'securestring' } } };

/** The manifests of a template of these parts. */
export function make(parts: object, parameters = {}, context: Partial<ManifestContext> = {}) {
  const expanded = expand(parts, parameters);
  expect(expanded.problems).toEqual([]);
  return manifestsOf(expanded, { namespace: 'apps', ...context });
}
