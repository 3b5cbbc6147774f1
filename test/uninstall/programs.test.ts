import { expect, test } from '@jest/globals';
import type { ProgramObject } from '../../runtime/uninstall/own-objects.ts';
import { programsOf, programTypes } from '../../runtime/uninstall/programs.ts';
import { endOf } from '../../runtime/uninstall/render.ts';
import { toolOf } from '../../runtime/uninstall/tools.ts';

const objectWith = (metadata: object) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'default', name: 'dashboard', ...metadata },
});
const helm = (name: string) =>
  objectWith({
    annotations: { 'meta.helm.sh/release-name': name, 'meta.helm.sh/release-namespace': 'azimuth-system' },
  });
const argo = (id: string) => objectWith({ annotations: { 'argocd.argoproj.io/tracking-id': id } });

test.each([
  [
    helm('azimuth'),
    'run no upgrade and no rollback of the Helm release azimuth -n azimuth-system',
    'helm uninstall azimuth -n azimuth-system',
  ],
  [
    argo('platform:/ConfigMap:default/dashboard'),
    'argocd app set platform --sync-policy none',
    'delete the Application platform of Argo CD',
  ],
  [
    argo('team_platform:/ConfigMap:default/dashboard'),
    'argocd app set team/platform --sync-policy none',
    'delete the Application team/platform of Argo CD',
  ],
  [
    objectWith({
      labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps', 'kustomize.toolkit.fluxcd.io/namespace': 'flux-system' },
    }),
    'flux suspend kustomization apps -n flux-system',
    'kubectl delete kustomization.kustomize.toolkit.fluxcd.io apps -n flux-system',
  ],
  [
    objectWith({ labels: { 'app.kubernetes.io/instance': 'platform' } }),
    expect.stringContaining('app.kubernetes.io/instance=platform'),
    expect.stringContaining('app.kubernetes.io/instance=platform'),
  ],
])(
  'the mark of a tool says how to stop it, which deletes nothing, and how to remove programs, %#',
  (object, stop, remove) => {
    const tool = toolOf(object);
    expect(tool).toMatchObject({ stop, remove });
    expect(tool?.stop).not.toMatch(/delete|uninstall/);
  },
);

test('an object without a mark has no tool', () => {
  expect(toolOf(objectWith({}))).toBeUndefined();
});

test('a mark that a tenant wrote brings no command of its own into the shell of the administrator', () => {
  for (const name of ['x; rm -rf /', '$(id)', 'a b', '', '\u001b[2J']) {
    expect(toolOf(helm(name))?.remove).toBe('helm uninstall <no valid name> -n azimuth-system');
    expect(toolOf(argo(`${name}:`))?.stop).toBe('argocd app set <no valid name> --sync-policy none');
  }
});

const typeOf = (kind: string) => programTypes.find((type) => type.kind === kind) as ProgramObject['type'];
const programObject = (kind: string, metadata: object, rest: object = {}): ProgramObject => {
  const { name, ...others } = { name: 'azimuth-operator', labels: labelsOf('operator'), ...metadata };
  return { type: typeOf(kind), object: { apiVersion: 'v1', kind, metadata: { name, ...others }, ...rest } };
};
const labelsOf = (component: string) => ({
  'app.kubernetes.io/name': 'azimuth',
  'app.kubernetes.io/component': component,
  'app.kubernetes.io/part-of': 'azimuth',
});
const release = (name: string, namespace: string) => ({
  annotations: { 'meta.helm.sh/release-name': name, 'meta.helm.sh/release-namespace': namespace },
});
const binding = programObject(
  'ClusterRoleBinding',
  {},
  { subjects: [{ kind: 'ServiceAccount', name: 'azimuth-operator', namespace: 'platform' }] },
);

test('the mark on an object of a tenant brings no command, and the object stays', () => {
  const forged = programObject('ConfigMap', { namespace: 'payments', ...release('payments-db', 'payments') });
  const programs = programsOf([binding, forged], []);
  expect(programs.own).toEqual([binding]);
  const end = endOf(programs).join('\n');
  expect(end).not.toContain('helm');
  expect(end).toContain('ConfigMap/azimuth-operator in payments');
});

