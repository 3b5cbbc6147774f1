import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { demoKinds } from '../../../runtime/cli/demo/demo.ts';
import { kubectl, tryKubectl } from '../kubectl.ts';
import { type InstalledOperator, installOperator } from './installed-operator.ts';

const NAMESPACE = 'azimuth-operator-test';
const application = readFileSync('runtime/cli/demo/application.yaml', 'utf8').replaceAll('demo', NAMESPACE);
const resources = parseAllDocuments(application)
  .map((document) => document.toJS())
  .filter(({ apiVersion }) => apiVersion.includes('.azure.com/'))
  .map(({ apiVersion, kind, metadata }) => `${kind.toLowerCase()}.${apiVersion.split('/')[0]}/${metadata.name}`);

let installed: InstalledOperator;

beforeAll(async () => {
  installed = await installOperator(`${demoKinds};azimuth.dev/ArmResource`);
});

afterAll(() => installed?.remove());

test('resources applied in any order become ready, and what was asked for is exported', async () => {
  const applied = await tryKubectl(['apply', '-f', '-'], application);
  expect(applied.stderr).toBe('');
  await kubectl(['wait', '-n', NAMESPACE, '--for=condition=Ready', '--timeout=300s', ...resources]);
  const { data } = JSON.parse(await kubectl(['get', 'secret', 'photos-storage', '-n', NAMESPACE, '-o', 'json']));
  expect(Object.keys(data).sort()).toEqual(['blobEndpoint', 'key']);
  expect(installed.azure.journal.reusedTokens()).toEqual([]);
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

test('events report the start and the end of each operation', async () => {
  const reasons = await kubectl(['get', 'events.events.k8s.io', '-n', NAMESPACE, '-o', 'jsonpath={.items[*].reason}']);
  expect(reasons).toContain('BeginCreateOrUpdate');
  expect(reasons).toContain('CreateOrUpdateSucceeded');
});

test('a spec of thousands of levels, which no JSON.stringify reaches, has a condition and can be deleted', async () => {
  const levels = 6000;
  const body = `${'{"properties":'.repeat(levels)}{}${'}'.repeat(levels)}`;
  const head = {
    apiVersion: 'azimuth.dev/v1alpha1',
    kind: 'ArmResource',
    metadata: { name: 'deep', namespace: NAMESPACE },
  };
  const spec = `{"type":"Microsoft.X/things@2024-01-01","owner":{"armId":"/subscriptions/s"},"body":${body}}`;
  const object = `${JSON.stringify(head).slice(0, -1)},"spec":${spec}}`;
  const path = `/apis/azimuth.dev/v1alpha1/namespaces/${NAMESPACE}/armresources`;
  await kubectl(['create', '--raw', path, '-f', '-'], object);
  const failed = '--for=jsonpath={.status.conditions[0].severity}=Error';
  await kubectl(['wait', '-n', NAMESPACE, failed, '--timeout=60s', 'armresource/deep']);
  await kubectl(['delete', '-n', NAMESPACE, '--timeout=60s', 'armresource/deep']);
});

test('deleting the objects deletes the resources in Azure', async () => {
  await kubectl(['delete', '-n', NAMESPACE, '--timeout=300s', ...resources]);
  const left = installed.azure.journal
    .entries({ service: 'arm', method: 'DELETE', effective: true })
    .map(({ path }) => path.toLowerCase());
  expect(left.some((path) => path.includes('/storageaccounts/'))).toBe(true);
  expect(left.some((path) => /resourcegroups\/[^/]+$/.test(path))).toBe(true);
});

test('the permissions that the manifests grant are enough', async () => {
  expect(readFileSync(installed.logFile, 'utf8')).not.toMatch(/forbidden/i);
});
