import { expect, test } from '@jest/globals';
import { App, type Chart, Size, Testing } from 'cdk8s';
import { Platform } from '../../../constructs/platform.ts';
import {
  IdentityController,
  type IdentityControllerProps,
} from '../../../constructs/pod-identity/identity-controller.ts';
import { NodeIdentity, type NodeIdentityProps } from '../../../constructs/pod-identity/node-identity.ts';
import { identityPermissions, nmiPermissions } from '../../../runtime/api/permissions/index.ts';
import { identityConfig } from '../../../runtime/identity/config.ts';
import { type NmiConfig, nmiConfig } from '../../../runtime/nmi/config/config.ts';
import { hasExceptedAccount } from '../../../runtime/nmi/config/excepted-accounts.ts';
import type { Pod } from '../../../runtime/nmi/objects.ts';
import { kindOf, type Manifest, program, synth } from '../manifests.ts';

const controller = (props: Partial<IdentityControllerProps> = {}) =>
  synth((chart) => void new IdentityController(chart, 'Controller', { ...program, ...props }));
const daemon = (props: Partial<NodeIdentityProps> = {}) =>
  synth((chart) => void new NodeIdentity(chart, 'Node', { ...program, ...props }));

test('the controller: defaults', () => {
  expect(controller()).toMatchSnapshot();
});

test('the daemon: defaults', () => {
  expect(daemon()).toMatchSnapshot();
});

test('a platform excepts its own programs by their accounts, and its manifests have no object of its own kinds', () => {
  const app = new App();
  const podIdentity = { node: { exceptedAccounts: [{ namespace: 'kube-system', name: 'backup' }] } };
  new Platform(app, 'azimuth', { ...program, podIdentity, machineSecrets: { endpoint: { audiences: ['api://a'] } } });
  const manifests: Manifest[] = app.charts.flatMap((chart) => chart.toJson());
  const { args } = manifests.find(({ kind }) => kind === 'DaemonSet').spec.template.spec.containers[0];
  const known = args.slice(1).filter((arg: string) => !arg.includes('$('));
  const config = nmiConfig(['--node=n1', ...known], {}) as NmiConfig;
  const excepted = (namespace: string, serviceAccountName: string) =>
    hasExceptedAccount({ metadata: { namespace }, spec: { serviceAccountName } } as Pod, config.exceptedAccounts);
  const accounts = manifests
    .filter(({ kind, spec }) => kind === 'Deployment' && spec)
    .map(({ metadata, spec }) => [metadata.namespace, spec.template.spec.serviceAccountName] as const);
  expect(accounts.map(([, name]) => name).sort()).toEqual(['azimuth-identity', 'azimuth-operator', 'azimuth-secrets']);
  for (const [namespace, name] of accounts) expect([name, excepted(namespace, name)]).toEqual([name, true]);
  expect([excepted('kube-system', 'backup'), excepted('azimuth-system', 'azimuth-ui')]).toEqual([true, false]);
  const defined = new Set(manifests.filter(({ spec }) => spec?.names).map(({ spec }) => spec.names.kind));
  expect(manifests.filter(({ kind }) => defined.has(kind))).toEqual([]);
});

test('the memory of the daemon bounds its heap, and settings for memory give way to given ones', () => {
  const variables = (props: Partial<NodeIdentityProps>): Record<string, string> =>
    Object.fromEntries(
      kindOf(daemon(props), 'DaemonSet').spec.template.spec.containers[0].env.map(({ name, value }: Manifest) => [
        name,
        value,
      ]),
    );
  expect(variables({ memory: Size.mebibytes(300) })).toMatchObject({
    NODE_OPTIONS: '--max-semi-space-size=2 --max-old-space-size=100',
    MALLOC_ARENA_MAX: '1',
    MALLOC_MMAP_THRESHOLD_: '32768',
    MALLOC_TRIM_THRESHOLD_: '131072',
  });
  expect(variables({ env: { MALLOC_ARENA_MAX: '2' } })['MALLOC_ARENA_MAX']).toBe('2');
});

test('the daemon shares the network of its node and has two capabilities, a read-only file system and nothing else', () => {
  const { spec } = kindOf(daemon(), 'DaemonSet').spec.template;
  expect(spec).toMatchObject({
    hostNetwork: true,
    dnsPolicy: 'ClusterFirstWithHostNet',
    priorityClassName: 'system-node-critical',
    tolerations: [{ operator: 'Exists' }],
  });
  expect(spec.containers[0].securityContext).toEqual({
    runAsUser: 0,
    privileged: false,
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'], add: ['NET_ADMIN', 'NET_RAW'] },
  });
  expect(kindOf(daemon({ maxUnavailable: '10%' }), 'DaemonSet').spec.updateStrategy).toEqual({
    type: 'RollingUpdate',
    rollingUpdate: { maxUnavailable: '10%' },
  });
});

