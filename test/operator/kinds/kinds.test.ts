import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ResourceType } from '../../../runtime/kube/client/types.ts';
import {
  armRequests,
  condition,
  configMaps,
  secrets,
  startWorldWithGroup,
  types,
  until,
  untilReady,
  type World,
} from '../support.ts';

let world: World;

beforeAll(async () => {
  world = await startWorldWithGroup({ versions: 'all' });
});
afterAll(() => world?.close());

const owner = { name: 'rg' };
const text = (value: string) => Buffer.from(value, 'base64').toString('utf8');

test('account, blob service and container come one after the other, each under its owner’s id', async () => {
  await world.apply(types.container, 'cont1', { owner: { name: 'blobs' }, publicAccess: 'None' });
  await world.apply(types.blobService, 'blobs', { owner: { name: 'chain' } });
  await world.apply(types.account, 'chain', {
    location: 'westeurope',
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
    owner,
  });
  const container = await untilReady(world, types.container, 'cont1');
  expect(container['status'].id).toMatch(/\/storageAccounts\/chain\/blobServices\/default\/containers\/cont1$/i);
  // Azure makes the blob service with its account; nothing of it is declared differently, so nothing is sent.
  const sent = [/\/chain$/, /blobServices\/default$/, /containers\/cont1$/].map(
    (path) => armRequests(world, 'PUT', path).length,
  );
  expect(sent).toEqual([1, 0, 1]);
});

test('an identity’s values go into a ConfigMap and a Secret, computed ones too, and nothing else is written', async () => {
  await world.apply(types.identity, 'app', {
    location: 'westeurope',
    owner,
    operatorSpec: {
      configMaps: { clientId: { name: 'app-identity', key: 'client' } },
      secrets: { tenantId: { name: 'app-tenant', key: 'tenant' } },
      configMapExpressions: [
        { name: 'app-identity', key: 'summary', value: '"id " + self.status.clientId' },
        { name: 'app-both', value: '{"name": self.metadata.name, "principal": self.status.principalId}' },
      ],
    },
  });
  const identity = await untilReady(world, types.identity, 'app');
  const { clientId, principalId, tenantId } = identity['status'];
  expect((await world.get(configMaps, 'app-identity'))['data']).toEqual({
    client: clientId,
    summary: `id ${clientId}`,
  });
  expect((await world.get(configMaps, 'app-both'))['data']).toEqual({ name: 'app', principal: principalId });
  const tenant = (await world.get(secrets, 'app-tenant'))['data'] as Record<string, string>;
  expect(text(tenant['tenant'] ?? '')).toBe(tenantId);
  expect(armRequests(world, 'POST', /userAssignedIdentities/)).toEqual([]);
});

test('a federated credential takes its issuer from a ConfigMap and follows its changes', async () => {
  await world.apply(types.federated, 'fed', {
    owner: { name: 'app' },
    audiences: ['api://AzureADTokenExchange'],
    issuerFromConfig: { name: 'cluster', key: 'issuer' },
    subject: 'system:serviceaccount:default:app',
  });
  await untilReady(world, types.federated, 'fed', 'ConfigMapNotFound');
  const write = (issuer: string) =>
    world.client.apply(
      configMaps,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name: 'cluster' }, data: { issuer } },
      { fieldManager: 'test', force: true },
    );
  await write('https://one.example');
  const first = await untilReady(world, types.federated, 'fed');
  expect(first['status'].issuer).toBe('https://one.example');
  await write('https://two.example');
  await until(
    'the new issuer',
    async () => (await world.get(types.federated, 'fed'))['status'].issuer === 'https://two.example',
  );
});

test('a credential with an expression goes out under the preview version, whichever the object names', async () => {
  const spec = {
    owner: { name: 'app' },
    audiences: ['api://AzureADTokenExchange'],
    issuer: 'https://westus2.oic.prod-aks.azure.com/tenant/issuer/',
    claimsMatchingExpression: { languageVersion: 1, value: "claims['sub'] matches 'system:serviceaccount:shop:*'" },
  };
  expect(types.federated.version).toBe('v1api20230131');
  await world.apply(types.federated, 'shops', spec);
  const made = await untilReady(world, types.federated, 'shops');
  expect(made['status'].claimsMatchingExpression).toEqual(spec.claimsMatchingExpression);
  const versions = (name: string) =>
    armRequests(world, 'PUT', new RegExp(`federatedIdentityCredentials/${name}$`)).map(({ apiVersion }) => apiVersion);
  expect([versions('shops'), new Set(versions('fed'))]).toEqual([['2025-01-31-preview'], new Set(['2023-01-31'])]);
  await expect(world.apply(types.federated, 'both', { ...spec, subject: 'one' })).rejects.toThrow(
    'set either subject, or claimsMatchingExpression',
  );
});

test('a role assignment finds a built-in role by name, and its name is a UUID that stays', async () => {
  await world.apply(types.roleAssignment, 'reader', {
    owner: { group: 'storage.azure.com', kind: 'StorageAccount', name: 'chain' },
    principalIdFromConfig: { name: 'app-both', key: 'principal' },
    principalType: 'ServicePrincipal',
    roleDefinitionReference: { wellKnownName: 'storage blob data reader' },
  });
  const assignment = await untilReady(world, types.roleAssignment, 'reader');
  expect(assignment['status'].id).toMatch(
    /storageAccounts\/chain\/providers\/Microsoft.Authorization\/roleAssignments\/[0-9a-f-]{36}$/i,
  );
  expect(assignment['status'].roleDefinitionId).toMatch(/2a2b9908-6ea1-4ae2-8e65-a410df84e7d1$/);
  expect(armRequests(world, 'PUT', /roleAssignments/)).toHaveLength(1);
});

