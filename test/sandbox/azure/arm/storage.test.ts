import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ManualClock } from '../../../../runtime/base/clock.ts';
import { startEmbeddedAzure } from '../../../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../../../sandbox/azure/embedded-azure.ts';
import { TestClient } from '../client.ts';

const clock = new ManualClock(Date.UTC(2026, 0, 1));
let azure: EmbeddedAzure;
let client: TestClient;
let group: string;
const version = '2023-01-01';
const account = () => `${group}/providers/Microsoft.Storage/storageAccounts/sandboxaccount1`;
const wanted = {
  kind: 'StorageV2',
  location: 'westus2',
  name: 'sandboxaccount1',
  properties: { accessTier: 'Hot' },
  sku: { name: 'Standard_LRS' },
  tags: null,
};

beforeAll(async () => {
  azure = await startEmbeddedAzure({ clock, seed: 'storage' });
  client = new TestClient(azure);
  group = `/subscriptions/${azure.subscriptionId}/resourceGroups/storage-rg`;
});

afterAll(async () => {
  await client.close();
  await azure.close();
});

test('a resource group is created at once with 201 and shown with a provisioning state', async () => {
  const created = await client.arm('PUT', group, '2020-06-01', {
    location: 'westus2',
    name: 'storage-rg',
    tags: { a: 'b' },
  });
  expect(created.status).toBe(201);
  expect(created.body).toEqual({
    id: group,
    name: 'storage-rg',
    type: 'Microsoft.Resources/resourceGroups',
    location: 'westus2',
    tags: { a: 'b' },
    properties: { provisioningState: 'Succeeded' },
  });
  expect(await client.arm('GET', group, '2020-06-01')).toMatchObject({ status: 200, body: created.body });
  expect((await client.arm('HEAD', group, '2020-06-01')).status).toBe(204);
});

test('a storage account is accepted with a Location and no body, and ready when its time has come', async () => {
  const accepted = await client.arm('PUT', account(), version, wanted);
  expect(accepted.status).toBe(202);
  expect(accepted.text).toBe('');
  expect(accepted.headers['retry-after']).toBe('1');
  expect(accepted.headers['azure-asyncoperation']).toBeUndefined();
  const location = accepted.headers['location'] ?? '';
  expect(location).toMatch(
    /\/providers\/Microsoft\.Storage\/locations\/westus2\/asyncoperations\/[0-9a-f-]{36}\?monitor=true&api-version=2023-01-01&t=\d+$/,
  );

  const early = await client.get(location);
  expect([early.status, early.text]).toEqual([202, '']);
  expect(early.headers['location']).toContain('/asyncoperations/');
  expect((await client.arm('POST', `${account()}/listKeys`, version)).body.error.code).toBe(
    'StorageAccountIsNotProvisioned',
  );
  expect((await client.arm('PUT', account(), version, wanted)).body.error.code).toBe(
    'StorageAccountOperationInProgress',
  );

  await clock.advance(1000);
  const done = await client.get(location);
  expect(done.status).toBe(200);
  expect(done.body).toMatchObject({
    id: account(),
    sku: { name: 'Standard_LRS', tier: 'Standard' },
    tags: {},
    properties: {
      provisioningState: 'Succeeded',
      minimumTlsVersion: 'TLS1_2',
      primaryEndpoints: { blob: 'https://sandboxaccount1.blob.core.windows.net/' },
    },
  });
  expect((await client.arm('GET', account(), version)).body).toEqual(done.body);
});

test('a PUT of what is there answers 200 and does not count as effective, a change does', async () => {
  const before = azure.journal.entries().length;
  expect((await client.arm('PUT', account(), version, wanted)).status).toBe(200);
  expect((await client.arm('PUT', account(), version, { ...wanted, tags: { c: 'd' } })).body.tags).toEqual({ c: 'd' });
  const puts = azure.journal.entries({ service: 'arm', method: 'PUT', after: before });
  expect(puts.map(({ effective }) => effective)).toEqual([false, true]);
});

test('keys are listed, and a regenerated key differs from the old one', async () => {
  const first = await client.arm('POST', `${account()}/listKeys`, '2024-01-01');
  expect(
    first.body.keys.map((key: { keyName: string; permissions: string }) => [key.keyName, key.permissions]),
  ).toEqual([
    ['key1', 'FULL'],
    ['key2', 'FULL'],
  ]);
  expect(Buffer.from(first.body.keys[0].value, 'base64')).toHaveLength(64);
  const second = await client.arm('POST', `${account()}/regenerateKey`, version, { keyName: 'key1' });
  expect(second.body.keys[0].value).not.toBe(first.body.keys[0].value);
  expect(second.body.keys[1].value).toBe(first.body.keys[1].value);
});

