import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Chart, Size, Testing } from 'cdk8s';
import { programsOf } from '../../constructs/program-list.ts';
import { ResourceOperator, type ResourceOperatorProps } from '../../constructs/resource-operator.ts';
import { operatorKeySecret } from '../../runtime/api/permissions/index.ts';
import { DEFAULT_TOKEN_FILE } from '../../runtime/azure/identity/credential.ts';

// biome-ignore lint/suspicious/noExplicitAny: manifests of any kind
type Manifest = any;

const required = { namespace: 'azimuth-system', image: 'azimuth:test', version: 'test' };

function synth(props: Partial<ResourceOperatorProps> = {}): Manifest[] {
  const chart = Testing.chart();
  new ResourceOperator(chart, 'Operator', { ...required, ...props });
  return Testing.synth(chart);
}

const kindOf = (manifests: Manifest[], kind: string) => manifests.find((manifest) => manifest.kind === kind);
const pod = (manifests: Manifest[]) => kindOf(manifests, 'Deployment').spec.template.spec;

test('defaults', () => {
  expect(synth({ kinds: 'azimuth.dev/*;resources.azure.com/*' })).toMatchSnapshot();
});

test('everything set', () => {
  const props: Partial<ResourceOperatorProps> = {
    kinds: 'azimuth.dev/*',
    settingsSecret: 'other',
    replicas: 3,
    env: { AZURE_SYNC_PERIOD: '2h' },
    memory: Size.mebibytes(512),
    kubernetesVersion: '1.20',
  };
  expect(synth(props)).toMatchSnapshot();
});

test('the token that credentials in Secrets sign in with by workload identity is mounted where they read it', () => {
  const [container] = pod(synth()).containers;
  expect(container.env).toContainEqual({ name: 'AZURE_FEDERATED_TOKEN_FILE', value: DEFAULT_TOKEN_FILE });
  expect(container.volumeMounts).toContainEqual(
    expect.objectContaining({ mountPath: DEFAULT_TOKEN_FILE.replace(/\/[^/]+$/, ''), name: 'azure-identity' }),
  );
});

test('two replicas are spread over nodes and at most one is taken away', () => {
  const manifests = synth();
  expect(kindOf(manifests, 'Deployment').spec.replicas).toBe(2);
  expect(kindOf(manifests, 'PodDisruptionBudget')).toMatchObject({
    apiVersion: 'policy/v1',
    spec: { maxUnavailable: 1 },
  });
  expect(pod(manifests).topologySpreadConstraints).toHaveLength(2);
});

test('a PodDisruptionBudget for an API server before 1.21 is policy/v1beta1', () => {
  expect(kindOf(synth({ kubernetesVersion: '1.20' }), 'PodDisruptionBudget').apiVersion).toBe('policy/v1beta1');
});

test('with deployments there is memory for the process that expands their templates, and none of it for the heap', () => {
  const [container] = pod(synth({ deployments: true })).containers;
  expect(container.resources.limits).toEqual({ memory: '648Mi' });
  const heap = (of: Manifest) =>
    Number(/old-space-size=(\d+)/.exec(of.env.find(({ name }: Manifest) => name === 'NODE_OPTIONS').value)?.[1]);
  // What the operator keeps of deployments is in its own heap.
  expect(heap(container)).toBe(heap(pod(synth()).containers[0]) + 128);
  const text = readFileSync('docs/reference/memory.md', 'utf8');
  expect(text).toContain('`deployments` there are 160Mi more');
  expect(text).toContain('and 128Mi for [deployments]');
});

test('the check of service accounts is a variable and a right, both off by default', () => {
  const rights = (objects: ReturnType<typeof synth>) =>
    objects
      .find(({ kind }) => kind === 'ClusterRole')
      ?.rules.some((rule: { resources: string[] }) => rule.resources.includes('serviceaccounts'));
  const variable = { name: 'AZIMUTH_CHECK_SERVICE_ACCOUNTS', value: 'true' };
  expect(rights(synth({ checkServiceAccounts: true }))).toBe(true);
  expect(pod(synth({ checkServiceAccounts: true })).containers[0].env).toContainEqual(variable);
  expect(rights(synth({}))).toBe(false);
  const env = { AZIMUTH_CHECK_SERVICE_ACCOUNTS: 'true' };
  expect(programsOf(env).operator).toEqual({ checkServiceAccounts: true });
});

