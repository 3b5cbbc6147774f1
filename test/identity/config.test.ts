import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CredentialDeps } from '../../runtime/azure/identity/credential.ts';
import { silentLogger } from '../../runtime/base/observability/log.ts';
import { cloudConfigFromEnvironment, cloudSettings, parseCloudConfig } from '../../runtime/identity/cloud-config.ts';
import { identityConfig, identityHelp, identitySettings, ignoredFlags } from '../../runtime/identity/config.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'azimuth-config-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const config = (argv: string[], env: Record<string, string> = {}) => {
  const result = identityConfig(argv, env);
  if ('help' in result) throw new Error('help');
  return result;
};

test('defaults are those of the table', () => {
  expect(config([])).toMatchObject({
    forceNamespaced: false,
    writes: 20,
    verifyMs: 180_000,
    leaderElection: true,
    leaseName: 'azimuth-identity',
    leaseDurationMs: 15_000,
    healthPort: 8080,
    pollIntervalMs: 5000,
    logLevel: 'info',
    ignored: [],
  });
});

test("MIC's own command lines are understood, Go's spellings included", () => {
  const argv = [
    '--cloudconfig=/etc/kubernetes/azure.json',
    '--logtostderr',
    '-v=5',
    '-forceNamespaced',
    '--clientQps',
    '100',
    '--http-probe-port=9000',
    '--immutable-user-msis=AAAA-1, bbbb-2',
    '--identity-assignment-reconcile-interval=1m30s',
    '--enable-type-upgrade=false',
  ];
  expect(config(argv)).toMatchObject({
    cloudconfig: '/etc/kubernetes/azure.json',
    forceNamespaced: true,
    healthPort: 9000,
    immutableClientIds: ['aaaa-1', 'bbbb-2'],
    verifyMs: 90_000,
    ignored: ['clientQps', 'enable-type-upgrade', 'logtostderr', 'v'],
  });
});

test('the environment counts where no flag is given, and either may ask for namespaced mode', () => {
  expect(config([], { FORCENAMESPACED: 'true' }).forceNamespaced).toBe(true);
  expect(config(['--forceNamespaced=false'], { FORCENAMESPACED: 'true' }).forceNamespaced).toBe(true);
  expect(config([], { CREATE_DELETE_BATCH: '7' }).writes).toBe(7);
  expect(config(['--createDeleteBatch=8'], { CREATE_DELETE_BATCH: '7' }).writes).toBe(8);
  expect(config([], { MIC_POD_NAMESPACE: 'kube-system' }).leaseNamespace).toBe('kube-system');
});

test('what cannot be meant is refused with flag, variable and value', () => {
  expect(() => config(['--createDeleteBatch=none'])).toThrow('--createDeleteBatch (CREATE_DELETE_BATCH)');
  expect(() => config(['--identity-assignment-reconcile-interval=soon'])).toThrow('got `soon`');
  expect(() => config(['--nonsense=1'])).toThrow('unknown flag --nonsense; run azimuth identity --help');
  expect(() => config([], { LOG_LEVEL: 'loud' })).toThrow('LOG_LEVEL');
});

test('flags of klog are taken as ignored ones', () => {
  const klog = ['--logtostderr', '-v', '5', '--stderrthreshold=2', '--one_output=true', '--log_file_max_size=1800'];
  expect(config(klog)).toMatchObject({
    ignored: ['log_file_max_size', 'logtostderr', 'one_output', 'stderrthreshold', 'v'],
  });
});

test('help lists every flag', () => {
  const flags = [...Object.values(identitySettings).map(({ flag }) => `--${flag}`), ...Object.keys(ignoredFlags)];
  for (const flag of flags) expect(identityHelp()).toContain(flag);
});

