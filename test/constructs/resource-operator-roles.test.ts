import { expect, test } from '@jest/globals';
import { programsOf } from '../../constructs/program-list.ts';
import { ResourceOperator, type ResourceOperatorProps } from '../../constructs/resource-operator.ts';
import { operatorKeySecret } from '../../runtime/api/permissions/index.ts';
import { kindOf, type Manifest, program, synth } from './manifests.ts';

const operator = (props: Partial<ResourceOperatorProps> = {}) =>
  synth((chart) => void new ResourceOperator(chart, 'Operator', { ...program, ...props }));

const pod = (manifests: Manifest[]) => kindOf(manifests, 'Deployment').spec.template.spec;

test('the check of service accounts is a variable and a right, both off by default', () => {
  const rights = (objects: ReturnType<typeof operator>) =>
    objects
      .find(({ kind }) => kind === 'ClusterRole')
      ?.rules.some((rule: { resources: string[] }) => rule.resources.includes('serviceaccounts'));
  const variable = { name: 'AZIMUTH_CHECK_SERVICE_ACCOUNTS', value: 'true' };
  expect(rights(operator({ checkServiceAccounts: true }))).toBe(true);
  expect(pod(operator({ checkServiceAccounts: true })).containers[0].env).toContainEqual(variable);
  expect(rights(operator({}))).toBe(false);
  const grants = { name: 'AZIMUTH_ALLOW_ACCESS_GRANTS', value: 'true' };
  expect(pod(operator({ allowAccessGrants: true })).containers[0].env).toContainEqual(grants);
  expect(programsOf({ AZIMUTH_ALLOW_ACCESS_GRANTS: 'true' }).operator).toEqual({ allowAccessGrants: true });
  const env = { AZIMUTH_CHECK_SERVICE_ACCOUNTS: 'true' };
  expect(programsOf(env).operator).toEqual({ checkServiceAccounts: true });
});

test('Jobs of gates are a variable and a right, both off by default', () => {
  const rights = (objects: Manifest[]) =>
    kindOf(objects, 'ClusterRole').rules.some(({ apiGroups }: { apiGroups: string[] }) => apiGroups.includes('batch'));
  const { gateJobs } = programsOf({ AZIMUTH_GATE_JOBS: 'true' }).operator as ResourceOperatorProps;
  expect(gateJobs).toBe(true);
  const manifests = operator({ deployments: true, gateJobs: true });
  expect(rights(manifests)).toBe(true);
  expect(pod(manifests).containers[0].env).toContainEqual({ name: 'AZIMUTH_GATE_JOBS', value: 'true' });
  expect(rights(operator({ deployments: true }))).toBe(false);
});

test('the check of service accounts without the kinds that it reads is refused, with what to add', () => {
  const kinds = 'resources.azure.com/*;managedidentity.azure.com/UserAssignedIdentity';
  expect(() => operator({ checkServiceAccounts: true, kinds })).toThrow(
    /checkServiceAccounts reads objects of the kind managedidentity.azure.com\/FederatedIdentityCredential: add it/,
  );
});

test('the role has no wildcard, no delete and no secret outside of what exports need', () => {
  const { rules } = kindOf(operator(), 'ClusterRole');
  for (const rule of rules) {
    expect([...rule.apiGroups, ...rule.resources, ...rule.verbs]).not.toContain('*');
    expect(rule.verbs).not.toContain('deletecollection');
  }
  const lease = kindOf(operator(), 'Role').rules;
  expect(lease).toEqual([{ apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: expect.anything() }]);
});

test('with target namespaces the service account reads no Secret but there', () => {
  for (const props of [
    { targetNamespaces: ['team-a', 'team-b'] },
    { env: { AZURE_TARGET_NAMESPACES: 'team-a, team-b' } },
  ]) {
    const manifests = operator({ kinds: 'storage.azure.com/*', ...props });
    expect(kindOf(manifests, 'ClusterRole').rules).toEqual([
      { apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'list', 'watch'] },
      { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['list'] },
    ]);
    const roles = manifests.filter(({ kind }) => kind === 'Role');
    expect(roles.map(({ metadata }) => metadata.namespace).sort()).toEqual([
      'azimuth-system',
      'kube-system',
      'team-a',
      'team-b',
    ]);
    const secrets = (role: Manifest) => role.rules.filter(({ resources }: Manifest) => resources.includes('secrets'));
    for (const role of roles.filter(({ metadata }) => metadata.namespace.startsWith('team-'))) {
      expect(secrets(role)).toHaveLength(1);
      const binding = manifests.find(
        ({ kind, metadata }) => kind === 'RoleBinding' && metadata.namespace === role.metadata.namespace,
      );
      expect(binding.roleRef).toEqual({
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'Role',
        name: role.metadata.name,
      });
      expect(binding.subjects).toEqual([
        { kind: 'ServiceAccount', name: 'azimuth-operator', namespace: 'azimuth-system' },
      ]);
    }
    const own = roles.find(({ metadata }) => metadata.namespace === 'azimuth-system');
    expect(secrets(own)).toEqual([
      { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'patch'], resourceNames: [operatorKeySecret] },
      { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
    ]);
  }
  expect(pod(operator({ targetNamespaces: ['team-a', 'team-b'] })).containers[0].args).toContain(
    '--target-namespaces=team-a,team-b',
  );
});

test('with target namespaces it may write events about a Namespace, which lie in kube-system, and nothing else there', () => {
  const manifests = operator({ targetNamespaces: ['team-a'] });
  const lies = ({ kind, metadata }: Manifest, wanted: string) =>
    kind === wanted && metadata.namespace === 'kube-system';
  const role = manifests.find((each) => lies(each, 'Role'));
  expect(role.rules).toEqual([{ apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] }]);
  const binding = manifests.find((each) => lies(each, 'RoleBinding'));
  expect(binding.roleRef.name).toBe(role.metadata.name);
  expect(binding.subjects).toEqual([{ kind: 'ServiceAccount', name: 'azimuth-operator', namespace: 'azimuth-system' }]);
  // A ClusterRole covers them where no namespaces are named.
  expect(operator().some((each) => lies(each, 'Role'))).toBe(false);
});

test('its own namespace may be among the target namespaces', () => {
  const manifests = operator({ targetNamespaces: ['azimuth-system'] });
  const own = ({ kind, metadata }: Manifest) => kind === 'Role' && metadata.namespace === 'azimuth-system';
  const names = manifests.filter(own).map(({ metadata }) => metadata.name);
  expect(names.sort()).toEqual(['azimuth-operator', 'azimuth-operator-objects']);
});
