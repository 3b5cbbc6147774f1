import { expect, test } from '@jest/globals';
import { defaultNameProblem, defaultNameRules } from '../../../runtime/api/arm/name-rules.ts';
import { kindOf, operatorKinds } from '../../../runtime/api/kinds.ts';
import { extensionOf } from '../../../runtime/arm-kinds/extensions/index.ts';

const account = kindOf('storage.azure.com', 'StorageAccount');
const group = kindOf('resources.azure.com', 'ResourceGroup');
const armResource = kindOf('azimuth.dev', 'ArmResource');
const ofType = (type: string, name: string, spec: object = {}) => named(name, { type, ...spec });
const named = (name: string, spec: object = {}) => ({ metadata: { name }, spec });

test.each([
  [account, 'my-account', 'a name in Azure of 3 to 24 characters that matches ^[a-z0-9]+$'],
  [account, 'n'.repeat(39), 'of 3 to 24 characters'],
  [account, 'ab', 'of 3 to 24 characters'],
  [group, 'n'.repeat(105), 'a name in Azure of 1 to 90 characters, or spec.azureName with such a name'],
])('%#: a name that Azure refuses is a problem that says how to fix it', (kind, name, words) => {
  expect(defaultNameProblem(kind, named(name))).toMatchObject({
    path: 'metadata.name',
    expected: expect.stringContaining(words),
  });
});

test.each([
  ['Microsoft.Storage/storageAccounts@2023-01-01', 'my-account'],
  ['microsoft.storage/STORAGEACCOUNTS@2024-01-01', 'my-account'],
  ['Microsoft.Resources/resourceGroups@2024-03-01', 'n'.repeat(105)],
])('an ArmResource of %s has the names of its type', (type, name) => {
  expect(defaultNameProblem(armResource, ofType(type, name))).toMatchObject({ path: 'metadata.name' });
});

test.each([
  [account, named('myaccount')],
  [group, named('n'.repeat(90))],
  [account, named('my-account', { azureName: 'myaccount' })],
  [account, named('my-account', { azureNameFromConfig: { name: 'names', key: 'account' } })],
  [kindOf('network.azure.com', 'VirtualNetwork'), named('n'.repeat(253))],
  [armResource, ofType('Microsoft.Unknown/storageAccounts@2023-01-01', 'my-account')],
  [armResource, ofType('Microsoft.Storage/storageAccounts@2023-01-01', 'my-account', { azureName: 'myaccount' })],
  [kindOf('storage.azure.com', 'StorageAccountsBlobService'), named('x')],
])('%#: a name that Azure takes, or that the spec gives, is none', (kind, manifest) => {
  expect(defaultNameProblem(kind, manifest)).toBeUndefined();
});

test('no kind with rules takes its name from elsewhere', () => {
  const derived = operatorKinds.filter(({ group: apiGroup, kind }) => extensionOf(apiGroup, kind).defaultName);
  expect(derived.length).toBeGreaterThan(0);
  expect(derived.filter((kind) => defaultNameRules(kind))).toEqual([]);
});