test('a cloud configuration is JSON or YAML, and its content never comes out', () => {
  const members = { tenantId: 't', aadClientId: 'c', aadClientSecret: 'hush', useManagedIdentityExtension: true };
  expect(parseCloudConfig(JSON.stringify(members), 'f')).toMatchObject(members);
  expect(
    parseCloudConfig('cloud: AzurePublicCloud\naadClientSecret: hush\nuseManagedIdentityExtension: "True"\n', 'f'),
  ).toMatchObject({ aadClientSecret: 'hush', useManagedIdentityExtension: true });
  const broken = () => parseCloudConfig('aadClientSecret: "hush\n  x: [', 'azure.json');
  expect(broken).toThrow('azure.json is neither JSON nor YAML');
  expect(broken).not.toThrow('hush');
});

test('values of a cloud configuration stay texts, and null is unset', () => {
  const text = 'tenantId: 1e3\naadClientId: 0755\naadClientSecret: 0x10\nresourceGroup: null\nsubscriptionId: ~\n';
  const expected = {
    tenantId: '1e3',
    aadClientId: '0755',
    aadClientSecret: '0x10',
    resourceGroup: '',
    subscriptionId: '',
  };
  expect(parseCloudConfig(text, 'f')).toMatchObject(expected);
  const json =
    '{"tenantId": 1e3, "aadClientId": "t\\n", "aadClientSecret": " s\\n", "useManagedIdentityExtension": true}';
  expect(parseCloudConfig(json, 'f')).toMatchObject({ tenantId: '1e3', aadClientId: 't', aadClientSecret: 's' });
  expect(() => parseCloudConfig('aadClientId: [x]', 'f')).toThrow(
    'aadClientId of the cloud configuration f is no text',
  );
});

test('without a file the variables of AAD Pod Identity are read', () => {
  expect(cloudConfigFromEnvironment({})).toBeUndefined();
  expect(
    cloudConfigFromEnvironment({
      CLIENT_ID: 'c',
      CLIENT_SECRET: 's',
      TENANT_ID: 't',
      CLOUD: 'AzurePublicCloud',
      USE_MSI: 'TRUE',
    }),
  ).toMatchObject({
    aadClientId: 'c',
    aadClientSecret: 's',
    useManagedIdentityExtension: true,
  });
});

test('a configuration that changes is in use at the next token; one that is broken changes nothing', () => {
  const file = join(directory, 'azure.json');
  const write = (content: object | string) => {
    writeFileSync(`${file}.new`, typeof content === 'string' ? content : JSON.stringify(content));
    renameSync(`${file}.new`, file);
  };
  const base = { cloud: 'AzurePublicCloud', tenantId: 't', subscriptionId: 's', resourceGroup: 'rg' };
  write({ ...base, aadClientId: 'first', aadClientSecret: 'x' });
  const settings = cloudSettings({
    file,
    env: {},
    log: silentLogger,
    context: (cloud) => ({ cloud }) as unknown as CredentialDeps,
  });
  expect(settings.authorizer.description).toContain('client first');
  expect(settings.fallback()).toEqual({ subscriptionId: 's', resourceGroup: 'rg' });
  write({ ...base, useManagedIdentityExtension: true, userAssignedIdentityID: 'mine' });
  expect(settings.authorizer.description).toBe('managed identity of client mine');
  expect(settings.clusterIdentity()).toBe('mine');
  write('{');
  expect(settings.authorizer.description).toBe('managed identity of client mine');
});

test('a missing or incomplete file stops the start, with an error that names the missing part', () => {
  const settings = (file: string) =>
    cloudSettings({
      file,
      env: {},
      log: silentLogger,
      context: (cloud) => ({ cloud }) as unknown as CredentialDeps,
    });
  expect(() => settings(join(directory, 'none.json'))).toThrow('none.json: cannot be read (ENOENT)');
  const file = join(directory, 'empty.json');
  writeFileSync(file, '{"cloud":"AzurePublicCloud","tenantId":"t"}');
  expect(() => settings(file).authorizer.description).toThrow('has no aadClientId, aadClientSecret');
  expect(readFileSync(file, 'utf8')).toContain('tenantId');
});