test('a vault keeps its properties under one member', async () => {
  await world.apply(types.vault, 'azmkinds', {
    location: 'westeurope',
    owner,
    properties: {
      tenantId: world.azure.tenantId,
      sku: { family: 'A', name: 'standard' },
      enableRbacAuthorization: true,
    },
  });
  const vault = await untilReady(world, types.vault, 'azmkinds');
  expect(vault['status'].properties.vaultUri).toMatch(/^https:/);
});

test('an ArmResource of any type is created, exported from, and ready when its expression says so', async () => {
  await world.apply(types.armResource, 'plain', {
    type: 'Microsoft.Storage/storageAccounts@2023-01-01',
    azureName: 'plainacc',
    owner,
    body: { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' } },
    readyWhen: 'self.properties.provisioningState == "Succeeded"',
    operatorSpec: {
      secrets: [{ name: 'plain-keys', key: 'one', action: 'listKeys', path: 'keys[0].value' }],
      configMaps: [{ name: 'plain', key: 'blob', path: 'properties.primaryEndpoints.blob' }],
    },
  });
  const made = await untilReady(world, types.armResource, 'plain');
  expect(made['status'].resource).toMatchObject({ name: 'plainacc' });
  expect((await world.get(secrets, 'plain-keys'))['data']).toHaveProperty('one');
  expect((await world.get(configMaps, 'plain'))['data']).toMatchObject({ blob: expect.stringMatching(/^https:/) });
});

test('an expression for readiness that can never be true is reported before anything is sent', async () => {
  await world.apply(types.armResource, 'never', {
    type: 'Microsoft.Storage/storageAccounts@2023-01-01',
    owner,
    body: { location: 'westeurope' },
    readyWhen: '"yes"',
  });
  const made = await untilReady(world, types.armResource, 'never', 'ReconciliationFailedPermanently');
  expect(condition(made)?.message).toMatch(/^spec\.readyWhen: .* must be of type bool, but is of type string/);
  expect(armRequests(world, 'PUT', /storageAccounts\/never/)).toEqual([]);
});

test('a Secret of somebody else is left untouched, and the object says whose fault it is', async () => {
  const taken = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'default', name: 'taken' },
    data: { mine: 'eA==' },
  };
  await world.client.create(secrets, taken);
  await world.apply(types.identity, 'clash', {
    location: 'westeurope',
    owner,
    operatorSpec: { secrets: { clientId: { name: 'taken', key: 'client' } } },
  });
  const failed = await untilReady(world, types.identity, 'clash', 'FailedWritingAdditionalKubernetesObjects');
  expect(condition(failed)?.message).toContain('Secret taken exists and does not belong to this');
  expect((await world.get(secrets, 'taken'))['data']).toEqual({ mine: 'eA==' });
});

test('an exported Secret that somebody deletes or changes is written again', async () => {
  const key = { namespace: 'default', name: 'app-tenant' };
  await world.client.delete(secrets, key);
  const restored = await until('the Secret is back', () => world.client.tryGet(secrets, key));
  await world.client.patch(secrets, key, { type: 'merge', body: { data: { tenant: 'eA==' } } });
  await until('its value is right again', async () => {
    const now = (await world.get(secrets, 'app-tenant'))['data'] as Record<string, string>;
    return now['tenant'] === (restored['data'] as Record<string, string>)['tenant'];
  });
});

test('the api-version follows the version that the spec was applied under, and no edit under another', async () => {
  const older = { ...types.account, version: 'v1api20220901' };
  await world.apply(older, 'older', {
    location: 'westeurope',
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
    owner,
  });
  await untilReady(world, types.account, 'older');
  const sent = () => armRequests(world, 'PUT', /\/older$/).map(({ apiVersion }) => apiVersion);
  expect(sent()).toEqual(['2022-09-01']);
  await edit(types.account, { metadata: { labels: { team: 'shop' } }, spec: { tags: { team: 'shop', cost: '1' } } });
  await untilReady(world, types.account, 'older');
  const other = { ...types.account, version: 'v1api20210401' };
  await edit(other, { spec: { tags: { team: 'shop', cost: '2' } } });
  await untilReady(world, types.account, 'older');
  expect(sent()).toEqual(['2022-09-01', '2022-09-01', '2022-09-01']);
});

test('an owner whose 63rd character is no letter or digit labels its children with what is before it', async () => {
  const name = `${'o'.repeat(62)}--wner`;
  expect(name[62]).toBe('-');
  await world.apply(types.group, name, { location: 'westeurope', azureName: 'azmlong' });
  await world.apply(types.identity, 'child', { location: 'westeurope', owner: { name } });
  const child = await untilReady(world, types.identity, 'child');
  expect(child.metadata.labels).toMatchObject({ 'serviceoperator.azure.com/owner-name': 'o'.repeat(62) });
});

const edit = (type: ResourceType, body: object) =>
  world.client.patch(
    type,
    { namespace: 'default', name: 'older' },
    { type: 'merge', body },
    { fieldManager: 'kubectl-patch' },
  );
