import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  normalizeResourceId,
  parentId,
  parseResourceId,
  resourceGroupPath,
  resourcePath,
  sameResourceId,
  tryParseResourceId,
} from '../../../runtime/azure/arm/resource-ids.ts';

const group = '/subscriptions/s1/resourceGroups/rg';
const account = `${group}/providers/Microsoft.Storage/storageAccounts/acc`;
const assignment = `${account}/providers/Microsoft.Authorization/roleAssignments/ra`;

test.each([
  [
    '/subscriptions/s1',
    { type: 'Microsoft.Resources/subscriptions', name: 's1', subscriptionId: 's1', resourceGroup: undefined },
  ],
  [group, { type: 'Microsoft.Resources/resourceGroups', name: 'rg', resourceGroup: 'rg' }],
  [
    `${account}/`,
    {
      id: account,
      type: 'Microsoft.Storage/storageAccounts',
      provider: 'Microsoft.Storage',
      names: ['acc'],
      scope: undefined,
    },
  ],
  [
    `${account}/blobServices/default/containers/c`,
    { type: 'Microsoft.Storage/storageAccounts/blobServices/containers', names: ['acc', 'default', 'c'], name: 'c' },
  ],
  [assignment, { type: 'Microsoft.Authorization/roleAssignments', name: 'ra', scope: account, resourceGroup: 'rg' }],
  [
    '/subscriptions/s1/providers/Microsoft.Authorization/roleAssignments/ra',
    { subscriptionId: 's1', scope: undefined, name: 'ra' },
  ],
  [`${group}/providers/Microsoft.Authorization/roleAssignments/ra`, { resourceGroup: 'rg', scope: undefined }],
  [
    '/providers/Microsoft.Management/managementGroups/mg',
    { subscriptionId: undefined, type: 'Microsoft.Management/managementGroups', name: 'mg' },
  ],
  [
    '/SUBSCRIPTIONS/s1/RESOURCEGROUPS/rg/PROVIDERS/microsoft.storage/storageaccounts/ACC',
    { subscriptionId: 's1', resourceGroup: 'rg', name: 'ACC' },
  ],
])('%s is parsed', (id, expected) => {
  expect(parseResourceId(id)).toMatchObject(expected);
});

test.each([
  '',
  '/',
  'x',
  '/subscriptions',
  '/subscriptions/s1/resourceGroups',
  `${account}/blobServices`,
  `${group}/x/y`,
  `${group}//providers/A.B/c/d`,
  '/subscriptions/s1/resourceGroups/../x',
  `${account}?api-version=1`,
  `${group}/providers/Microsoft.Storage`,
])('%p is no resource id', (id) => {
  expect(tryParseResourceId(id)).toBeUndefined();
  expect(() => parseResourceId(id)).toThrow(/resource id/);
});

test('ids compare without regard to case and a trailing slash', () => {
  expect(sameResourceId(account, `${account.toUpperCase()}/`)).toBe(true);
  expect(sameResourceId(account, `${account}2`)).toBe(false);
});

test('parents lead up to the subscription', () => {
  const up = (id: string): string[] => {
    const parent = parentId(id);
    return parent === undefined ? [] : [parent, ...up(parent)];
  };
  expect(up(assignment)).toEqual([account, group, '/subscriptions/s1']);
  expect(up(`${account}/blobServices/default`)).toEqual([account, group, '/subscriptions/s1']);
  expect(up('/providers/Microsoft.Management/managementGroups/mg')).toEqual([]);
});

test.each(['', '..', 'a/b', 'a?b', 'a%2fb', 'a\\b'])('the name %p cannot become part of a path', (name) => {
  expect(() => resourcePath(group, 'Microsoft.Storage/storageAccounts', name)).toThrow(/one segment/);
  expect(() => resourceGroupPath('s1', name)).toThrow(/one segment/);
});

test('what is built can be parsed back', () => {
  const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._ @*()-]{0,20}$/);
  fc.assert(
    fc.property(name, name, fc.array(name, { minLength: 1, maxLength: 4 }), (subscription, rg, names) => {
      const type = ['Microsoft.Test', ...names.map((_, index) => `type${index}`)].join('/');
      const id = resourcePath(resourceGroupPath(subscription, rg), type, ...names);
      expect(parseResourceId(id)).toMatchObject({ id, subscriptionId: subscription, resourceGroup: rg, type, names });
      expect(normalizeResourceId(id.toUpperCase())).toBe(normalizeResourceId(id));
    }),
  );
});