test('the check of service accounts without the kinds that it reads is refused, with what to add', () => {
  const kinds = 'resources.azure.com/*;managedidentity.azure.com/UserAssignedIdentity';
  expect(() => synth({ checkServiceAccounts: true, kinds })).toThrow(
    /checkServiceAccounts reads objects of the kind managedidentity.azure.com\/FederatedIdentityCredential: add it/,
  );
});

test('the defaults of cdk8s-plus that an operator must not have are replaced', () => {
  const spec = pod(synth());
  const [container] = spec.containers;
  expect(container.imagePullPolicy).toBe('IfNotPresent');
  expect(container.resources).toEqual({ requests: { cpu: '50m', memory: '360Mi' }, limits: { memory: '360Mi' } });
  expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65532 });
  // The API token is there although automounting is off.
  expect(container.volumeMounts).toContainEqual(
    expect.objectContaining({ mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }),
  );
  const deployment = kindOf(synth(), 'Deployment');
  expect(Object.keys(deployment.spec.selector.matchLabels).sort()).toEqual([
    'app.kubernetes.io/component',
    'app.kubernetes.io/name',
  ]);
  for (const manifest of synth().filter(({ kind }) => /^Cluster/.test(kind))) {
    expect(manifest.metadata.namespace).toBeUndefined();
    expect(JSON.stringify(manifest)).not.toContain('resourceNames');
  }
});

test('the container is locked down', () => {
  expect(pod(synth()).containers[0].securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    privileged: false,
    capabilities: { drop: ['ALL'] },
  });
});

test('the role has no wildcard, no delete and no secret outside of what exports need', () => {
  const { rules } = kindOf(synth(), 'ClusterRole');
  for (const rule of rules) {
    expect([...rule.apiGroups, ...rule.resources, ...rule.verbs]).not.toContain('*');
    expect(rule.verbs).not.toContain('deletecollection');
  }
  const lease = kindOf(synth(), 'Role').rules;
  expect(lease).toEqual([{ apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: expect.anything() }]);
});

test('with target namespaces the service account reads no Secret but there', () => {
  for (const props of [
    { targetNamespaces: ['team-a', 'team-b'] },
    { env: { AZURE_TARGET_NAMESPACES: 'team-a, team-b' } },
  ]) {
    const manifests = synth({ kinds: 'storage.azure.com/*', ...props });
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
  expect(pod(synth({ targetNamespaces: ['team-a', 'team-b'] })).containers[0].args).toContain(
    '--target-namespaces=team-a,team-b',
  );
});

test('with target namespaces it may write events about a Namespace, which lie in kube-system, and nothing else there', () => {
  const manifests = synth({ targetNamespaces: ['team-a'] });
  const lies = ({ kind, metadata }: Manifest, wanted: string) =>
    kind === wanted && metadata.namespace === 'kube-system';
  const role = manifests.find((each) => lies(each, 'Role'));
  expect(role.rules).toEqual([{ apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] }]);
  const binding = manifests.find((each) => lies(each, 'RoleBinding'));
  expect(binding.roleRef.name).toBe(role.metadata.name);
  expect(binding.subjects).toEqual([{ kind: 'ServiceAccount', name: 'azimuth-operator', namespace: 'azimuth-system' }]);
  // A ClusterRole covers them where no namespaces are named.
  expect(synth().some((each) => lies(each, 'Role'))).toBe(false);
});

test('its own namespace may be among the target namespaces', () => {
  const manifests = synth({ targetNamespaces: ['azimuth-system'] });
  const own = ({ kind, metadata }: Manifest) => kind === 'Role' && metadata.namespace === 'azimuth-system';
  const names = manifests.filter(own).map(({ metadata }) => metadata.name);
  expect(names.sort()).toEqual(['azimuth-operator', 'azimuth-operator-objects']);
});

