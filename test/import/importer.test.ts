import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import type { JsonObject } from '../../runtime/base/json.ts';
import type { ImportConfig } from '../../runtime/import/config.ts';
import { kindOfId } from '../../runtime/import/discover.ts';
import { importResources } from '../../runtime/import/importer.ts';
import { manifestsOf } from '../../runtime/import/manifests.ts';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import { startEmbeddedAzure } from '../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../sandbox/azure/embedded-azure.ts';
import { until } from '../operator/support.ts';
import { TestClient } from '../sandbox/azure/client.ts';
import { readerOf } from './support.ts';

const limitMs = 60_000;
let azure: EmbeddedAzure;
let portal: TestClient;
let group: string;
const plain: Omit<ImportConfig, 'ids'> = {
  recursive: false,
  output: 'yaml',
  namespace: 'apps',
  labels: {},
  annotations: {},
  workers: 2,
  credential: 'environment',
};

beforeAll(async () => {
  azure = await startEmbeddedAzure({
    arm: { operationMs: 0, retryAfterSeconds: 0, alwaysRetryAfter: true, pageSize: 2 },
  });
  portal = new TestClient(azure);
  group = `/subscriptions/${azure.subscriptionId}/resourceGroups/Web.Team`;
  await put(group, '2021-04-01', { location: 'westeurope', tags: { on: 'yes', time: '1:30' } });
}, limitMs);
afterAll(async () => {
  await portal?.close();
  await azure?.close();
});

async function put(id: string, apiVersion: string, body: object): Promise<void> {
  await until(`PUT ${id}`, async () => {
    const { status, text } = await portal.arm('PUT', id, apiVersion, body);
    if (status >= 400 && status !== 409) throw new Error(`PUT ${id}: ${status} ${text}`);
    return status < 300;
  });
}

async function run(ids: readonly string[], config: Partial<ImportConfig> = {}) {
  const { text, problems } = await importResources(readerOf(azure), { ...plain, ...config, ids });
  const objects = parseAllDocuments(text, { version: '1.1' }).map((document) => document.toJS() as KubeObject);
  return { text, problems, objects };
}

const bus = (name: string) => `${group}/providers/Microsoft.ServiceBus/namespaces/${name}`;

test('a group alone is one object, with texts that YAML 1.1 would read as something else kept as texts', async () => {
  const { text, objects, problems } = await run([group]);
  expect(problems).toEqual([]);
  expect(text).toContain(`# ${group}\n`);
  expect(objects).toEqual([
    {
      apiVersion: expect.stringMatching(/^resources\.azure\.com\/v/),
      kind: 'ResourceGroup',
      metadata: { name: 'web-team', namespace: 'apps' },
      spec: { azureName: 'Web.Team', location: 'westeurope', tags: { on: 'yes', time: '1:30' } },
    },
  ]);
});

test('lists of several pages come whole, and what Azure made by itself does not', async () => {
  await put(bus('bus1'), '2024-01-01', { location: 'westeurope', sku: { name: 'Standard' } });
  const queues = ['a', 'b', 'c', 'd', 'e'];
  for (const name of queues) await put(`${bus('bus1')}/queues/${name}`, '2024-01-01', { properties: {} });
  const { objects, problems } = await run([bus('bus1')], { recursive: true });
  expect(problems).toEqual([]);
  expect(objects.filter(({ kind }) => kind === 'NamespacesQueue').map(({ metadata }) => metadata.name)).toEqual(
    queues.map((name) => `bus1-${name}`),
  );
  expect(objects.map(({ kind }) => kind)).not.toContain('NamespacesAuthorizationRule');
  const [namespace] = objects;
  expect(namespace?.['spec'].owner).toEqual({ armId: group });
});

