import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { operatorKinds } from '../../runtime/api/kinds.ts';

const directories: string[] = [];
let files: Record<string, string>;

function synth(env: Record<string, string> = {}, command = ['main.ts']): Record<string, string> {
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-synth-'));
  directories.push(directory);
  const { status, stderr } = spawnSync('node', command, {
    env: { ...process.env, CDK8S_OUTDIR: directory, ...env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return filesOf(directory);
}

function filesOf(directory: string): Record<string, string> {
  const names = globSync('**/*', { cwd: directory, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)));
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(directory, name), 'utf8')]));
}

const kinds = (text: string) => parseAllDocuments(text).map((document) => document.toJS().kind as string);

beforeAll(() => {
  files = synth();
});

afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true });
});

test('definitions come in a file before the programs that use them', () => {
  const names = Object.keys(files).filter((name) => name.endsWith('.k8s.yaml'));
  expect(names).toHaveLength(2);
  expect(new Set(kinds(files[names[0] as string] as string))).toEqual(new Set(['CustomResourceDefinition']));
  expect(kinds(files[names[1] as string] as string)[0]).toBe('Namespace');
});

test('kubectl finds manifests alone in the folder, and GitOps tools their files beside them', () => {
  expect(Object.keys(files)).toEqual([
    '0000-azimuth-crds.k8s.yaml',
    '0001-azimuth-programs.k8s.yaml',
    'Kustomization',
    'gitops/argocd-cm.yaml',
    'gitops/flux.yaml',
    'gitops/name-references.yaml',
  ]);
  expect(parseAllDocuments(files['Kustomization'] ?? '')[0]?.toJS().resources).toEqual(Object.keys(files).slice(0, 2));
});

test('manifests of an earlier synthesis do not stay, so that no tool applies them', () => {
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-synth-'));
  directories.push(directory);
  const run = (AZIMUTH_PROGRAMS: string) =>
    spawnSync('node', ['main.ts'], { env: { ...process.env, CDK8S_OUTDIR: directory, AZIMUTH_PROGRAMS } }).status;
  expect([run('operator'), run('key-vault-volumes')]).toEqual([0, 0]);
  expect(Object.keys(filesOf(directory))).toEqual(['Kustomization', 'azimuth-programs.k8s.yaml']);
});

test('without names of kinds only ArmResource is defined, a note says how to name them, and * is all of them', () => {
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-synth-'));
  directories.push(directory);
  const { stdout, stderr } = spawnSync('node', ['main.ts'], {
    env: { ...process.env, CDK8S_OUTDIR: directory, AZIMUTH_KINDS: '' },
    encoding: 'utf8',
  });
  expect(stderr).toMatch(/^azimuth: The manifests define only ArmResource: this app uses no other kind/);
  expect(stdout).toMatch(/the image azimuth:\S+ names no registry.*\nazimuth: wrote .*azimuth-programs.k8s.yaml, and/);
  const count = (text = '') => kinds(text).length;
  expect(count(Object.values(filesOf(directory))[0])).toBe(1);
  expect(count(Object.values(synth({ AZIMUTH_KINDS: '*' }))[0])).toBe(operatorKinds.length);
});

test('--output names the folder, whatever the environment says, for a repository that keeps it', () => {
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-output-'));
  directories.push(directory);
  expect(synth({}, ['main.ts', '--output', join(directory, 'platform')])).toEqual({});
  expect(filesOf(join(directory, 'platform'))).toEqual(files);
  synth({}, ['main.ts', '--format=helm', `--output=${directory}`]);
  expect(Object.keys(filesOf(directory))).toContain('helm/azimuth/Chart.yaml');
});

test('a second synth writes the same bytes', () => {
  expect(synth()).toEqual(files);
});

test('a word for the versions that is not known is refused with those that are', () => {
  expect(() => synth({ AZIMUTH_VERSIONS: 'latest' })).toThrow(
    'Expected AZIMUTH_VERSIONS to be one of all, newest, used:<file or folder>, got `latest`',
  );
});

test('a variable that is true or false takes no other word', () => {
  expect(() => synth({ AZIMUTH_DASHBOARD: 'yes' })).toThrow(
    'Expected AZIMUTH_DASHBOARD to be true or false, got `yes`',
  );
  expect(() => synth({ AZIMUTH_MULTI_TENANT: 'on' })).toThrow('Expected AZIMUTH_MULTI_TENANT to be true or false');
});