test('props that cannot work are all reported at once, at synth', () => {
  const chart = Testing.chart();
  new ResourceOperator(chart, 'Operator', { ...required, namespace: 'Not A Label', image: ' ', replicas: -1 });
  const errors = chart.node.findAll().flatMap((node) => node.node.validate());
  expect(errors).toEqual([
    'Expected `replicas` to be 0 or more, got `-1`',
    'Expected `namespace` to be a DNS label, got `Not A Label`',
    'Expected `image` to name a container image, got ``',
  ]);
  expect(Chart.isChart(chart)).toBe(true);
});

test('a version that is none is refused with the value', () => {
  expect(() => synth({ kubernetesVersion: 'latest' })).toThrow(
    'Expected `kubernetesVersion` to be like 1.27, got `latest`',
  );
});

test('a collector of spans opens its port, unless it is open anyway', () => {
  const open = (endpoint: string) =>
    kindOf(synth({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } }), 'NetworkPolicy')
      .spec.egress.flatMap(({ ports }: Manifest) => ports)
      .map(({ port }: Manifest) => port);
  expect(open('http://collector.monitoring:4318')).toContain(4318);
  expect(open('http://collector')).toContain(80);
  expect(open('https://collector.example')).toEqual(open(''));
});

test('Node keeps to the memory of its container, and its flags can be others', () => {
  const flags = (props = {}) =>
    pod(synth(props)).containers[0].env.filter(({ name }: Manifest) => name === 'NODE_OPTIONS');
  const value = (heap: number) => [
    { name: 'NODE_OPTIONS', value: `--max-semi-space-size=1 --max-old-space-size=${heap}` },
  ];
  expect(flags()).toEqual(value(144));
  // 104 of them are for the process that evaluates expressions.
  expect(flags({ memory: Size.mebibytes(512) })).toEqual(value(296));
  expect(flags({ memory: Size.mebibytes(128) })).toEqual(value(64));
  expect(flags({ env: { NODE_OPTIONS: '--trace-gc' } })).toEqual([{ name: 'NODE_OPTIONS', value: '--trace-gc' }]);
});

test('where the operator’s own credential may be used goes to it as one flag', () => {
  const scopes = { 'team-a': ['/subscriptions/s/resourceGroups/a', '/subscriptions/t'], '*': ['/subscriptions/net'] };
  expect(pod(synth({ credentialScopes: scopes })).containers[0].args).toContain(
    '--operator-credential-scopes=team-a=/subscriptions/s/resourceGroups/a;team-a=/subscriptions/t;*=/subscriptions/net',
  );
  expect(JSON.stringify(pod(synth()))).not.toContain('operator-credential-scopes');
});

test('pods of the namespace of Prometheus may read metrics, others may not', () => {
  const ingress = (props: Parameters<typeof synth>[0]) => kindOf(synth(props), 'NetworkPolicy').spec.ingress;
  const from = (...values: string[]) => [
    { namespaceSelector: { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values }] } },
  ];
  const ports = [{ port: 8081, protocol: 'TCP' }];
  expect(ingress({})).toEqual([{ from: from('monitoring'), ports }]);
  expect(ingress({ metricsFrom: ['a', 'b'] })).toEqual([{ from: from('a', 'b'), ports }]);
  expect(ingress({ metricsFrom: [] }) ?? []).toEqual([]);
});

test('the pods have a priority and spread over machines and zones', () => {
  const pod = (props: Parameters<typeof synth>[0]) => kindOf(synth(props), 'Deployment').spec.template.spec;
  expect(pod({}).priorityClassName).toBe('system-cluster-critical');
  expect(pod({ priorityClassName: 'mine' }).priorityClassName).toBe('mine');
  const keys = pod({}).topologySpreadConstraints.map(({ topologyKey }: { topologyKey: string }) => topologyKey);
  expect(keys).toEqual(['kubernetes.io/hostname', 'topology.kubernetes.io/zone']);
});