test('services of an account exist without a PUT, containers need one and answer 404 when they are missing', async () => {
  const services = await client.arm('GET', `${account()}/blobServices/default`, version);
  expect(services.body.properties).toEqual({
    cors: { corsRules: [] },
    deleteRetentionPolicy: { allowPermanentDelete: false, enabled: false },
  });
  const container = `${account()}/blobServices/default/containers/things`;
  expect(await client.arm('GET', container, version)).toMatchObject({
    status: 404,
    body: { error: { code: 'ContainerNotFound' } },
  });
  expect((await client.arm('PUT', container, version, { properties: {} })).status).toBe(201);
  const shown = await client.arm('GET', container, version);
  expect(shown.body.properties).toMatchObject({ publicAccess: 'None', leaseState: 'Available', hasLegalHold: false });
  expect(shown.body.etag).toMatch(/^"0x[0-9A-F]{15}"$/);
  expect((await client.arm('DELETE', container, version)).status).toBe(200);
});

test('requests that Azure refuses are refused with its codes', async () => {
  const name = (value: string) => `${group}/providers/Microsoft.Storage/storageAccounts/${value}`;
  const code = async (method: string, path: string, apiVersion: string, body?: unknown) => {
    const { status, body: answer } = await client.arm(method, path, apiVersion, body);
    return [status, answer?.error?.code];
  };
  expect(await code('PUT', name('Upper'), version, wanted)).toEqual([400, 'AccountNameInvalid']);
  expect(await code('PUT', account(), version, { ...wanted, location: 'eastus' })).toEqual([
    409,
    'InvalidResourceLocation',
  ]);
  expect(await code('PUT', name('other'), version, { ...wanted, name: 'other', location: 'moon' })).toEqual([
    400,
    'LocationNotAvailableForResourceType',
  ]);
  expect(await code('PUT', name('other'), version, { kind: 'StorageV2', sku: { name: 'Standard_LRS' } })).toEqual([
    400,
    'LocationRequired',
  ]);
  expect(await code('PUT', name('other'), '2001-01-01', wanted)).toEqual([400, 'NoRegisteredProviderFound']);
  expect(await code('GET', name('other'), version)).toEqual([404, 'ResourceNotFound']);
  const elsewhere = `/subscriptions/${azure.subscriptionId}/resourceGroups/nowhere/providers/Microsoft.Storage/storageAccounts/x1x`;
  expect(await code('GET', elsewhere, version)).toEqual([404, 'ResourceGroupNotFound']);
  expect(await code('GET', `${name('none')}/blobServices/default`, version)).toEqual([404, 'ParentResourceNotFound']);
  const negative = { ...wanted, properties: { keyPolicy: { keyExpirationPeriodInDays: -260 } } };
  const refused = await client.arm('PUT', account(), version, negative);
  expect(refused.body.error).toEqual({
    code: 'InvalidValuesForRequestParameters',
    message: 'Values for request parameters are invalid: keyPolicy.keyExpirationPeriodInDays.',
  });
});

test('a resource group takes its resources with it, asynchronously', async () => {
  const accepted = await client.arm('DELETE', group, '2020-06-01');
  expect(accepted.status).toBe(202);
  const location = accepted.headers['location'] ?? '';
  expect(location).toMatch(/\/operationresults\//);
  expect((await client.arm('GET', group, '2020-06-01')).body.properties.provisioningState).toBe('Deleting');
  const late = await client.arm('PUT', `${group}/providers/Microsoft.Storage/storageAccounts/toolate`, version, wanted);
  expect([late.status, late.body.error.code]).toEqual([409, 'ResourceGroupBeingDeleted']);
  expect((await client.get(location)).status).toBe(202);
  await clock.advance(1000);
  expect(await client.get(location)).toMatchObject({ status: 200, text: '' });
  expect(await client.arm('GET', group, '2020-06-01')).toMatchObject({
    status: 404,
    headers: { 'x-ms-failure-cause': 'gateway' },
    body: { error: { code: 'ResourceGroupNotFound', message: "Resource group 'storage-rg' could not be found." } },
  });
});

test('every write of this file had a token of its own', () => {
  expect(azure.journal.reusedTokens()).toEqual([]);
});
