import { expect, test } from '@jest/globals';
import { App, type Chart, Duration, Size, Testing } from 'cdk8s';
import { KeyVaultVolumes, type KeyVaultVolumesProps } from '../../../constructs/key-vault/key-vault-volumes.ts';
import { Platform, type PlatformProps } from '../../../constructs/platform.ts';
import { programsOf } from '../../../constructs/program-list.ts';
import { restartRules, volumesPermissions } from '../../../runtime/api/permissions/index.ts';
import { cloudFromEnvironment } from '../../../runtime/azure/clouds.ts';
import { agentConfig } from '../../../runtime/volumes/agent/config.ts';
import { parseSettings } from '../../../runtime/volumes/options/settings.ts';
import { type Manifest, synth } from '../manifests.ts';

const program = { namespace: 'azimuth-system-nodes', image: 'azimuth:test', version: 'test' };
const everything: Partial<KeyVaultVolumesProps> = {
  pluginDirectory: '/etc/kubernetes/volumeplugins',
  kubeletDirectory: '/data/kubelet',
  settings: { filePermission: '0444', environment: { AZURE_ENVIRONMENT: 'AzureChinaCloud' } },
  refreshInterval: Duration.minutes(1),
  restartNamespaces: ['shop', 'web'],
  identityScopes: { shop: ['/subscriptions/s'] },
  maxUnavailable: 3,
};

const volumes = (props: Partial<KeyVaultVolumesProps> = {}) =>
  synth((chart) => void new KeyVaultVolumes(chart, 'Volumes', { ...program, ...props }));
