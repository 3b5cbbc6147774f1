import { expect, test } from '@jest/globals';
import { App, type Chart, Size, Testing } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-27';
import { UserAssignedIdentity } from '../../constructs/generated/managedidentity.ts';
import { Platform } from '../../constructs/platform.ts';
import { AzureIdentity, type AzureIdentityProps } from '../../constructs/pod-identity/azure-identity.ts';
import { AzureIdentityBinding } from '../../constructs/pod-identity/azure-identity-binding.ts';
import { IdentityController, type IdentityControllerProps } from '../../constructs/pod-identity/identity-controller.ts';
import { NodeIdentity, type NodeIdentityProps } from '../../constructs/pod-identity/node-identity.ts';
import { PodIdentity } from '../../constructs/pod-identity/pod-identity.ts';
import { identityPermissions, nmiPermissions } from '../../runtime/api/permissions/index.ts';
import { identityConfig } from '../../runtime/identity/config.ts';
import { type NmiConfig, nmiConfig } from '../../runtime/nmi/config/config.ts';
import { hasExceptedAccount } from '../../runtime/nmi/config/excepted-accounts.ts';
import type { Pod } from '../../runtime/nmi/objects.ts';

// biome-ignore lint/suspicious/noExplicitAny: manifests of any kind
type Manifest = any;

const program = { namespace: 'azimuth-system', image: 'azimuth:test', version: 'test' };
const resourceId =
  '/subscriptions/s/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/orders';
const orders: AzureIdentityProps = {
  namespace: 'shop',
  clientId: 'c',
  credential: { kind: 'userAssigned', resourceId },
};

function synth(make: (chart: Chart) => void): Manifest[] {
  const chart = Testing.chart();
  make(chart);
  return Testing.synth(chart);
}
const problems = (make: (chart: Chart) => void) => {
  const chart = Testing.chart();
  make(chart);
  return chart.node.findAll().flatMap((node) => node.node.validate());
};
const kindOf = (manifests: Manifest[], kind: string) => manifests.find((manifest) => manifest.kind === kind);
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

test('each kind of credential renders as its type', () => {
  const secret = { namespace: 'shop', name: 'creds' };
  const spec = (credential: AzureIdentityProps['credential']) =>
    kindOf(
      synth((chart) => void new AzureIdentity(chart, 'Orders', { ...orders, credential })),
      'AzureIdentity',
    ).spec;
  expect(spec(orders.credential)).toEqual({ type: 0, clientID: 'c', resourceID: resourceId });
  expect(spec({ kind: 'clientSecret', tenantId: 't', secret, auxiliaryTenantIds: ['u'] })).toEqual({
    type: 1,
    clientID: 'c',
    tenantID: 't',
    clientPassword: secret,
    auxiliaryTenantIDs: ['u'],
  });
  expect(spec({ kind: 'clientCertificate', tenantId: 't', secret })).toMatchObject({ type: 2, clientPassword: secret });
  expect(spec({ kind: 'workloadFederation', tenantId: 't' })).toEqual({ type: 3, clientID: 'c', tenantID: 't' });
});

test('an identity is namespaced unless said otherwise', () => {
  const metadata = (namespaced?: boolean) =>
    kindOf(
      synth(
        (chart) =>
          void new AzureIdentity(chart, 'Orders', { ...orders, ...(namespaced !== undefined && { namespaced }) }),
      ),
      'AzureIdentity',
    ).metadata;
  expect(metadata()).toEqual({
    name: 'orders',
    namespace: 'shop',
    annotations: { 'aadpodidentity.k8s.io/Behavior': 'namespaced' },
  });
  expect(metadata(false).annotations).toBeUndefined();
});

test('a workload uses identities: one label, a binding each, the first of them the default', () => {
  const manifests = synth((chart) => {
    const first = new AzureIdentity(chart, 'Orders', orders);
    const second = new AzureIdentity(chart, 'Audit', { ...orders, name: 'audit' });
    const workload = new Deployment(chart, 'Web', { metadata: { namespace: 'shop' }, containers: [{ image: 'web' }] });
    PodIdentity.of(workload).use(first);
    const limits = { availability: { notBefore: '2027-01-01T00:00:00Z' }, volumes: { vaults: ['contoso'] } };
    PodIdentity.of(workload).use(second, limits);
  });
  const label = kindOf(manifests, 'Deployment').spec.template.metadata.labels.aadpodidbinding;
  const bindings = manifests.filter(({ kind }) => kind === 'AzureIdentityBinding');
  expect(bindings.map(({ spec }) => spec)).toEqual([
    { azureIdentity: 'orders', selector: label },
    {
      azureIdentity: 'audit',
      selector: label,
      weight: -1,
      availability: { notBefore: '2027-01-01T00:00:00Z' },
      volumes: { vaults: ['contoso'] },
    },
  ]);
  expect(label).toMatch(/^[\w.-]{1,63}$/);
});

