import { expect, test } from '@jest/globals';
import { unmanageAction, unmanageProblems } from '../../../../runtime/operator/deployments/runs/unmanage.ts';

const group = { group: 'resources.azure.com', kind: 'ResourceGroup' };
const network = { group: 'network.azure.com', kind: 'VirtualNetwork' };
const any = (type: string) => ({ group: 'azimuth.dev', kind: 'ArmResource', type });
const undeletable = { group: 'storage.azure.com', kind: 'StorageAccountsBlobService' };

test('without settings all objects are deleted with their resources', () => {
  for (const each of [group, network, undeletable]) expect(unmanageAction(undefined, each)).toBe('delete');
});

test('resource groups and management groups are deleted only where the settings name them', () => {
  const groups = [
    group,
    any('microsoft.resources/ResourceGroups@2021-04-01'),
    any('Microsoft.Management/managementGroups@2021-04-01'),
  ];
  expect(groups.map((each) => unmanageAction({ resources: 'delete' }, each))).toEqual(['detach', 'detach', 'detach']);
  const named = { resources: 'delete', resourceGroups: 'delete', managementGroups: 'delete' } as const;
  expect(groups.map((each) => unmanageAction(named, each))).toEqual(['delete', 'delete', 'delete']);
  expect(unmanageAction({ resources: 'delete' }, network)).toBe('delete');
  expect(unmanageAction({ resources: 'detach' }, network)).toBe('detach');
});

test('a group is not deleted with the resources in it that are to be kept', () => {
  const actionOnUnmanage = { resources: 'detach', resourceGroups: 'delete' } as const;
  expect(unmanageAction(actionOnUnmanage, group)).toBe('detach');
  expect(unmanageProblems({ actionOnUnmanage })).toMatchObject([{ path: 'spec.actionOnUnmanage.resourceGroups' }]);
});

test('a type that Azure cannot delete is detached where the settings say so', () => {
  expect(unmanageAction({ resources: 'delete' }, undeletable)).toBe('delete');
  const settings = { resources: 'delete', resourcesWithoutDeleteSupport: 'detach' } as const;
  expect(unmanageAction(settings, undeletable)).toBe('detach');
  expect(unmanageAction(settings, network)).toBe('delete');
});

test('deny settings are refused by name, with another way', () => {
  expect(unmanageProblems({ denySettings: { mode: 'none' } })).toEqual([]);
  expect(unmanageProblems({ denySettings: { mode: 'denyDelete' } })).toEqual([
    { path: 'spec.denySettings', message: expect.stringContaining('Microsoft.Authorization/locks') },
  ]);
});