test('a type that has HEAD in place of GET is imported by its name', async () => {
  const service = `${group}/providers/Microsoft.ApiManagement/service/api1`;
  await put(service, '2024-05-01', {
    location: 'westeurope',
    sku: { name: 'Developer', capacity: 1 },
    properties: { publisherEmail: 'a@example.com', publisherName: 'a' },
  });
  await put(`${service}/groups/testers`, '2024-05-01', { properties: { displayName: 'testers' } });
  await put(`${service}/products/tests`, '2024-05-01', { properties: { displayName: 'tests' } });
  const membership = `${service}/products/tests/groups/testers`;
  await put(membership, '2024-05-01', {});
  const { objects, problems } = await run([membership, service], { recursive: true });
  expect(problems).toEqual([]);
  const member = objects.find(({ kind }) => kind === 'ProductGroup');
  expect(member?.['spec']).toEqual({
    azureName: 'testers',
    owner: { name: objects.find(({ kind }) => kind === 'Product')?.metadata.name },
  });
  expect((await run([`${service}/products/tests/groups/nobody`])).problems).toHaveLength(1);
});

test('users of a database server, which are no ARM resources, are neither listed nor a problem', async () => {
  const server = `${group}/providers/Microsoft.DBforPostgreSQL/flexibleServers/db1`;
  await put(server, '2024-08-01', {
    location: 'westeurope',
    sku: { name: 'Standard_B1ms', tier: 'Burstable' },
    properties: { administratorLogin: 'admin1', administratorLoginPassword: 'Abcd-1234-efgh', version: '16' },
  });
  const { objects, problems } = await run([server], { recursive: true });
  expect(objects.map(({ kind }) => kind)).toContain('FlexibleServer');
  expect(problems).toEqual([]);
});

test('a type without a kind becomes an ArmResource without what its provider computes, and without secrets', async () => {
  const id = `${group}/providers/Contoso.Web/sites/front`;
  await put(id, '2020-06-01', {
    location: 'westeurope',
    identity: { type: 'SystemAssigned' },
    properties: {
      color: 'blue',
      adminPassword: 'hunter2',
      settings: { connection: 'DefaultEndpointsProtocol=https;AccountKey=c2VjcmV0', depth: 2 },
      url: 'https://x.blob.core.windows.net/c?sv=1&sig=abc',
      createdAt: '2026-01-01',
    },
  });
  const { text, objects, problems } = await run([group, id]);
  // The sandbox keeps a password for itself, as Azure does.
  expect(problems.map(({ message }) => message.split(':')[0])).toEqual([
    'imported without properties.settings.connection, which looks like a secret',
    'imported without properties.url, which looks like a secret',
  ]);
  expect(text).not.toMatch(/hunter2|c2VjcmV0|sig=abc/);
  expect(objects.find(({ kind }) => kind === 'ArmResource')).toEqual({
    apiVersion: 'azimuth.dev/v1alpha1',
    kind: 'ArmResource',
    metadata: { name: 'front', namespace: 'apps' },
    spec: {
      type: 'Contoso.Web/sites@2020-06-01',
      azureName: 'front',
      owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'web-team' },
      body: {
        location: 'westeurope',
        identity: { type: 'SystemAssigned' },
        tags: {},
        properties: { color: 'blue', settings: { depth: 2 } },
      },
    },
  });
});

test('what an access policy allows on secrets is no secret: without it a change would take it away', async () => {
  const id = `${group}/providers/Microsoft.KeyVault/vaults/azmimported`;
  const policy = (objectId: string, secrets: string[]) => ({
    tenantId: azure.tenantId,
    objectId,
    permissions: { secrets },
  });
  const accessPolicies = [policy(azure.defaultApp.objectId, ['Get', 'list', 'SET']), policy(azure.tenantId, ['all'])];
  const properties = { tenantId: azure.tenantId, sku: { family: 'A', name: 'standard' }, accessPolicies };
  await put(id, '2023-07-01', { location: 'westeurope', properties });
  const { objects, problems } = await run([id]);
  expect(problems).toEqual([]);
  expect(objects[0]?.['spec'].properties.accessPolicies.map((each: JsonObject) => each['permissions'])).toEqual([
    { secrets: ['get', 'list', 'set'] },
    { secrets: ['all'] },
  ]);
});

test('what cannot be read is named, and the rest is imported', async () => {
  const missing = `${group}/providers/Microsoft.Cache/redis/none`;
  const { objects, problems } = await run([missing, group]);
  expect(objects.map(({ kind }) => kind)).toEqual(['ResourceGroup']);
  expect(problems).toEqual([{ id: missing, message: expect.stringContaining('404') }]);
});