test('an availability that never opens is reported at synth', () => {
  const identity = { name: 'x', namespace: 'y' };
  const availability = { windows: [{ schedule: '0 25 * * *', duration: '1h' }] };
  expect(problems((chart) => new AzureIdentityBinding(chart, 'A', { identity, selector: 's', availability }))).toEqual([
    expect.stringContaining('`availability` to be one that opens'),
  ]);
});

test('what cannot work is reported at synth, all of it, with what was expected', () => {
  expect(
    problems((chart) => {
      new AzureIdentity(chart, 'A', {
        ...orders,
        clientId: '',
        credential: { kind: 'userAssigned', resourceId: 'orders' },
      });
      new AzureIdentity(chart, 'B', { ...orders, name: 'Not A Name' });
      new AzureIdentityBinding(chart, 'C', { identity: { name: 'x', namespace: 'y' }, selector: '' });
      new AzureIdentityBinding(chart, 'D', {
        identity: { name: 'x', namespace: 'y' },
        selector: 's',
        availability: { windows: [{ schedule: 'whenever', duration: '1h' }] },
      });
      new NodeIdentity(chart, 'E', { ...program, maxUnavailable: 0, mode: 'managed', forceNamespaced: false });
      const secret = { namespace: 'shop', name: '' };
      new AzureIdentity(chart, 'F', {
        ...orders,
        namespace: 'My Shop',
        credential: { kind: 'clientSecret', tenantId: '', secret, auxiliaryTenantIds: [] },
      });
      const names = { secretNames: ['*'] };
      new IdentityController(chart, 'G', { ...program, ...names });
      new NodeIdentity(chart, 'H', { ...program, ...names, federatedAccounts: ['shop/web'] });
    }),
  ).toEqual([
    expect.stringContaining('`clientId`'),
    expect.stringContaining('got `orders`'),
    expect.stringContaining('"Not A Name"'),
    expect.stringContaining('`selector`'),
    expect.stringContaining('schedule'),
    expect.stringContaining('`maxUnavailable`'),
    expect.stringContaining('`forceNamespaced`'),
    'Expected `namespace` to be the name of an object, got `My Shop`',
    'Expected `credential.secret.name` to be the name of an object, got ``',
    expect.stringContaining('`credential.tenantId`'),
    expect.stringContaining('`credential.auxiliaryTenantIds`'),
    'Expected `secretNames` to be the name of an object, got `*`',
    'Expected `secretNames` to be the name of an object, got `*`',
    'Expected `federatedAccounts` to be the name of an object, got `shop/web`',
  ]);
});

test('an identity of another namespace that serves only its own is no use to a workload', () => {
  const found = (namespaced: boolean) =>
    problems((chart) => {
      const workload = new Deployment(chart, 'Web', {
        metadata: { namespace: 'other' },
        containers: [{ image: 'web' }],
      });
      PodIdentity.of(workload).use(new AzureIdentity(chart, 'Orders', { ...orders, namespaced }));
    });
  expect(found(true)).toEqual([expect.stringContaining('to be in the namespace `other`')]);
  expect(found(false)).toEqual([]);
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

test('two workloads whose labels make one name of a binding are refused, with what to do', () => {
  const two = (first: string, second: string) =>
    problems((chart) => {
      const identity = new AzureIdentity(chart, 'orders', orders);
      for (const [id, label] of Object.entries({ one: first, two: second })) {
        const podMetadata = { labels: { aadpodidbinding: label } };
        PodIdentity.of(new Deployment(chart, id, { podMetadata })).use(identity);
      }
    }).filter((problem) => problem.includes('AzureIdentityBinding'));
  expect(two('a.b', 'a-b')).toEqual([
    expect.stringMatching(
      /no other AzureIdentityBinding `shop\/a-b-\S+`, found that of test\/one\/\S+ for the pods `a\.b`; .* another label `aadpodidbinding`/,
    ),
  ]);
  expect(two('a-b', 'a-c')).toEqual([]);
});

test('an identity that is an object of the namespace is named in place of its ids', () => {
  const chart = Testing.chart();
  const owner = { armId: '/subscriptions/s/resourceGroups/g' };
  const identity = new UserAssignedIdentity(chart, 'shop', {
    metadata: { namespace: 'app' },
    spec: { location: 'westeurope', owner },
  });
  new AzureIdentity(chart, 'Pods', { namespace: 'app', credential: { kind: 'userAssigned', identity } });
  new AzureIdentity(chart, 'Web', { namespace: 'app', credential: { kind: 'workloadFederation', identity } });
  const identityRef = { name: 'shop' };
  expect(Testing.synth(chart).flatMap(({ kind, spec }) => (kind === 'AzureIdentity' ? [spec] : []))).toEqual([
    { type: 0, identityRef },
    { type: 3, identityRef },
  ]);
  new AzureIdentity(chart, 'Other', { namespace: 'other', credential: { kind: 'userAssigned', identity } });
  expect(() => Testing.synth(chart)).toThrow(
    '[test/Other] Expected `credential.identity` to be in the namespace `other` of the AzureIdentity, and shop is in `app`',
  );
});