const kindsOf = (manifests: Manifest[], kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const podOf = (props: Partial<KeyVaultVolumesProps> = {}) => kindsOf(volumes(props), 'DaemonSet')[0].spec.template;
const configOf = (props: Partial<KeyVaultVolumesProps>) => {
  const [name, ...flags] = podOf(props).spec.containers[0].args.map((arg: string) => arg.replace('$(NODE_NAME)', 'n'));
  expect(name).toBe('volumes');
  return agentConfig(flags, {});
};

test('defaults', () => {
  expect(volumes()).toMatchSnapshot();
});

test('everything set', () => {
  expect(volumes(everything)).toMatchSnapshot();
});

test('with `csi` it serves the driver at the socket of its provider, beside FlexVolumes or alone', () => {
  const mounted = (props: Partial<KeyVaultVolumesProps>) =>
    podOf(props).spec.containers[0].volumeMounts.map(({ mountPath }: Manifest) => mountPath);
  expect(configOf({})).toMatchObject({ csiSocket: undefined });
  expect(configOf({ csi: {} })).toMatchObject({
    csiSocket: '/var/run/secrets-store-csi-providers/azure.sock',
    csiSeparateFiles: false,
    csiNodeVolumeBytes: 100 * 1024 * 1024,
    install: true,
  });
  expect(mounted({ csi: {} })).toEqual(expect.arrayContaining(['/host', '/var/run/secrets-store-csi-providers']));
  const volumeMemory = Size.mebibytes(300);
  const csi = { provider: 'azimuth', directory: '/etc/providers', separateFiles: true, volumeMemory };
  const alone = { flex: false, csi };
  expect(configOf(alone)).toMatchObject({
    csiSocket: '/etc/providers/azimuth.sock',
    csiSeparateFiles: true,
    csiNodeVolumeBytes: 300 * 1024 * 1024,
    install: false,
  });
  expect(mounted(alone)).toContain('/etc/providers');
  expect(mounted(alone)).not.toContain('/host');
  const { volumes, containers } = podOf(alone).spec;
  expect(containers[0].volumeMounts.map(({ name }: Manifest) => name).sort()).toEqual(
    volumes.map(({ name }: Manifest) => name).sort(),
  );
  const problemsOf = (props: Partial<KeyVaultVolumesProps>) => {
    const chart: Chart = Testing.chart();
    return new KeyVaultVolumes(chart, 'Volumes', { ...program, ...props }).node.validate();
  };
  expect(problemsOf(alone)).toEqual([]);
  expect(problemsOf({ csi: { provider: 'a b', directory: 'x' } })).toEqual([
    expect.stringContaining('`csi.directory`'),
    expect.stringContaining('`csi.provider`'),
  ]);
  expect(problemsOf({ flex: false, remove: true })).toEqual([
    expect.stringContaining('no volume'),
    expect.stringContaining('`remove`'),
  ]);
});

test('it is not privileged, has one capability, and sees mounts without making any', () => {
  const { spec } = podOf();
  expect(spec).toMatchObject({ hostNetwork: true, priorityClassName: 'system-node-critical' });
  expect(spec.hostPID).toBeUndefined();
  expect(spec.containers[0].securityContext).toEqual({
    // Its node's directories are no container's to SELinux.
    seLinuxOptions: { type: 'spc_t' },
    runAsUser: 0,
    privileged: false,
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'], add: ['CHOWN'] },
  });
});

test('volumes of pods that are unmounted on the host are unmounted in the agent', () => {
  const { volumes, containers } = podOf({}).spec;
  const kubelet = '/var/lib/kubelet/pods';
  const withVolumes = volumes.filter(({ hostPath }: Manifest) => `${kubelet}/`.startsWith(`${hostPath?.path}`));
  expect(withVolumes.map(({ hostPath }: Manifest) => hostPath.path).sort()).toEqual(['/', kubelet]);
  for (const { name } of withVolumes) {
    const [mount] = containers[0].volumeMounts.filter((each: Manifest) => each.name === name);
    expect(mount).toMatchObject({ name, mountPropagation: 'HostToContainer' });
  }
});

test('a plugin directory may lie on a mount without propagation', () => {
  const [{ volumeMounts }] = podOf({ pluginDirectory: '/etc/kubernetes/volumeplugins' }).spec.containers;
  const host = volumeMounts.find(({ name }: Manifest) => name === 'host');
  expect(host).toEqual({ name: 'host', mountPath: '/host' });
});

test('a plugin directory that is named is all that is mounted of the plugins', () => {
  const paths = (props: Partial<KeyVaultVolumesProps>) =>
    podOf(props).spec.volumes.flatMap(({ hostPath }: Manifest) => hostPath?.path ?? []);
  expect(paths({})).toContain('/');
  expect(paths(everything)).toEqual([
    '/run/azimuth/volumes',
    '/var/run/azimuth/nmi',
    '/data/kubelet/pods',
    '/etc/kubernetes/volumeplugins',
  ]);
});

test('the roles are the declared ones; workloads may be restarted in the namespaces named and nowhere else', () => {
  expect(kindsOf(volumes(), 'ClusterRole')[0].rules).toEqual(volumesPermissions({ metricsReaders: true }).cluster);
  expect(JSON.stringify(volumes())).not.toContain('secrets"');
  expect(kindsOf(volumes(), 'Role')).toEqual([]);
  const roles = kindsOf(volumes(everything), 'Role').filter(
    ({ metadata }) => metadata.name === 'azimuth-volumes-restart',
  );
  expect(roles.map(({ metadata }) => metadata.namespace)).toEqual(['shop', 'web']);
  for (const { rules } of roles) expect(rules).toEqual(restartRules);
  const bindings = kindsOf(volumes(everything), 'RoleBinding').filter(({ metadata }) => metadata.namespace === 'shop');
  expect(bindings[0].subjects).toEqual([
    { kind: 'ServiceAccount', name: 'azimuth-volumes', namespace: 'azimuth-system-nodes' },
  ]);
});

test('Secrets of service principals may be read by their names, where they are listed, and no others', () => {
  const renewableSecrets = [
    { namespace: 'shop', names: ['kvcreds', 'more'] },
    { namespace: 'web', names: ['kvcreds'] },
  ];
  expect(configOf({ renewableSecrets })).toMatchObject({
    renewableSecrets: ['shop/kvcreds', 'shop/more', 'web/kvcreds'],
  });
  const roles = kindsOf(volumes({ renewableSecrets }), 'Role');
  expect(roles.map(({ metadata, rules }) => [metadata.namespace, rules])).toEqual([
    ['shop', [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: ['kvcreds', 'more'] }]],
    ['web', [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: ['kvcreds'] }]],
  ]);
  const chart: Chart = Testing.chart();
  const wrong = [
    { namespace: 'shop', names: [] },
    { namespace: 'shop', names: ['*'] },
  ];
  new KeyVaultVolumes(chart, 'Volumes', { ...program, renewableSecrets: wrong });
  // Without names a rule would be for all Secrets of the namespace.
  expect(chart.node.findAll().flatMap((node) => node.node.validate())).toEqual([
    expect.stringContaining('each namespace once'),
    expect.stringContaining('names of Secrets of shop, got ``'),
    expect.stringContaining('each namespace once'),
    expect.stringContaining('got `*`'),
  ]);
});

test('arguments and settings are such that the program understands them', () => {
  expect(configOf({})).toMatchObject({
    node: 'n',
    socket: '/run/azimuth/volumes/agent.sock',
    hostRoot: '/host',
    targetDirectory: undefined,
    install: true,
    remove: false,
    healthPort: 8087,
  });
  expect(configOf({ ...everything, remove: true })).toMatchObject({
    targetDirectory: '/host',
    settingsFile: '/etc/azimuth/volumes/settings.json',
    refreshIntervalMs: 60_000,
    restartNamespaces: ['shop', 'web'],
    identityScopes: [{ namespace: 'shop', scope: '/subscriptions/s' }],
    remove: true,
  });
  const [{ data }] = kindsOf(volumes(everything), 'ConfigMap');
  expect(parseSettings(data['settings.json'], 'f')).toMatchObject({ filePermission: 0o444 });
});