test('throttling and outages are waited out', async () => {
  azure.faults.add({ service: 'arm', path: 'resourceGroups', status: 429, headers: { 'retry-after': '0' }, times: 2 });
  const { objects, problems } = await run([group]);
  expect(problems).toEqual([]);
  expect(objects).toHaveLength(1);
});

test('a field that the schema does not take is left out and named; the rest of the resource is imported', () => {
  const id = `${group}/providers/Microsoft.Storage/storageAccounts/odd1`;
  const properties = { minimumTlsVersion: 'TLS9_9', accessTier: 'hot' };
  const live = { id, location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, properties };
  const found = { id, live, kind: kindOfId(id), apiVersion: '2025-06-01' };
  const { manifests, problems } = manifestsOf([found], plain);
  expect(manifests[0]?.object['spec']).toMatchObject({ kind: 'StorageV2', accessTier: 'Hot' });
  expect(manifests[0]?.object['spec']).not.toHaveProperty('minimumTlsVersion');
  // The other case of accessTier is no difference.
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('imported without spec.minimumTlsVersion'),
  ]);
});

test('a choice that Azure shows as empty text is left out without a word', () => {
  const id = `${group}/providers/Microsoft.Storage/storageAccounts/odd3`;
  const live = {
    location: 'westeurope',
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
    properties: { minimumTlsVersion: '' },
  };
  const found = { id, live: { id, ...live }, kind: kindOfId(id), apiVersion: '2025-06-01' };
  const { manifests, problems } = manifestsOf([found], plain);
  expect(manifests[0]?.object['spec']).not.toHaveProperty('minimumTlsVersion');
  expect(problems).toEqual([]);
});

test('a resource that the schema refuses is left out and named, and what lies in it goes by ARM id', () => {
  const id = `${group}/providers/Microsoft.Storage/storageAccounts/odd2`;
  const share = `${id}/blobServices/default`;
  const of = (each: string, live: JsonObject) => ({ id: each, live, kind: kindOfId(each), apiVersion: '2025-06-01' });
  const { manifests, problems } = manifestsOf([of(id, { location: 'westeurope', kind: 'New' }), of(share, {})], plain);
  expect(manifests.map(({ object }) => object['spec'])).toEqual([{ owner: { armId: id } }]);
  expect(problems).toEqual([
    { id, message: expect.stringMatching(/^not imported: the schema of StorageAccount wants spec/) },
  ]);
});

test('a subscription or a word is refused', async () => {
  await expect(run([`/subscriptions/${azure.subscriptionId}`])).rejects.toThrow('a resource or a resource group');
  await expect(run(['my-group'])).rejects.toThrow('resource id');
});

test('a subscription stands for its resource groups, with what lies in them and the roles given on it', async () => {
  const { subscriptionId, tenantId } = azure.addSubscription();
  const subscription = `/subscriptions/${subscriptionId}`;
  azure.assignRole(azure.defaultApp.objectId, 'Owner', subscription);
  const [one, two, machines] = ['one', 'two', 'machines'].map((name) => `${subscription}/resourceGroups/${name}`);
  for (const id of [one, two]) await put(id ?? '', '2021-04-01', { location: 'westeurope' });
  await put(machines ?? '', '2021-04-01', { location: 'westeurope', managedBy: `${one}/providers/A.B/c/d` });
  await put(`${two}/providers/Microsoft.ServiceBus/namespaces/bus2`, '2024-01-01', { location: 'westeurope' });
  await expect(run([subscription])).rejects.toThrow(/--recursive with a subscription/);
  const { objects, problems } = await run([subscription], { recursive: true });
  expect(problems).toEqual([]);
  const named = objects.filter(({ kind }) => kind !== 'RoleAssignment').map(({ metadata }) => metadata.name);
  expect(named.toSorted()).toEqual(['bus2', 'one', 'two']);
  const assignment = objects.find(({ kind }) => kind === 'RoleAssignment');
  expect(assignment?.['spec']).toMatchObject({ owner: { armId: subscription } });
  expect(tenantId).toBe(azure.tenantId);
});
