import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { freePort } from '../../runtime/cli/demo/free-port.ts';
import { OperatorProcess } from '../../runtime/cli/demo/operator-process.ts';
import { type EmbeddedAzure, startEmbeddedAzure } from '../../runtime/sandbox/azure/azure.ts';
import { kubectl, tryKubectl } from './kubectl.ts';

/**
 * The operator as the synthesized manifests run it, on the API server that KUBECONFIG names: under the service account
 * and the roles they made, against the embedded Azure.
 */
const NAMESPACE = 'azimuth-operator-test';
const directory = mkdtempSync(join(tmpdir(), 'azimuth-cluster-'));
const manifests = join(directory, 'dist');
const application = readFileSync('runtime/cli/demo/application.yaml', 'utf8').replaceAll('demo', NAMESPACE);
const resources = parseAllDocuments(application)
  .map((document) => document.toJS())
  .filter(({ apiVersion }) => apiVersion.includes('.azure.com/'))
  .map(({ apiVersion, kind, metadata }) => `${kind.toLowerCase()}.${apiVersion.split('/')[0]}/${metadata.name}`);

let azure: EmbeddedAzure;
let operator: OperatorProcess;
const logFile = join(directory, 'operator.log');

beforeAll(async () => {
  const { major, minor } = JSON.parse(await kubectl(['get', '--raw', '/version']));
  const synth = spawnSync('node', ['main.ts'], {
    env: { ...process.env, CDK8S_OUTDIR: manifests, KUBERNETES_VERSION: `${major}.${minor}` },
    encoding: 'utf8',
  });
  if (synth.status !== 0) throw new Error(synth.stderr);
  await kubectl(['apply', '-f', manifests]);
  await kubectl([
    'wait',
    '--for=condition=Established',
    '--timeout=60s',
    'crd',
    '-l',
    'app.kubernetes.io/name=azimuth',
  ]);
  azure = await startEmbeddedAzure();
  operator = await startOperator();
});

afterAll(async () => {
  await operator?.stop();
  await azure?.close();
  // Namespaces stay: an API server without a controller manager would keep them terminating for ever.
  await kubectl([
    'delete',
    '--ignore-not-found',
    '--wait=false',
    '-f',
    manifests,
    '-l',
    'app.kubernetes.io/name=azimuth',
  ]);
  rmSync(directory, { recursive: true });
});

async function startOperator(): Promise<OperatorProcess> {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } };
  const path = '/api/v1/namespaces/azimuth-system/serviceaccounts/azimuth-operator/token';
  const { status } = JSON.parse(await kubectl(['create', '--raw', path, '-f', '-'], JSON.stringify(review)));
  const admin = JSON.parse(await kubectl(['config', 'view', '--raw', '--minify', '-o', 'json']));
  const kubeconfig = join(directory, 'operator.kubeconfig');
  const users = [{ name: 'operator', user: { token: status.token } }];
  const contexts = [{ name: 'operator', context: { cluster: admin.clusters[0].name, user: 'operator' } }];
  writeFileSync(kubeconfig, JSON.stringify({ ...admin, users, contexts, 'current-context': 'operator' }), {
    mode: 0o600,
  });
  const env = {
    ...azure.env(),
    KUBECONFIG: kubeconfig,
    POD_NAMESPACE: 'azimuth-system',
    NO_PROXY: 'localhost,127.0.0.1',
  };
  const healthPort = await freePort();
  const started = new OperatorProcess(['operator', `--health-port=${healthPort}`, '--log-level=debug'], env, logFile);
  await started.ready(healthPort);
  return started;
}

test('resources applied in any order become ready, and what was asked for is exported', async () => {
  const applied = await tryKubectl(['apply', '-f', '-'], application);
  expect(applied.stderr).toBe('');
  await kubectl(['wait', '-n', NAMESPACE, '--for=condition=Ready', '--timeout=60s', ...resources]);
  const { data } = JSON.parse(await kubectl(['get', 'secret', 'photos-storage', '-n', NAMESPACE, '-o', 'json']));
  expect(Object.keys(data).sort()).toEqual(['blobEndpoint', 'key']);
  expect(azure.journal.reusedTokens()).toEqual([]);
});

test('kubectl get shows readiness and reason of all Azure resources', async () => {
  expect(await kubectl(['get', 'storageaccount', 'photos', '-n', NAMESPACE])).toMatch(
    /READY\s+SEVERITY\s+REASON\s+MESSAGE/,
  );
});

test('a custom resource that its schema refuses is refused with the field named', async () => {
  const wrong = {
    apiVersion: 'storage.azure.com/v20250601',
    kind: 'StorageAccount',
    metadata: { name: 'wrong', namespace: NAMESPACE },
  };
  const { status, stderr } = await tryKubectl(
    ['create', '--validate=false', '-f', '-'],
    JSON.stringify({ ...wrong, spec: { location: 'westeurope', kind: 'Nonsense', sku: {} } }),
  );
  expect(status).not.toBe(0);
  expect(stderr).toContain('spec.kind');
  expect(stderr).toContain('spec.sku.name');
  expect(stderr).toContain('spec.owner');
});

test('events tell what was begun and done', async () => {
  const reasons = await kubectl(['get', 'events.events.k8s.io', '-n', NAMESPACE, '-o', 'jsonpath={.items[*].reason}']);
  expect(reasons).toContain('BeginCreateOrUpdate');
  expect(reasons).toContain('CreateOrUpdateSucceeded');
});

test('deleting the objects deletes the resources in Azure', async () => {
  await kubectl(['delete', '-n', NAMESPACE, '--timeout=90s', ...resources]);
  const left = azure.journal
    .entries({ service: 'arm', method: 'DELETE', effective: true })
    .map(({ path }) => path.toLowerCase());
  expect(left.some((path) => path.includes('/storageaccounts/'))).toBe(true);
  expect(left.some((path) => /resourcegroups\/[^/]+$/.test(path))).toBe(true);
});

test('the permissions that the manifests grant are enough', async () => {
  expect(readFileSync(logFile, 'utf8')).not.toMatch(/forbidden/i);
});
