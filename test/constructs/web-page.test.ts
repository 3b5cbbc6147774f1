import { expect, test } from '@jest/globals';
import { Testing } from 'cdk8s';
import { Platform, type PlatformProps } from '../../constructs/index.ts';
import { programsOf } from '../../constructs/program-list.ts';
import { uiConfig } from '../../runtime/ui/config.ts';
import type { Manifest } from './manifests.ts';

function manifests(ui: PlatformProps['ui'], operator: PlatformProps['operator'] = false): Manifest[] {
  const app = Testing.app();
  new Platform(app, 'azimuth', { image: 'example.org/azimuth:1', version: '1', operator, ...(ui && { ui }) });
  return app.charts.flatMap((chart) => chart.toJson());
}

const ofPage = (all: Manifest[]) => all.filter(({ metadata }) => metadata.name === 'azimuth-ui');
const kind = (all: Manifest[], name: string) => ofPage(all).find((each) => each.kind === name);
const proxy = { image: 'example.org/proxy:1', args: ['--upstream=http://127.0.0.1:8088'], port: 8443 };

test('the page is deployed by its own name, and not without it', () => {
  expect(ofPage(manifests(undefined, {}))).toEqual([]);
  expect(programsOf({ AZIMUTH_PROGRAMS: 'operator' }).ui).toBeUndefined();
  expect(programsOf({ AZIMUTH_PROGRAMS: 'operator;ui' }).ui).toEqual({ hosts: [] });
  expect(programsOf({ AZIMUTH_PROGRAMS: 'ui', AZIMUTH_UI_CLOUD: 'AzureChinaCloud' }).ui).toEqual({
    hosts: [],
    cloud: 'AzureChinaCloud',
  });
  const env = { AZIMUTH_PROGRAMS: 'ui', AZIMUTH_UI_HOSTS: 'azimuth.example.com; other.example.com:8443' };
  expect(programsOf(env).ui).toEqual({ hosts: ['azimuth.example.com', 'other.example.com:8443'] });
});

test('it has no right, no token and no port: a service account without a role, and a policy that lets nobody in', () => {
  const all = manifests({});
  expect(
    ofPage(all)
      .map((each) => each.kind)
      .sort(),
  ).toEqual(['Deployment', 'NetworkPolicy', 'ServiceAccount']);
  expect(all.filter((each) => /Role/.test(each.kind))).toEqual([]);
  expect(kind(all, 'ServiceAccount').automountServiceAccountToken).toBe(false);
  const pod = kind(all, 'Deployment').spec.template.spec;
  expect(pod).toMatchObject({ serviceAccountName: 'azimuth-ui', automountServiceAccountToken: false });
  expect(JSON.stringify(pod.volumes)).not.toContain('serviceAccountToken');
  const [container] = pod.containers;
  expect(container.args).toEqual(['ui', '--in-cluster', '--port=8088']);
  expect(container.ports).toBeUndefined();
  expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
  expect(container.resources.limits).toEqual({ memory: '512Mi' });
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
  const { spec } = kind(all, 'NetworkPolicy');
  expect([spec.policyTypes, spec.ingress]).toEqual([['Ingress', 'Egress'], undefined]);
  expect(spec.egress.flatMap(({ ports }: Manifest) => ports.map(({ port }: Manifest) => port))).toEqual([
    53, 53, 443, 6443,
  ]);
});

test('it links to the portal of its cloud, and a cloud that is not known is a problem', () => {
  const [container] = kind(manifests({ cloud: 'AzureChinaCloud' }), 'Deployment').spec.template.spec.containers;
  expect(container.args).toContain('--cloud=AzureChinaCloud');
  const app = Testing.app();
  const ui = { cloud: 'AzureMoonCloud' };
  new Platform(app, 'azimuth', { image: 'example.org/azimuth:1', version: '1', operator: false, ui });
  expect(() => app.synth()).toThrow(/Expected `cloud` to be one of AzurePublicCloud, .*got `AzureMoonCloud`/);
});

test.each(['AzureCloud', 'azurestackcloud', 'AzureGermanCloud', 'china'])(
  'the page takes %s, and so does its program',
  (cloud) => {
    const [container] = kind(manifests({ cloud }), 'Deployment').spec.template.spec.containers;
    expect(container.args).toContain(`--cloud=${cloud}`);
    expect(() => uiConfig([`--cloud=${cloud}`], {})).not.toThrow();
    const app = Testing.app();
    new Platform(app, 'azimuth', { image: 'example.org/azimuth:1', version: '1', operator: false, ui: { cloud } });
    expect(() => app.synth()).not.toThrow();
  },
);

test('a proxy has its own container, a Service, and the only way in; its Secrets are not in the page', () => {
  const secrets = { settingsSecret: 'azimuth-ui-proxy', tlsSecret: 'azimuth-ui-tls' };
  const all = manifests({ hosts: ['azimuth.example.com'], proxy: { ...proxy, ...secrets } });
  const { spec } = kind(all, 'Deployment');
  const [page, beside] = spec.template.spec.containers;
  expect(page.args).toContain('--host=azimuth.example.com');
  expect(page.envFrom).toBeUndefined();
  expect(beside).toMatchObject({ name: 'proxy', args: proxy.args });
  expect(beside.volumeMounts).toEqual([{ name: 'tls', mountPath: '/etc/tls', readOnly: true }]);
  expect(page.volumeMounts.map(({ name }: Manifest) => name)).toEqual(['api-access']);
  expect(beside.envFrom).toEqual([{ secretRef: { name: 'azimuth-ui-proxy' } }]);
  expect(beside.securityContext).toEqual(page.securityContext);
  expect(kind(all, 'Service').spec).toEqual({
    selector: spec.selector.matchLabels,
    ports: [{ name: 'https', port: 443, targetPort: 'proxy', protocol: 'TCP' }],
  });
  expect(kind(all, 'NetworkPolicy').spec.ingress).toEqual([{ ports: [{ port: 8443, protocol: 'TCP' }] }]);
});

test.each([
  [{ hosts: ['a b'] }, '`hosts` to be host names'],
  [{ hosts: ['--port=1'] }, '`hosts` to be host names'],
  [{ proxy }, '`hosts` to name the host'],
  [{ hosts: ['a.example'], proxy: { ...proxy, port: 8088 } }, '`proxy.port` to be a port'],
  [{ hosts: ['a.example'], proxy: { ...proxy, port: 443 } }, '`proxy.port` to be a port'],
])('%j is refused', (ui, message) => {
  expect(() => manifests(ui)).toThrow(message);
});
