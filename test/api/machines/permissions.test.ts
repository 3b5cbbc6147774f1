import { expect, test } from '@jest/globals';
import { operatorPermissions } from '../../../runtime/api/permissions/index.ts';

const kinds = [{ group: 'keyvault.azure.com', plural: 'vaults' }];
const touches = (rules: readonly { readonly resources: readonly string[] }[] | undefined) =>
  (rules ?? [])
    .flatMap(({ resources }) => resources)
    .filter((name) => /managedsecrets|feature|userassigned/.test(name));

test('without machine secrets the operator has no right on their kinds', () => {
  expect(touches(operatorPermissions(kinds).cluster)).toEqual([]);
});

test('with target namespaces it gets ManagedSecrets there, and the gates in the cluster, where it approves nothing', () => {
  const { cluster, targets } = operatorPermissions(kinds, { targets: true, machineSecrets: true });
  expect(touches(targets)).toEqual(['managedsecrets', 'managedsecrets/status', 'userassignedidentities']);
  expect(touches(cluster)).toEqual([
    'featureregistrations',
    'featureapprovals',
    'featureregistrations/status',
    'featureapprovals/status',
  ]);
  const approvals = cluster.find(({ resources }) => resources.includes('featureapprovals'));
  expect(approvals?.verbs).toEqual(['list', 'watch']);
});
