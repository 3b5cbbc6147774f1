import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  actionPath,
  childPath,
  maxResourceIdLength,
  normalizeResourceId,
  parentId,
  parseResourceId,
  resourceGroupPath,
  resourcePath,
  sameResourceId,
  subscriptionIdOf,
  tenantIdOf,
  tryNormalizePath,
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
  `${account}#x`,
  `${account}%2f..`,
  `${account}\\x`,
  `${account}\t`,
  `/subscriptions/s1\t/resourceGroups/rg`,
  `${account}\u0000`,
  `${account}\u200b`,
  `${account}\ud800`,
  `${account} `,
  `${group}/providers/Microsoft.Storage/ storageAccounts/acc`,
  `${group}/providers/Microsoft.Storage/storageAccounts/a\u212a`,
  `${group}/providers/Microsoft Storage/storageAccounts/acc`,
  `/subscriptions/s1 or s2/resourceGroups/rg`,
  `${account}/providers/providers/x`,
  `${account}//`,
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

test('the message says what is wrong in an id, and repeats a long one in part only', () => {
  expect(() => parseResourceId(`${account}?x`)).toThrow(/it contains "\?"/);
  expect(() => parseResourceId(`${account}\t`)).toThrow(/it contains "\\t"/);
  expect(() => parseResourceId(`${group}/../b`)).toThrow(/segment `\.\.`/);
  const message = (() => {
    try {
      return String(parseResourceId('/'.repeat(100_000)));
    } catch (error) {
      return String(error);
    }
  })();
  expect(message).toContain('it has 100000 of at most 2048 characters');
  expect(message.length).toBeLessThan(1000);
});

test('an id of the greatest length is read, one more character is too much', () => {
  const longest = `${account}/blobServices/`.padEnd(maxResourceIdLength, 'x');
  expect(tryParseResourceId(longest)).toBeDefined();
  expect(tryParseResourceId(`${longest}x`)).toBeUndefined();
  // As many levels as fit.
  const level = '/providers/A/b/c';
  const deep = `/subscriptions/s1${level.repeat(Math.floor((maxResourceIdLength - 17) / level.length))}`;
  expect(tryParseResourceId(deep)?.scope).toBe(deep.slice(0, -level.length));
});

test('a key is made of any text in one go, of a million slashes too', () => {
  expect(normalizeResourceId(`${'/'.repeat(1_000_000)}x`)).toHaveLength(1_000_001);
  expect(normalizeResourceId(`/A${'/'.repeat(1_000_000)}`)).toBe('/a');
});

test('a path is normalised by the same rules as an id', () => {
  expect(tryNormalizePath('/')).toBe('');
  expect(tryNormalizePath(`${group.toUpperCase()}/`)).toBe(group.toLowerCase());
  for (const odd of ['', 'x', '//', '/a//b', '/a/../b', '/a?b', '/a\tb', `/${'a'.repeat(maxResourceIdLength)}`]) {
    expect(tryNormalizePath(odd)).toBeUndefined();
  }
});

test('a child and an action stay below their resource', () => {
  expect(childPath(account, 'blobServices', 'default')).toBe(`${account}/blobServices/default`);
  expect(actionPath(account, 'config/appsettings/list')).toBe(`${account}/config/appsettings/list`);
  for (const odd of ['../x', 'a//b', 'x?y', 'x#y', 'x\ty', 'providers/A.B/c/d', '']) {
    expect(() => actionPath(account, odd)).toThrow(/action of a resource/);
  }
  for (const odd of [`${account}?`, `${account}/x`, `${account}\t`]) {
    expect(() => childPath(odd, 'blobServices', 'default')).toThrow(/resource id/);
    expect(() => resourcePath(odd, 'Microsoft.Authorization/locks', 'l')).toThrow(/resource id/);
  }
});

test('ids of subscriptions and tenants cannot change a path', () => {
  expect(subscriptionIdOf('11111111-2222-3333-4444-555555555555')).toHaveLength(36);
  expect(tenantIdOf('contoso.onmicrosoft.com')).toBe('contoso.onmicrosoft.com');
  for (const odd of ['', '..', 'a/b', 'a?b', 'a\tb', 'a b', 'a%2f', 'x'.repeat(300)]) {
    expect(() => subscriptionIdOf(odd)).toThrow(/Expected `subscription`/);
    expect(() => tenantIdOf(odd)).toThrow(/Expected `tenant`/);
  }
});

test('what is built can be parsed back', () => {
  const subscriptionName = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9-]{0,20}$/);
  const name = fc
    .stringMatching(/^[A-Za-z0-9][A-Za-z0-9._ @*()-]{0,20}$/)
    .filter((each) => each === each.trim() && each.toLowerCase() !== 'providers');
  fc.assert(
    fc.property(subscriptionName, name, fc.array(name, { minLength: 1, maxLength: 4 }), (subscription, rg, names) => {
      const type = ['Microsoft.Test', ...names.map((_, index) => `type${index}`)].join('/');
      const id = resourcePath(resourceGroupPath(subscription, rg), type, ...names);
      expect(parseResourceId(id)).toMatchObject({ id, subscriptionId: subscription, resourceGroup: rg, type, names });
      expect(normalizeResourceId(id.toUpperCase())).toBe(normalizeResourceId(id));
    }),
  );
});
