import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Chart, Size, Testing } from 'cdk8s';
import { ResourceOperator, type ResourceOperatorProps } from '../../constructs/resource-operator.ts';
import { DEFAULT_TOKEN_FILE } from '../../runtime/azure/identity/credential.ts';
import { kindOf, type Manifest, program, synth } from './manifests.ts';

const operator = (props: Partial<ResourceOperatorProps> = {}) =>
  synth((chart) => void new ResourceOperator(chart, 'Operator', { ...program, ...props }));

const pod = (manifests: Manifest[]) => kindOf(manifests, 'Deployment').spec.template.spec;

test('defaults', () => {
  expect(operator({ kinds: 'azimuth.dev/*;resources.azure.com/*' })).toMatchSnapshot();
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
  expect(operator(props)).toMatchSnapshot();
});

test('the token that credentials in Secrets sign in with by workload identity is mounted where they read it', () => {
  const [container] = pod(operator()).containers;
  expect(container.env).toContainEqual({ name: 'AZURE_FEDERATED_TOKEN_FILE', value: DEFAULT_TOKEN_FILE });
  expect(container.volumeMounts).toContainEqual(
    expect.objectContaining({ mountPath: DEFAULT_TOKEN_FILE.replace(/\/[^/]+$/, ''), name: 'azure-identity' }),
  );
});

test('two replicas are spread over nodes and at most one is taken away', () => {
  const manifests = operator();
  expect(kindOf(manifests, 'Deployment').spec.replicas).toBe(2);
  expect(kindOf(manifests, 'PodDisruptionBudget')).toMatchObject({
    apiVersion: 'policy/v1',
    spec: { maxUnavailable: 1 },
  });
  expect(pod(manifests).topologySpreadConstraints).toHaveLength(2);
});

test('a PodDisruptionBudget for an API server before 1.21 is policy/v1beta1', () => {
  expect(kindOf(operator({ kubernetesVersion: '1.20' }), 'PodDisruptionBudget').apiVersion).toBe('policy/v1beta1');
});

test('with deployments there is memory for the process that expands their templates, and none of it for the heap', () => {
  const [container] = pod(operator({ deployments: true })).containers;
  expect(container.resources.limits).toEqual({ memory: '648Mi' });
  const heap = (of: Manifest) =>
    Number(/old-space-size=(\d+)/.exec(of.env.find(({ name }: Manifest) => name === 'NODE_OPTIONS').value)?.[1]);
  // What the operator keeps of deployments is in its own heap.
  expect(heap(container)).toBe(heap(pod(operator()).containers[0]) + 128);
  const text = readFileSync('docs/reference/memory.md', 'utf8');
  expect(text).toContain('`deployments` there are 160Mi more');
  expect(text).toContain('and 128Mi for [deployments]');
});

test('the defaults of cdk8s-plus that an operator must not have are replaced', () => {
  const spec = pod(operator());
  const [container] = spec.containers;
  expect(container.imagePullPolicy).toBe('IfNotPresent');
  expect(container.resources).toEqual({ requests: { cpu: '50m', memory: '360Mi' }, limits: { memory: '360Mi' } });
  expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65532 });
  // The API token is there although automounting is off.
  expect(container.volumeMounts).toContainEqual(
    expect.objectContaining({ mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }),
  );
  const deployment = kindOf(operator(), 'Deployment');
  expect(Object.keys(deployment.spec.selector.matchLabels).sort()).toEqual([
    'app.kubernetes.io/component',
    'app.kubernetes.io/name',
  ]);
  for (const manifest of operator().filter(({ kind }) => /^Cluster/.test(kind))) {
    expect(manifest.metadata.namespace).toBeUndefined();
    expect(JSON.stringify(manifest)).not.toContain('resourceNames');
  }
});

test('the container is locked down', () => {
  expect(pod(operator()).containers[0].securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    privileged: false,
    capabilities: { drop: ['ALL'] },
  });
});

test('props that cannot work are all reported at once, at synth', () => {
  const chart = Testing.chart();
  new ResourceOperator(chart, 'Operator', { ...program, namespace: 'Not A Label', image: ' ', replicas: -1 });
  const errors = chart.node.findAll().flatMap((node) => node.node.validate());
  expect(errors).toEqual([
    'Expected `replicas` to be 0 or more, got `-1`',
    'Expected `namespace` to be a DNS label, got `Not A Label`',
    'Expected `image` to name a container image, got ``',
  ]);
  expect(Chart.isChart(chart)).toBe(true);
});

test('a version that is none is refused with the value', () => {
  expect(() => operator({ kubernetesVersion: 'latest' })).toThrow(
    'Expected `kubernetesVersion` to be like 1.27, got `latest`',
  );
});

test('a collector of spans opens its port, unless it is open anyway', () => {
  const open = (endpoint: string) =>
    kindOf(operator({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } }), 'NetworkPolicy')
      .spec.egress.flatMap(({ ports }: Manifest) => ports)
      .map(({ port }: Manifest) => port);
  expect(open('http://collector.monitoring:4318')).toContain(4318);
  expect(open('http://collector')).toContain(80);
  expect(open('https://collector.example')).toEqual(open(''));
});

test('Node keeps to the memory of its container, and its flags can be others', () => {
  const flags = (props = {}) =>
    pod(operator(props)).containers[0].env.filter(({ name }: Manifest) => name === 'NODE_OPTIONS');
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
  expect(pod(operator({ credentialScopes: scopes })).containers[0].args).toContain(
    '--operator-credential-scopes=team-a=/subscriptions/s/resourceGroups/a;team-a=/subscriptions/t;*=/subscriptions/net',
  );
  expect(JSON.stringify(pod(operator()))).not.toContain('operator-credential-scopes');
});

test('pods of the namespace of Prometheus may read metrics, others may not', () => {
  const ingress = (props: Parameters<typeof operator>[0]) => kindOf(operator(props), 'NetworkPolicy').spec.ingress;
  const from = (...values: string[]) => [
    { namespaceSelector: { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values }] } },
  ];
  const ports = [{ port: 8081, protocol: 'TCP' }];
  expect(ingress({})).toEqual([{ from: from('monitoring'), ports }]);
  expect(ingress({ metricsFrom: ['a', 'b'] })).toEqual([{ from: from('a', 'b'), ports }]);
  expect(ingress({ metricsFrom: [] }) ?? []).toEqual([]);
});

test('the pods have a priority and spread over machines and zones', () => {
  const pod = (props: Parameters<typeof operator>[0]) => kindOf(operator(props), 'Deployment').spec.template.spec;
  expect(pod({}).priorityClassName).toBe('system-cluster-critical');
  expect(pod({ priorityClassName: 'mine' }).priorityClassName).toBe('mine');
  const keys = pod({}).topologySpreadConstraints.map(({ topologyKey }: { topologyKey: string }) => topologyKey);
  expect(keys).toEqual(['kubernetes.io/hostname', 'topology.kubernetes.io/zone']);
});