test('a pattern of kinds limits definitions, permissions and what the operator watches to what it selects', () => {
  const [definitions = '', programs = ''] = Object.values(synth({ AZIMUTH_KINDS: 'keyvault.azure.com/*' }));
  const names = parseAllDocuments(definitions).map((document) => document.toJS().metadata.name as string);
  expect(names).toEqual(['vaults.keyvault.azure.com']);
  expect(programs).toContain('--kinds=keyvault.azure.com/*');
  expect(programs).toContain('vaults/status');
  expect(programs).not.toContain('storage.azure.com');
});

test('the image comes from the environment', () => {
  const programs = Object.values(synth({ AZIMUTH_IMAGE: 'registry.example/azimuth:9' })).join('\n');
  expect(programs).toContain('image: registry.example/azimuth:9');
});

test('the operator alone is deployed unless other programs are named', () => {
  const [definitions = '', programs = ''] = Object.values(files);
  expect(definitions).not.toContain('aadpodidentity.k8s.io');
  expect(kinds(programs)).not.toContain('DaemonSet');
});

test('pod identities may be deployed without the operator, and then its kinds are not defined', () => {
  const [definitions = '', programs = ''] = Object.values(synth({ AZIMUTH_PROGRAMS: 'pod-identity' }));
  const groups = parseAllDocuments(definitions).map((document) => document.toJS().spec.group as string);
  expect(new Set(groups)).toEqual(new Set(['aadpodidentity.k8s.io']));
  const names = parseAllDocuments(programs)
    .map((document) => document.toJS())
    .filter(({ kind }) => kind === 'Deployment' || kind === 'DaemonSet')
    .map(({ metadata }) => metadata.name as string);
  expect(names).toEqual(['azimuth-identity', 'azimuth-nmi']);
});

test('service accounts that federate are named', () => {
  const env = { AZIMUTH_PROGRAMS: 'pod-identity', AZIMUTH_FEDERATED_ACCOUNTS: 'web; api' };
  const roles = parseAllDocuments(Object.values(synth(env))[1] ?? '').map((document) => document.toJS());
  const { rules } = roles.find(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === 'azimuth-nmi');
  expect(rules).toContainEqual({
    apiGroups: [''],
    resources: ['serviceaccounts/token'],
    verbs: ['create'],
    resourceNames: ['api', 'web'],
  });
});

test('a program that does not exist is refused with those that do', () => {
  expect(() => synth({ AZIMUTH_PROGRAMS: 'operator;nmi' })).toThrow(
    'Expected programs to be some of operator, pod-identity, key-vault-volumes, key-vault-csi, machine-secrets, deployments, ui, separated by ;, got `operator;nmi`',
  );
});

test('readers of metrics are named by namespace and name, and authentication is off only by the word', () => {
  const pods = { AZIMUTH_PROGRAMS: 'pod-identity' };
  const programs = (env: Record<string, string>) => Object.values(synth({ ...pods, ...env }))[1] ?? '';
  expect(programs({ AZIMUTH_METRICS_READERS: 'prom/server; agents/one' })).toContain('namespace: agents');
  expect(programs({ AZIMUTH_METRICS_AUTHENTICATION: '' })).toContain('--metrics-port=8445');
  expect(programs({ AZIMUTH_METRICS_AUTHENTICATION: 'false' })).toContain('--metrics-port=off');
  for (const wrong of ['server', 'prom/', '/server', 'prom/server/x']) {
    const env = { ...pods, AZIMUTH_METRICS_READERS: wrong };
    expect(() => synth(env)).toThrow(`namespace/name of service accounts separated by ;, got \`${wrong}\``);
  }
  expect(() => synth({ ...pods, AZIMUTH_METRICS_AUTHENTICATION: 'no' })).toThrow('to be true or false, got `no`');
});

test('monitoring has the pods of the deployed programs and the alerts of these', () => {
  const env = { AZIMUTH_MONITORING: 'true', AZIMUTH_PROGRAMS: 'operator;pod-identity', AZIMUTH_METRICS_FROM: 'prom' };
  const programs = Object.values(synth(env))[1] ?? '';
  const objects = parseAllDocuments(programs).map((document) => document.toJS());
  const monitors = objects.filter(({ kind }) => kind === 'PodMonitor').map(({ metadata }) => metadata.name as string);
  expect(monitors).toEqual(['azimuth-operator', 'azimuth-identity', 'azimuth-nmi']);
  expect(programs).toContain('AzimuthRedirectionNotReady');
  expect(programs).not.toContain('AzimuthVolumesNotRefreshed');
  const [policy] = objects.filter(({ kind }) => kind === 'NetworkPolicy');
  expect(policy.spec.ingress[0].from).toEqual([
    {
      namespaceSelector: {
        matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['prom'] }],
      },
    },
  ]);
});
