import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';

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
  return Object.fromEntries(readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), 'utf8')]));
}

const kinds = (text: string) => parseAllDocuments(text).map((document) => document.toJS().kind as string);

beforeAll(() => {
  files = synth();
});

afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true });
});

test('definitions come in a file before the programs that use them', () => {
  const names = Object.keys(files).sort();
  expect(names).toHaveLength(2);
  expect(new Set(kinds(files[names[0] as string] as string))).toEqual(new Set(['CustomResourceDefinition']));
  expect(kinds(files[names[1] as string] as string)[0]).toBe('Namespace');
});

test('a second synth writes the same bytes', () => {
  expect(synth()).toEqual(files);
});

test('the cdk8s command writes the same files as main.ts', () => {
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-cdk8s-'));
  directories.push(directory);
  const { status, stderr } = spawnSync('cdk8s', ['synth', '--check-upgrade=false', '--output', directory], {
    encoding: 'utf8',
  });
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  const written = Object.fromEntries(
    readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), 'utf8')]),
  );
  expect(written).toEqual(files);
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
    'Expected programs to be some of operator, pod-identity, key-vault-volumes, key-vault-csi, machine-secrets, separated by ;, got `operator;nmi`',
  );
});