test.each<[string, Pick<NodeIdentityProps, 'args' | 'env'>]>([
  ['by default', {}],
  ['of an argument', { args: ['--nmi-port=3579'] }],
  ['of an argument and its value', { args: ['--nmi-port', '3579'] }],
  ['of a variable', { env: { NMI_PORT: '3579' } }],
  ['of an argument before a variable', { args: ['--nmi-port=3579'], env: { NMI_PORT: '4579' } }],
])('the DaemonSet reserves the port on which the daemon listens for pods, %s', (_, props) => {
  const [container] = kindOf(daemon(props), 'DaemonSet').spec.template.spec.containers;
  const args: string[] = container.args.slice(1).filter((arg: string) => !arg.includes('$('));
  const { port } = nmiConfig(['--node=n1', ...args], props.env ?? {}) as NmiConfig;
  // The scheduler places, and kubelet admits, no other pod with this port of the host.
  expect(container.ports.filter(({ hostPort }: Manifest) => hostPort !== undefined)).toEqual([
    { name: 'metadata', containerPort: port, hostPort: port, protocol: 'TCP' },
  ]);
});

test('the roles are the declared ones, and names of Secrets narrow them', () => {
  const rules = (manifests: Manifest[]) => kindOf(manifests, 'ClusterRole').rules;
  expect(rules(controller())).toEqual(identityPermissions().cluster);
  expect(rules(daemon())).toEqual(nmiPermissions({ metricsReaders: true }).cluster);
  for (const manifests of [controller({ secretNames: ['b', 'a'] }), daemon({ secretNames: ['b', 'a'] })]) {
    const secrets = rules(manifests).find(({ resources }: Manifest) => resources.includes('secrets'));
    expect(secrets.resourceNames).toEqual(['a', 'b']);
    expect(JSON.stringify(rules(manifests))).not.toContain('"*"');
  }
});

test('the daemon may ask for tokens of the service accounts that are named, of none without, and of Secrets likewise', () => {
  const rule = (props: Partial<NodeIdentityProps>, resource: string) =>
    kindOf(daemon(props), 'ClusterRole').rules.find(({ resources }: Manifest) => resources.includes(resource));
  const tokens = 'serviceaccounts/token';
  expect(rule({}, tokens)).toBeUndefined();
  expect(rule({ federatedAccounts: [] }, tokens)).toBeUndefined();
  expect(rule({ federatedAccounts: ['web', 'api'] }, tokens).resourceNames).toEqual(['api', 'web']);
  expect(rule({ federatedAccounts: 'all' }, tokens).resourceNames).toBeUndefined();
  expect(rule({ secretNames: [] }, 'secrets')).toBeUndefined();
});

test('arguments are such that the programs understand them', () => {
  const args = (manifests: Manifest[], kind: string): string[] =>
    kindOf(manifests, kind).spec.template.spec.containers[0].args.map((arg: string) =>
      arg.replace('$(NODE_NAME)', 'n').replace('$(HOST_IP)', '10.0.0.1'),
    );
  const [name, ...flags] = args(
    controller({ forceNamespaced: true, immutableClientIds: ['A', 'b'], cloudConfigSecret: 'cloud' }),
    'Deployment',
  );
  expect(name).toBe('identity');
  expect(identityConfig(flags, {})).toMatchObject({
    forceNamespaced: true,
    immutableClientIds: ['a', 'b'],
    cloudconfig: '/etc/azimuth/cloud/azure.json',
    healthPort: 8080,
  });
  const [other, ...rest] = args(daemon({ mode: 'managed', blockInstanceMetadata: true }), 'DaemonSet');
  expect(other).toBe('nmi');
  expect(nmiConfig(rest, {})).toMatchObject({
    node: 'n',
    mode: 'managed',
    forceNamespaced: true,
    blockInstanceMetadata: true,
  });
});

test('a cloud configuration takes the place of the settings', () => {
  const [container] = kindOf(controller({ cloudConfigSecret: 'cloud' }), 'Deployment').spec.template.spec.containers;
  expect(container.envFrom).toBeUndefined();
  expect(container.volumeMounts).toContainEqual({
    name: 'cloud-config',
    mountPath: '/etc/azimuth/cloud',
    readOnly: true,
  });
});

test('the platform has pod identities only when asked, the daemons in a namespace that admits them', () => {
  const kinds = (podIdentity?: object) => {
    const app = new App();
    new Platform(app, 'azimuth', { image: 'azimuth:test', version: 'test', ...(podIdentity && { podIdentity }) });
    return Testing.synth(app.charts.find(({ node }) => node.id === 'azimuth-programs') as Chart) as Manifest[];
  };
  expect(kinds().map(({ kind }) => kind)).not.toContain('DaemonSet');
  const manifests = kinds({ forceNamespaced: true });
  const namespace = manifests.find(
    ({ kind, metadata }) => kind === 'Namespace' && metadata.name === 'azimuth-system-nodes',
  );
  expect(namespace.metadata.labels['pod-security.kubernetes.io/enforce']).toBe('privileged');
  expect(kindOf(manifests, 'DaemonSet').metadata.namespace).toBe('azimuth-system-nodes');
  for (const kind of ['DaemonSet', 'Deployment']) {
    const found = manifests.filter((each) => each.kind === kind && each.metadata.name !== 'azimuth-operator');
    for (const { spec } of found) expect(spec.template.spec.containers[0].args).toContain('--forceNamespaced=true');
  }
});
