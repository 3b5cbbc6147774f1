/** The examples, applied as their pages say, until each object is Ready. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import { scratch } from '../fakes/scratch.ts';
import { armRequests, configMaps, secrets, until } from '../operator/support.ts';
import { ExampleWorld } from './example-world.ts';
import { manifestFiles, objectsOf, synthesize } from './examples.ts';

const files = scratch();
let place: ExampleWorld;
beforeAll(async () => {
  place = await ExampleWorld.start();
});
afterAll(async () => {
  await place?.close();
  files.remove();
});

const secret = (name: string, key: string, value: string) => ({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name } },
  data: { [key]: Buffer.from(value).toString('base64') },
});

test('web-app: account, identity and role are Ready, and the pod identity is accepted', async () => {
  const [, , shop = ''] = await synthesize('examples/web-app/main.ts', files.path);
  const objects = objectsOf(shop);
  await place.apply('shop', objects);
  expect((await place.ready('shop', objects)).sort()).toEqual([
    'AzureIdentity web',
    expect.stringMatching(/^AzureIdentityBinding /),
    'ResourceGroup shop-web',
    expect.stringMatching(/^RoleAssignment /),
    'StorageAccount photos',
    'UserAssignedIdentity web',
  ]);
});

test('database: the user logs in with the password of its Secret', async () => {
  const objects = place.objects('database/database.yaml');
  await place.apply('database', [secret('orders-password', 'password', 'chosen-by-you'), ...objects]);
  const admin = await until('the administrator has a password', () =>
    place.world.client.tryGet(secrets, { namespace: 'database', name: 'orders-admin' }),
  );
  place.postgres.password = Buffer.from(admin['data'].password, 'base64').toString();
  await place.ready('database', objects);
  expect(await place.postgres.accepts('orders', 'chosen-by-you')).toBe(true);
});

test('scale-set-certificate: each instance of both regions gets the certificate', async () => {
  const folder = 'scale-set-certificate';
  const objects = manifestFiles(folder).flatMap(objectsOf);
  await place.apply(folder, [secret('web-admin', 'password', 'correct-Horse-9'), ...objects]);
  const vaults = objects.filter(({ kind }) => kind === 'Vault');
  await place.ready(folder, vaults);
  for (const { metadata } of vaults) place.allowInVault('shop-machines', metadata.name);
  await place.ready(folder, objects);
  const sets = objects.filter(({ kind }) => kind === 'VirtualMachineScaleSet');
  expect(sets).toHaveLength(2);
  await place.ready(folder, sets, 'SecretsDelivered');
});

test('bicep: the deployment succeeds, and the account and its container are in Azure', async () => {
  const objects = place.objects('bicep/deployment.yaml');
  await place.apply('bicep', objects);
  await place.ready('bicep', objects);
  const id = `/subscriptions/${place.world.azure.subscriptionId}/resourceGroups/shop-bicep/providers/Microsoft.Storage`;
  const container = `${id}/storageAccounts/shoporiginals/blobServices/default/containers/originals`;
  expect(await place.world.portal.arm('GET', container, '2025-06-01')).toMatchObject({ status: 200 });
  const { data } = await place.world.client.get(configMaps, { namespace: 'bicep', name: 'photos' });
  expect(data).toEqual({ blobEndpoint: expect.stringContaining('shoporiginals') });
});

test('workload-identity: the identity trusts the service account, and the AzureIdentity takes its ids', async () => {
  const objects = place.objects('workload-identity/workload-identity.yaml');
  await place.apply('workload', objects);
  await place.ready('workload', objects);
});

test('vault-files: vault, identity and role are Ready, and the pod identity is accepted', async () => {
  const objects = place.objects('vault-files/vault.yaml');
  await place.apply('vault-files', objects);
  await place.ready('vault-files', objects);
});

/** PUTs and PATCHes of the operator below a resource group since the journal was cleared. */
const writes = (group: string) =>
  ['PUT', 'PATCH'].flatMap((method) => armRequests(place.world, method, new RegExp(`/resourceGroups/${group}\\b`)));

test('gitops: the resources are Ready', async () => {
  const objects = place.objects('gitops/azure-resources/shop.yaml');
  for (const object of objects) await place.applyOne('gitops', object);
  await place.ready('shop', objects.slice(1));
  expect(writes('shop-gitops')).toHaveLength(2);
});

test('moving: resources of ASO are adopted without a write, and their Secret is there again', async () => {
  const { portal, azure } = place.world;
  const group = `/subscriptions/${azure.subscriptionId}/resourceGroups/shop-moving`;
  const account = { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, properties: {} };
  await portal.arm('PUT', group, '2021-04-01', { location: 'westeurope' });
  await portal.arm('PUT', `${group}/providers/Microsoft.Storage/storageAccounts/shopinvoices`, '2023-01-01', account);
  azure.journal.clear();
  const [before, after] = ['before', 'after'].map((name) => place.objects(`moving/from-aso/${name}.yaml`)[0]);
  expect(after?.['stringData']).toEqual(before?.['stringData']);
  const objects = place.objects('moving/from-aso/resources.yaml');
  await place.apply('moving', objects);
  await place.ready('moving', objects);
  expect(writes('shop-moving')).toEqual([]);
  const exported = await place.world.client.get(secrets, { namespace: 'moving', name: 'invoices-storage' });
  expect(Object.keys(exported['data'])).toEqual(['key']);
});

test('moving: an identity of AAD Pod Identity is accepted, then becomes an object without a write', async () => {
  const { portal, azure } = place.world;
  const group = `/subscriptions/${azure.subscriptionId}/resourceGroups/shop-mail`;
  const id = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/mail`;
  await portal.arm('PUT', group, '2021-04-01', { location: 'westeurope' });
  const { body } = await portal.arm('PUT', id, '2023-01-31', { location: 'westeurope' });
  azure.journal.clear();
  const [identity, ...others] = place.objects('moving/from-aad-pod-identity/before.yaml');
  const spec = { ...identity?.['spec'], clientID: body.properties.clientId };
  const before = [{ ...(identity as KubeObject), spec }, ...others];
  await place.apply('mail', before);
  await place.ready('mail', before);
  const after = place.objects('moving/from-aad-pod-identity/after.yaml');
  for (const object of after) await place.applyOne('mail', object);
  await place.ready('mail', after);
  expect(writes('shop-mail')).toEqual([]);
});
