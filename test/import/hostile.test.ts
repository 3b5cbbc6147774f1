/** Answers of Azure that are broken, endless, hostile or out of date: what can be read is imported, the rest is named. */

import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseAllDocuments } from 'yaml';
import { armKinds } from '../../runtime/api/kinds.ts';
import type { JsonObject } from '../../runtime/base/json.ts';
import type { ImportConfig } from '../../runtime/import/config.ts';
import { newestVersion } from '../../runtime/import/discover.ts';
import { importResources } from '../../runtime/import/importer.ts';
import { manifestsOf } from '../../runtime/import/manifests.ts';
import { renderYaml } from '../../runtime/import/render-yaml.ts';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import { startEmbeddedAzure } from '../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../sandbox/azure/embedded-azure.ts';
import { until } from '../operator/support.ts';
import { TestClient } from '../sandbox/azure/client.ts';
import { readerOf } from './support.ts';

let azure: EmbeddedAzure;
let portal: TestClient;
let group: string;
const plain: Omit<ImportConfig, 'ids'> = {
  recursive: true,
  output: 'yaml',
  namespace: 'apps',
  labels: {},
  annotations: {},
  workers: 1_000_000_000,
  credential: 'environment',
};

beforeAll(async () => {
  azure = await startEmbeddedAzure({ arm: { operationMs: 0, retryAfterSeconds: 0, alwaysRetryAfter: true } });
  portal = new TestClient(azure);
  group = `/subscriptions/${azure.subscriptionId}/resourceGroups/shop`;
  await put(group, '2021-04-01', { location: 'westeurope' });
  for (const name of ['bus1', 'bus2']) await put(bus(name), '2024-01-01', { location: 'westeurope' });
});
afterEach(() => azure.faults.clear());
afterAll(async () => {
  await portal?.close();
  await azure?.close();
});

const bus = (name: string) => `${group}/providers/Microsoft.ServiceBus/namespaces/${name}`;

async function put(id: string, apiVersion: string, body: object): Promise<void> {
  await until(`PUT ${id}`, async () => {
    const { status, text } = await portal.arm('PUT', id, apiVersion, body);
    if (status >= 400 && status !== 409) throw new Error(`PUT ${id}: ${status} ${text}`);
    return status < 300;
  });
}

async function run(ids: readonly string[]) {
  const { text, problems } = await importResources(readerOf(azure), { ...plain, ids });
  const objects = parseAllDocuments(text, { version: '1.1' }).map((document) => document.toJS() as KubeObject);
  const names = objects.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('bus'));
  return { text, problems, objects, names };
}

const resources = 'resourceGroups/shop/resources';

test('a next page on another host gets no token, and the pages before it are imported', async () => {
  const foreign = { value: [{ id: bus('bus1') }], nextLink: 'https://example.com/next?api-version=1' };
  azure.faults.add({ method: 'GET', path: resources, times: 0, status: 200, body: foreign });
  const { names, problems } = await run([group]);
  expect(names).toEqual(['bus1']);
  expect(problems).toEqual([{ id: `${group}/resources`, message: expect.stringContaining('example.com') }]);
});

test('a list that leads back to itself ends', async () => {
  const nextLink = `${azure.endpoints.arm}${group}/resources?api-version=2021-04-01&page=2`;
  azure.faults.add({
    method: 'GET',
    path: resources,
    times: 0,
    status: 200,
    body: { value: [{ id: bus('bus2') }], nextLink },
  });
  const { names, problems } = await run([group]);
  expect(names).toEqual(['bus2']);
  expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('does not end')]);
});

test('what is not allowed to be read is named; what went since it was listed is nobody’s problem', async () => {
  const refused = { error: { code: 'AuthorizationFailed', message: 'no' } };
  azure.faults.add({ method: 'GET', path: 'namespaces/bus1\\?', times: 0, status: 403, body: refused });
  expect(await run([group])).toMatchObject({
    names: ['bus2'],
    problems: [{ id: bus('bus1'), message: expect.stringContaining('403') }],
  });
  azure.faults.clear();
  const gone = { error: { code: 'ResourceNotFound', message: 'gone' } };
  azure.faults.add({ method: 'GET', path: 'namespaces/bus1\\?', times: 0, status: 404, body: gone });
  expect(await run([group])).toMatchObject({ names: ['bus2'], problems: [] });
  // Named by hand it is missed, and so is a type that the subscription does not have.
  expect((await run([bus('bus1')])).problems).toHaveLength(1);
  azure.faults.clear();
  const unknown = { error: { code: 'NoRegisteredProviderFound', message: 'none' } };
  azure.faults.add({ method: 'GET', path: 'namespaces/bus1\\?', times: 0, status: 404, body: unknown });
  expect((await run([group])).problems).toEqual([{ id: bus('bus1'), message: expect.stringContaining('404') }]);
});

