import { expect, test } from '@jest/globals';
import { addNamedKinds } from '../../runtime/api/named-kinds.ts';

const named = (manifest: unknown) => {
  const found = new Set<string>();
  addNamedKinds(manifest, found);
  return [...found].sort();
};
const vault = { apiVersion: 'keyvault.azure.com/v1api20230701', kind: 'Vault' };

test('manifests in a deployment count, and so does an identity that a manifest names or makes without its kind', () => {
  const template = { spec: { template: { resources: [{ ...vault, spec: { owner: { name: 'a' } } }] } } };
  const deployment = { apiVersion: 'azimuth.dev/v1alpha1', kind: 'ComputeDeployment', ...template };
  expect(named(deployment)).toEqual(['keyvault.azure.com/Vault', 'resources.azure.com/ResourceGroup']);
  const identity = 'managedidentity.azure.com/UserAssignedIdentity';
  const azureIdentity = { apiVersion: 'aadpodidentity.k8s.io/v1', kind: 'AzureIdentity' };
  expect(named({ ...azureIdentity, spec: { identityRef: { name: 'a' } } })).toEqual([identity]);
  expect(named({ ...azureIdentity, spec: { resourceID: '/subscriptions/s' } })).toEqual([]);
  const secret = { apiVersion: 'azimuth.dev/v1alpha1', kind: 'ManagedSecret' };
  expect([named({ ...secret, spec: { kind: 'Identity' } }), named({ ...secret, spec: { kind: 'Password' } })]).toEqual([
    [identity],
    [],
  ]);
});

test('an owner by its ARM id names no kind, and one with group and kind names that kind', () => {
  const armId = '/subscriptions/s/resourceGroups/g';
  expect(named({ ...vault, spec: { owner: { armId } } })).toEqual(['keyvault.azure.com/Vault']);
  const lock = { apiVersion: 'authorization.azure.com/v1api20220401', kind: 'RoleAssignment' };
  const owner = { group: 'keyvault.azure.com', kind: 'Vault', name: 'v' };
  expect(named({ ...lock, spec: { owner } })).toEqual([
    'authorization.azure.com/RoleAssignment',
    'keyvault.azure.com/Vault',
  ]);
});

test('kinds of other groups and kinds that nobody has are left out', () => {
  expect(named([{ apiVersion: 'apps/v1', kind: 'Deployment' }, { ...vault, kind: 'Vaults' }, 'text', null])).toEqual(
    [],
  );
});

test('a value that is nested deeper than the stack reaches is read', () => {
  const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
  expect(named({ deep, items: [vault] })).toEqual(['keyvault.azure.com/Vault']);
});
