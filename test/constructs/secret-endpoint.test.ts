import { expect, test } from '@jest/globals';
import { type App, Testing } from 'cdk8s';
import { Platform, type PlatformProps } from '../../constructs/index.ts';
import { programsOf } from '../../constructs/program-list.ts';
import { secretsPermissions } from '../../runtime/api/permissions/index.ts';
import type { Manifest } from './manifests.ts';

const common = { image: 'example.org/azimuth:1', version: '1', kinds: 'resources.azure.com/*' };

function manifests(props: Partial<PlatformProps>): Manifest[] {
  const app: App = Testing.app();
  new Platform(app, 'azimuth', { ...common, ...props });
  return app.charts.flatMap((chart) => chart.toJson());
}

const named = (all: Manifest[], kind: string, name = 'azimuth-secrets') =>
  all.find((each) => each.kind === kind && each.metadata.name === name);

const endpoint = { audiences: ['api://azimuth-secrets'], location: 'westeurope' };

test('without machineSecrets there is neither the endpoint nor its kinds, and the operator has not heard of them', () => {
  const all = manifests({});
  expect(named(all, 'Deployment')).toBeUndefined();
  expect(named(all, 'CustomResourceDefinition', 'managedsecrets.azimuth.dev')).toBeUndefined();
  expect(JSON.stringify(all)).not.toContain('AZIMUTH_MACHINE_SECRETS');
});

test('machineSecrets brings the kinds and the flag of the operator, and with its settings the endpoint', () => {
  const without = manifests({ machineSecrets: {} });
  for (const plural of ['managedsecrets', 'featureregistrations', 'featureapprovals'])
    expect(named(without, 'CustomResourceDefinition', `${plural}.azimuth.dev`)).toBeDefined();
  const operator = named(without, 'Deployment', 'azimuth-operator').spec.template.spec.containers[0];
  expect(operator.env).toContainEqual({ name: 'AZIMUTH_MACHINE_SECRETS', value: 'true' });
  expect(named(without, 'Deployment')).toBeUndefined();
  expect(named(manifests({ machineSecrets: { endpoint } }), 'Deployment')).toBeDefined();
});

test('the environment names machine-secrets, and the endpoint where it has an audience', () => {
  const programs = 'operator;machine-secrets';
  expect(programsOf({ AZIMUTH_PROGRAMS: 'operator' }).machineSecrets).toBe(false);
  expect(programsOf({ AZIMUTH_PROGRAMS: programs }).machineSecrets).toEqual({ endpoint: false });
  const env = { AZIMUTH_SECRETS_AUDIENCE: 'api://azimuth-secrets; other', AZIMUTH_SECRETS_LOCATION: 'westeurope' };
  expect(programsOf({ AZIMUTH_PROGRAMS: programs, ...env }).machineSecrets).toEqual({
    endpoint: { audiences: ['api://azimuth-secrets', 'other'], location: 'westeurope' },
  });
});

test('a ManagedSecret takes the place of the mounted certificate', () => {
  const all = manifests({ machineSecrets: { endpoint: { ...endpoint, tlsManagedSecret: 'azimuth-system/endpoint' } } });
  const { containers, volumes } = named(all, 'Deployment').spec.template.spec;
  expect(containers[0].args).toContain('--tls-managed-secret=azimuth-system/endpoint');
  expect(volumes.map(({ name }: Manifest) => name)).toEqual(['api-access', 'azure-identity']);
});

test('the endpoint has two replicas, no privilege, its certificate as a volume, and a Service that keeps to a replica', () => {
  const all = manifests({ machineSecrets: { endpoint } });
  const { spec } = named(all, 'Deployment');
  expect(spec.replicas).toBe(2);
  const pod = spec.template.spec;
  expect(pod.topologySpreadConstraints).toHaveLength(2);
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
  const [container] = pod.containers;
  expect(container.resources.limits).toEqual({ memory: '512Mi' });
  expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
  expect(container.args).toEqual([
    'secrets',
    '--health-port=8086',
    '--audience=api://azimuth-secrets',
    '--location=westeurope',
  ]);
  expect(container.ports).toContainEqual({ name: 'https', containerPort: 8443, protocol: 'TCP' });
  expect(pod.volumes).toContainEqual({
    name: 'tls',
    secret: { secretName: 'azimuth-secrets-tls', defaultMode: 0o440 },
  });
  const service = named(all, 'Service').spec;
  expect(service).toMatchObject({
    type: 'ClusterIP',
    sessionAffinity: 'ClientIP',
    selector: spec.selector.matchLabels,
  });
  expect(service.ports).toEqual([{ name: 'https', port: 443, targetPort: 'https', protocol: 'TCP' }]);
  expect(named(all, 'NetworkPolicy').spec.ingress).toEqual([
    {
      from: [
        {
          namespaceSelector: {
            matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['monitoring'] }],
          },
        },
      ],
      ports: [{ port: 8086, protocol: 'TCP' }],
    },
    { ports: [{ port: 8443, protocol: 'TCP' }] },
  ]);
  expect(named(all, 'PodDisruptionBudget')).toBeDefined();
});

test('its role reads no Secret, and with target namespaces in others only who approved what', () => {
  expect(JSON.stringify(secretsPermissions())).not.toContain('"secrets"');
  const all = manifests({ machineSecrets: { endpoint: { ...endpoint, targetNamespaces: ['shop'] } } });
  const roles = all.filter((each) => /Role$/.test(each.kind) && each.metadata.name.startsWith('azimuth-secrets'));
  const [cluster] = roles.filter(({ kind }) => kind === 'ClusterRole');
  expect(cluster.rules).toEqual([
    { apiGroups: ['azimuth.dev'], resources: ['featureregistrations', 'featureapprovals'], verbs: ['list', 'watch'] },
  ]);
  const [role] = roles.filter(({ metadata }) => metadata.namespace === 'shop');
  expect(role.rules).toContainEqual({
    apiGroups: ['azimuth.dev'],
    resources: ['managedsecrets'],
    verbs: ['list', 'watch'],
  });
});

test('the endpoint knows identities of pods: the scopes of the platform, and the records of the controller', () => {
  const identityScopes = { 'team-a': ['/subscriptions/s/resourceGroups/team-a'] };
  const all = manifests({ machineSecrets: { endpoint }, identityScopes });
  const { args } = named(all, 'Deployment').spec.template.spec.containers[0];
  expect(args).toContain('--identity-scopes=team-a=/subscriptions/s/resourceGroups/team-a');
  const { metadata, rules } = named(all, 'Role') ?? {};
  expect(metadata.namespace).toBe(named(all, 'Deployment', 'azimuth-secrets').metadata.namespace);
  expect(rules).toEqual([{ apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] }]);
});

test('an endpoint without an audience is refused', () => {
  const app = Testing.app();
  new Platform(app, 'azimuth', { ...common, machineSecrets: { endpoint: { audiences: [] } } });
  expect(() => app.synth()).toThrow(/Expected `audiences` to name the audience/);
});
