import { expect, test } from '@jest/globals';
import { tryParseScopeRules } from '../../../runtime/azure/arm/scopes.ts';
import { type IdentityPolicy, identityPolicyProblem } from '../../../runtime/azure/identity/identity-policy.ts';

const group = '/subscriptions/s/resourceGroups/team-a';
const id = (name: string, place = group) =>
  `${place}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
const scopes = tryParseScopeRules(
  `a=${group};shared=${id('one')};*=${id('public', '/subscriptions/s/resourceGroups/x')}`,
);
const refused = (policy: IdentityPolicy, namespace: string, resourceID: string) =>
  identityPolicyProblem(policy, namespace, { type: 0, resourceID })?.reason;

test.each([
  ['a', id('any').toUpperCase(), undefined],
  ['a', id('any', `${group}-two`), 'IdentityNotAllowed'],
  ['a', `${group}/../team-b/providers/Microsoft.ManagedIdentity/userAssignedIdentities/x`, 'IdentityNotAllowed'],
  ['b', id('any'), 'IdentityNotAllowed'],
  ['shared', id('one'), undefined],
  ['shared', id('onemore'), 'IdentityNotAllowed'],
  ['b', id('public', '/subscriptions/s/resourceGroups/x'), undefined],
])('a scope of the namespace or of every namespace decides about %s and %s', (namespace, resourceID, expected) => {
  for (const multiTenant of [false, true]) {
    expect(refused({ multiTenant, scopes }, namespace, resourceID)).toBe(expected);
  }
});

test('without scopes the multi-tenant profile allows no identity, and any is allowed outside of it', () => {
  expect(refused({ multiTenant: true, scopes: undefined }, 'a', id('x'))).toBe('IdentityNotAllowed');
  expect(refused({ multiTenant: false, scopes: undefined }, 'a', id('x'))).toBeUndefined();
  expect(refused({ multiTenant: false, scopes: [] }, 'a', id('x'))).toBe('IdentityNotAllowed');
});

test('under the profile a Secret lies in the namespace of the identity', () => {
  const of = (multiTenant: boolean, type: number, namespace?: string) =>
    identityPolicyProblem({ multiTenant, scopes: undefined }, 'a', { type, clientPassword: { namespace } })?.reason;
  expect([of(true, 1, 'b'), of(true, 2, 'b'), of(true, 1, 'a'), of(true, 1), of(true, 3, 'b')]).toEqual([
    'SecretNotAllowed',
    'SecretNotAllowed',
    undefined,
    undefined,
    undefined,
  ]);
  expect(of(false, 1, 'b')).toBeUndefined();
});