test('the marks on objects of the cluster and in the namespaces of the programs count, and each names its object', () => {
  const role = programObject('ClusterRole', release('azimuth', 'platform'));
  expect(endOf(programsOf([role], [])).join()).toMatch(
    /helm uninstall azimuth -n platform \(its mark is on ClusterRole\/azimuth-operator\)/,
  );
  const map = programObject('ConfigMap', { namespace: 'platform', ...release('azimuth', 'platform') });
  expect(programsOf([map], []).tools).toEqual([]);
  expect(programsOf([map, binding], []).tools).toEqual([
    expect.stringContaining('ConfigMap/azimuth-operator in platform'),
  ]);
  expect(programsOf([map], ['platform']).tools).toHaveLength(1);
  // The operator's rights in a namespace of a tenant are of the same release.
  const grant = programObject('RoleBinding', { namespace: 'shop', ...release('azimuth', 'platform') });
  expect(programsOf([role, grant], []).untrusted).toEqual([]);
});

/** What of these objects the command takes, and what it leaves and shows, as kinds, names and namespaces. */
function sorted(...objects: readonly ProgramObject[]) {
  const { own, foreign } = programsOf([binding, ...objects], []);
  const taken = own.filter((each) => each !== binding);
  return { taken: taken.map(({ object: { kind, metadata } }) => `${kind}/${metadata.name}`), foreign };
}
const labelled = { labels: { 'app.kubernetes.io/part-of': 'azimuth' } };

test.each(['Deployment', 'DaemonSet', 'Service', 'PodDisruptionBudget', 'NetworkPolicy'])(
  'a %s of somebody else with the label, and with the name of a program, stays, and the plan shows it',
  (kind) => {
    const own = programObject(kind, { namespace: 'shop' });
    const { taken, foreign } = sorted(own, programObject(kind, { namespace: 'shop', name: 'web', ...labelled }));
    expect(taken).toEqual([]);
    expect(foreign).toEqual([`${kind}/azimuth-operator in shop`, `${kind}/web in shop`]);
    expect(endOf(programsOf([binding, own], [])).join()).toMatch(
      /^Left as they are, with the label .*azimuth-operator in/,
    );
  },
);

test.each(['Role', 'RoleBinding', 'ConfigMap', 'PodMonitor', 'PrometheusRule', 'ServiceAccount'])(
  'a %s that the manifests make in the namespace of others goes, and one that is only labelled stays',
  (kind) => {
    const other = programObject(kind, { namespace: 'shop', name: 'web', ...labelled });
    expect(sorted(programObject(kind, { namespace: 'shop' }), other)).toEqual({
      taken: [`${kind}/azimuth-operator`],
      foreign: [`${kind}/web in shop`],
    });
  },
);

test('objects of the cluster go with a name of the manifests, and everything with the label beside the programs', () => {
  const named = programObject('ClusterRole', {});
  const forTenants = programObject('ClusterRole', { name: 'azimuth-tenant-edit', ...labelled });
  const other = programObject('ClusterRole', { name: 'team-lead', ...labelled });
  const beside = programObject('Deployment', { namespace: 'platform', name: 'proxy', ...labelled });
  expect(sorted(named, forTenants, other, beside)).toEqual({
    taken: ['ClusterRole/azimuth-operator', 'ClusterRole/azimuth-tenant-edit', 'Deployment/proxy'],
    foreign: ['ClusterRole/team-lead'],
  });
});

test('the namespace of a reader of the metrics is none of the programs', () => {
  const subjects = [
    { kind: 'ServiceAccount', name: 'azimuth-metrics-reader', namespace: 'monitoring' },
    { kind: 'ServiceAccount', name: 'prometheus', namespace: 'observability' },
  ];
  const metadata = { name: 'azimuth-metrics-reader', labels: labelsOf('monitoring') };
  const readers = programObject('ClusterRoleBinding', metadata, { subjects });
  expect([...programsOf([binding, readers], []).homes]).toEqual(['platform']);
});