test('a private cloud is described in the settings, which driver and agent read', () => {
  const cloud = {
    activeDirectoryEndpoint: 'https://adfs.stack.example/adfs/',
    keyVaultDNSSuffix: 'vault.stack.example',
    keyVaultEndpoint: 'https://vault.adfs.stack.example/id',
  };
  const settings = { filePermission: '0400', environment: { HTTPS_PROXY: 'http://proxy:3128' } };
  const [{ data }] = kindsOf(volumes({ cloud, settings }), 'ConfigMap');
  const read = parseSettings(data['settings.json'], 'f');
  expect(read).toMatchObject({ ...settings, filePermission: 0o400, cloud });
  expect(cloudFromEnvironment(read.environment, read.cloud)).toMatchObject({
    authorityHost: 'https://adfs.stack.example/adfs',
    keyVaultDnsSuffix: 'vault.stack.example',
    keyVaultAudience: 'https://vault.adfs.stack.example/id',
  });
  expect(configOf({ cloud })).toMatchObject({ settingsFile: '/etc/azimuth/volumes/settings.json' });
  const chart: Chart = Testing.chart();
  new KeyVaultVolumes(chart, 'Volumes', {
    ...program,
    cloud: {
      activeDirectoryEndpoint: 'http://adfs',
      keyVaultDNSSuffix: 'https://x',
      keyVaultEndpoint: 'https://u:secret@x',
    },
    settings: { cloud: {} },
  });
  const problems = chart.node.findAll().flatMap((node) => node.node.validate());
  expect(problems).toEqual([
    expect.stringContaining('without `cloud`'),
    expect.stringContaining('`cloud.activeDirectoryEndpoint`'),
    expect.stringContaining('`cloud.keyVaultEndpoint`'),
    expect.stringContaining('`cloud.keyVaultDNSSuffix`'),
  ]);
  expect(problems.join()).not.toContain('secret@');
});

test('changed settings restart the agents', () => {
  const digest = (settings: Record<string, unknown>) =>
    podOf({ settings }).metadata.annotations['azimuth.dev/settings'];
  expect(digest({ logFile: '' })).not.toBe(digest({}));
  expect(podOf().metadata.annotations).toBeUndefined();
});

test('what cannot work is reported at synth, all of it', () => {
  const chart: Chart = Testing.chart();
  new KeyVaultVolumes(chart, 'Volumes', {
    ...program,
    pluginDirectory: 'plugins',
    kubeletDirectory: '/var/lib/kubelet/',
    refreshInterval: Duration.seconds(5),
    restartNamespaces: ['Shop'],
    nmiPort: 0,
    maxUnavailable: 0,
    settings: { agentSocket: '/x' },
  });
  expect(chart.node.findAll().flatMap((node) => node.node.validate())).toEqual([
    expect.stringContaining('`maxUnavailable`'),
    expect.stringContaining('`pluginDirectory`'),
    expect.stringContaining('`kubeletDirectory`'),
    expect.stringContaining('`refreshInterval`'),
    expect.stringContaining('`nmiPort`'),
    expect.stringContaining('`restartNamespaces`'),
    expect.stringContaining('`agentSocket`'),
  ]);
});

test('the platform has it only when asked, in the namespace of the daemons, which it may share', () => {
  const manifests = (props: Partial<PlatformProps>) => {
    const app = new App();
    new Platform(app, 'azimuth', { image: 'azimuth:test', version: 'test', ...props });
    return Testing.synth(app.charts.find(({ node }) => node.id === 'azimuth-programs') as Chart) as Manifest[];
  };
  const daemons = (props: Partial<PlatformProps>) =>
    kindsOf(manifests(props), 'DaemonSet').map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  expect(daemons({})).toEqual([]);
  const volumes = 'azimuth-system-nodes/azimuth-volumes';
  expect(daemons(programsOf({ AZIMUTH_PROGRAMS: 'key-vault-volumes' }))).toEqual([volumes]);
  const both = programsOf({ AZIMUTH_PROGRAMS: 'pod-identity;key-vault-volumes' });
  expect(daemons(both).sort()).toEqual(['azimuth-system-nodes/azimuth-nmi', volumes]);
  const namespaces = kindsOf(manifests(both), 'Namespace').map(({ metadata }) => metadata.name);
  expect(namespaces.sort()).toEqual(['azimuth-system', 'azimuth-system-nodes']);
});
