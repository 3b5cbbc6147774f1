import { expect, test } from '@jest/globals';
import { App, Testing } from 'cdk8s';
import { Platform, type PlatformProps } from '../../../constructs/platform.ts';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly annotations?: object };
  // biome-ignore lint/suspicious/noExplicitAny: manifests of any kind
  readonly [member: string]: any;
}

const name = 'azimuth-metrics-reader';
const prometheus = { kind: 'ServiceAccount', namespace: 'monitoring', name: 'prometheus' };

function synth(props: Partial<PlatformProps>): Manifest[] {
  const app = new App();
  new Platform(app, 'azimuth', { image: 'i', version: '1', operator: false, ...props });
  return app.charts.flatMap((chart) => Testing.synth(chart));
}
const readersOf = (manifests: readonly Manifest[]) =>
  manifests.filter(({ metadata }) => metadata.name === name).map(({ kind }) => kind);
const daemons = (manifests: readonly Manifest[]) =>
  manifests
    .filter(({ kind }) => kind === 'DaemonSet')
    .map(({ metadata, spec }) => {
      const { args, ports, livenessProbe } = spec.template.spec.containers[0];
      const named = ports.filter((port: { name: string }) => port.name !== 'metadata');
      return [
        metadata.name,
        args.find((arg: string) => arg.startsWith('--metrics-port')),
        Object.fromEntries(
          named.map((port: { name: string; containerPort: number }) => [port.name, port.containerPort]),
        ),
        livenessProbe.httpGet.port,
      ];
    });

test('programs on nodes serve metrics on a port for readers with a token, and health on another', () => {
  expect(daemons(synth({ podIdentity: {}, keyVaultVolumes: {} }))).toEqual([
    ['azimuth-volumes', '--metrics-port=8447', { health: 8087, metrics: 8447 }, 'health'],
    ['azimuth-nmi', '--metrics-port=8445', { health: 8085, metrics: 8445 }, 'health'],
  ]);
});

test('the account of the PodMonitors may read the URL and nothing else', () => {
  const manifests = synth({ podIdentity: {}, monitoring: { namespace: 'prometheus' } });
  expect(readersOf(manifests)).toEqual(['ServiceAccount', 'Secret', 'ClusterRole', 'ClusterRoleBinding']);
  const found = (kind: string) => manifests.find((each) => each.kind === kind && each.metadata.name === name);
  expect(found('Secret')).toEqual({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/service-account-token',
    metadata: expect.objectContaining({
      namespace: 'prometheus',
      annotations: { 'kubernetes.io/service-account.name': name },
    }),
  });
  expect(found('ClusterRole')?.['rules']).toEqual([{ nonResourceURLs: ['/metrics'], verbs: ['get'] }]);
  const others = manifests.filter(({ kind, subjects = [], metadata }) => {
    const holds = subjects.some((subject: { name: string }) => subject.name === name);
    return kind.endsWith('Binding') && holds && metadata.name !== name;
  });
  expect(others).toEqual([]);
  expect(found('ClusterRoleBinding')?.['subjects']).toEqual([
    { kind: 'ServiceAccount', namespace: 'prometheus', name },
  ]);
  const monitor = manifests.find(({ kind, metadata }) => kind === 'PodMonitor' && metadata.name === 'azimuth-nmi');
  expect(monitor?.['spec'].podMetricsEndpoints[0].authorization.credentials).toEqual({ name, key: 'token' });
});

test('a Prometheus with a configuration of its own is bound by its account, without a Secret', () => {
  const manifests = synth({ keyVaultVolumes: {}, metricsReaders: [{ namespace: 'monitoring', name: 'prometheus' }] });
  expect(readersOf(manifests)).toEqual(['ClusterRole', 'ClusterRoleBinding']);
  expect(manifests.find(({ kind, metadata }) => kind === 'ClusterRoleBinding' && metadata.name === name)).toMatchObject(
    {
      subjects: [prometheus],
    },
  );
});

test('without programs on nodes there is nobody to authenticate', () => {
  expect(readersOf(synth({ operator: {}, monitoring: {} }))).toEqual([]);
});

test('without authentication the health port has the metrics, and the programs review nobody', () => {
  const manifests = synth({ podIdentity: {}, keyVaultVolumes: {}, monitoring: {}, metricsAuthentication: false });
  expect(readersOf(manifests)).toEqual([]);
  expect(daemons(manifests).map(([, flag, ports]) => [flag, ports])).toEqual([
    ['--metrics-port=off', { health: 8087 }],
    ['--metrics-port=off', { health: 8085 }],
  ]);
  expect(JSON.stringify(manifests)).not.toMatch(/tokenreviews|8445|8447/);
  const monitor = manifests.find(({ kind, metadata }) => kind === 'PodMonitor' && metadata.name === 'azimuth-nmi');
  const [endpoint] = monitor?.['spec'].podMetricsEndpoints ?? [];
  expect(endpoint).toEqual({ port: 'health', path: '/metrics', interval: '30s' });
});
