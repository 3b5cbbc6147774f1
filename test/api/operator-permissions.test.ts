import { expect, test } from '@jest/globals';
import { operatorPermissions, type PolicyRule } from '../../runtime/api/permissions/index.ts';

const kinds = [{ group: 'managedidentity.azure.com', plural: 'userassignedidentities' }];
const accounts = (rules: readonly PolicyRule[] = []) =>
  rules.filter(({ resources }) => resources.includes('serviceaccounts')).map(({ verbs }) => verbs);

test('service accounts are readable with the check of them only, and in target namespaces only', () => {
  expect(accounts(operatorPermissions(kinds, { deployments: true, machineSecrets: true }).cluster)).toEqual([]);
  expect(accounts(operatorPermissions(kinds, { checkServiceAccounts: true }).cluster)).toEqual([['list', 'watch']]);
  const few = operatorPermissions(kinds, { checkServiceAccounts: true, targets: true });
  expect([accounts(few.cluster), accounts(few.targets)]).toEqual([[], [['list', 'watch']]]);
  // More than eight namespaces: each kind is listed and watched once for all.
  const many = operatorPermissions(kinds, { checkServiceAccounts: true, targets: true, manyTargets: true });
  expect(accounts(many.cluster)).toEqual([['list', 'watch']]);
});