test('an answer that is no resource is no empty resource: it is asked for again', async () => {
  azure.faults.add({
    method: 'GET',
    path: 'namespaces/bus1\\?',
    times: 2,
    status: 200,
    body: 'Welcome to the network',
  });
  expect(await run([bus('bus1')])).toMatchObject({ names: ['bus1'], problems: [] });
});

test('an id in an answer that is none, or another’s, is not taken over', async () => {
  const value = [
    { id: '/x\u001b[2J' },
    { id: bus('bus1') },
    { id: bus('bus1').toUpperCase().replace('/SUBSCRIPTIONS', '/subscriptions') },
  ];
  azure.faults.add({ method: 'GET', path: resources, times: 0, status: 200, body: { value } });
  azure.faults.add({
    method: 'GET',
    path: 'namespaces/bus1\\?',
    times: 0,
    status: 200,
    body: { id: group, location: 'x' },
  });
  const { names, problems } = await run([group]);
  expect(names).toEqual(['bus1']);
  expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('resource id')]);
});

test('no secret is printed, whatever place it has in the body, and each that is missing is named', () => {
  const secrets = {
    client_secret: 'S1',
    key1: 'S2',
    parameters: { adminPassword: { value: 'S3' } },
    containers: [
      {
        environmentVariables: [
          { name: 'DB_PASSWORD', value: 'S4' },
          { name: 'DEPTH', value: 'kept' },
        ],
      },
    ],
    endpoints: ['https://ok', 'https://u:S5@host/', 'https://f/api?code=S6'],
    header: 'Bearer S7aaaaaaaaaaaaaaaaaa',
    jwt: 'eyJhbGciOiJub25l.eyJzdWIiOiJTOCJ9.S8',
    connection: 'Server=x;Pwd=S9',
    pem: '-----BEGIN RSA PRIVATE KEY-----\nS0',
  };
  const id = `${group}/providers/Contoso.Web/sites/front`;
  const live = { id, location: 'westeurope', properties: secrets };
  const { manifests, problems } = manifestsOf([{ id, live, kind: undefined, apiVersion: '2020-06-01' }], plain);
  const text = renderYaml(manifests);
  expect(text).not.toMatch(/S\d/);
  expect(text).toContain('kept');
  expect(problems.map(({ message }) => /without (\S+), which looks like a secret/.exec(message)?.[1])).toEqual([
    'properties.client_secret',
    'properties.key1',
    'properties.parameters.adminPassword',
    'properties.containers[0].environmentVariables[0].value',
    'properties.endpoints',
    'properties.header',
    'properties.jwt',
    'properties.connection',
    'properties.pem',
  ]);
  expect(JSON.stringify(problems)).not.toMatch(/S\d/);
});

test('a resource of the tenant itself, which nothing can declare, is named and not imported', () => {
  const id = '/providers/Contoso.Web/plans/top';
  const { manifests, problems } = manifestsOf([{ id, live: { id }, kind: undefined, apiVersion: '2020-06-01' }], plain);
  expect(manifests).toEqual([]);
  expect(problems).toEqual([{ id, message: expect.stringContaining('not imported: it belongs to the tenant') }]);
});

test('whatever Azure shows of one resource, the others are imported', () => {
  const good = {
    id: group,
    live: { id: group, location: 'westeurope' },
    kind: armKinds.find(({ kind }) => kind === 'ResourceGroup'),
    apiVersion: '2021-04-01',
  };
  const shown = fc.dictionary(
    fc.constantFrom('location', 'properties', 'sku', 'tags', 'identity', 'zones', 'kind', '__proto__', 'plan'),
    fc.jsonValue({ maxDepth: 4 }),
  );
  const property = fc.property(fc.constantFrom(...armKinds), shown, fc.jsonValue(), (kind, live, properties) => {
    const id = `${group}/providers/${kind.arm.armType
      .split('/')
      .map((part, index) => (index === 0 ? part : `${part}/x`))
      .join('/')}`;
    const odd = { id, live: { ...live, properties } as JsonObject, kind, apiVersion: newestVersion(kind) };
    const { manifests } = manifestsOf([odd, good], plain);
    expect(manifests.some(({ id: each }) => each === group)).toBe(true);
  });
  fc.assert(property, { numRuns: 500 });
});
