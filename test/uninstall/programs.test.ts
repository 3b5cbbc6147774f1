import { expect, test } from '@jest/globals';
import { type ProgramObject, programsOf, programTypes } from '../../runtime/uninstall/programs.ts';
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
  const { name, ...others } = { name: 'azimuth-operator', ...metadata };
  return { type: typeOf(kind), object: { apiVersion: 'v1', kind, metadata: { name, ...others }, ...rest } };
};
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
