/** Templates that become the objects of one location. */
import { expandLocation } from '../../../runtime/compute/deployments/expand-goal.ts';
import type { Goal } from '../../../runtime/compute/deployments/goal.ts';
import type { Answers } from '../../../runtime/compute/deployments/open-values.ts';

export const groupId = '/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/shop-westeurope';
export const target = { groupId, groupName: 'shop-westeurope', tenantId: '' };
export const place = { namespace: 'team', deployment: 'shop', location: 'westeurope' };
export const schema = 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#';
export const machine = {
  type: 'Microsoft.Compute/virtualMachines',
  apiVersion: '2022-03-01',
  name: 'web',
  location: '[resourceGroup().location]',
  properties: {
    hardwareProfile: { vmSize: 'Standard_B2s' },
    osProfile: { computerName: 'web', adminUsername: 'azureuser', adminPassword: "[parameters('password')]" },
    storageProfile: { osDisk: { createOption: 'FromImage' } },
  },
};

/** The text of a template with an identity `shop` before the resources. */
export function templateWithIdentity(...resources: readonly object[]): string {
  const type = 'Microsoft.ManagedIdentity/userAssignedIdentities';
  const identity = { type, apiVersion: '2023-01-31', name: 'shop', location: '[resourceGroup().location]' };
  return JSON.stringify({ $schema: schema, contentVersion: '1.0.0.0', resources: [identity, ...resources] });
}

export function expand(
  resources: readonly object[],
  parameters: object,
  given: object,
  answers?: Answers,
  linkedTemplates: Readonly<Record<string, string>> = {},
) {
  const json = JSON.stringify({ $schema: schema, contentVersion: '1.0.0.0', parameters, resources });
  const goal: Goal = {
    template: { arm: { json, owner: { name: 'shop-${location}' }, linkedTemplates } },
    parameters: given as Goal['parameters'],
    locations: [{ name: 'westeurope', parameters: {} }],
    at: '2026-01-01T00:00:00.000Z',
  };
  return expandLocation(goal, place, target, answers);
}
