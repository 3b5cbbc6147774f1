/** What an object of a namespace that is kept to one resource group cannot do with the operator's credential. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { annotations, finalizer } from '../../../runtime/arm-kinds/names.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { namespaces } from '../../conformance/resources.ts';
import { TestVault } from '../export/test-vault.ts';
import { armRequests, condition, secrets, startWorld, types, until, untilReady, type World } from '../support.ts';

const apiVersion = '2023-05-01';
const vaultVersion = '2024-11-01';
const team = 'team';
let world: World;
/** ARM ids of the group that the namespace has, and of one that it has not. */
let own: string;
let foreign: string;

beforeAll(async () => {
  world = await startWorld();
  const root = `/subscriptions/${world.azure.subscriptionId}/resourceGroups`;
  [own, foreign] = [`${root}/own`, `${root}/rg`];
  await world.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: team } });
  await world.startOperator({ AZURE_OPERATOR_CREDENTIAL_SCOPES: `${team}=${own};default=/` });
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await untilReady(world, types.group, 'rg');
  await world.apply(types.group, 'own', { location: 'westeurope' }, { namespace: team });
  await hasReason('own', 'Succeeded', types.group);
  await world.apply(types.account, 'theirs', account('rg'));
  await untilReady(world, types.account, 'theirs');
});
afterAll(() => world?.close());

const account = (owner: string, more: object = {}) => ({
  location: 'westeurope',
  kind: 'StorageV2',
  sku: { name: 'Standard_LRS' },
  owner: { name: owner },
  ...more,
});
const storage = (group: string, name: string) => `${group}/providers/Microsoft.Storage/storageAccounts/${name}`;
const vaultId = (group: string, name: string) => `${group}/providers/Microsoft.KeyVault/vaults/${name}`;

function hasReason(name: string, reason: string, type = types.account): Promise<KubeObject> {
  let last: KubeObject | undefined;
  return until(`${name} is ${reason}`, async () => {
    last = await world.client.tryGet(type, { namespace: team, name });
    const ready = condition(last);
    return ready?.reason === reason && ready.observedGeneration === last?.metadata.generation && last;
  }).catch((error: Error) => {
    throw new Error(`${error.message}; last: ${JSON.stringify(last?.['status']?.conditions)}`);
  });
}

test('the action of an ArmResource stays on its own resource', async () => {
  const there = `x/${'../'.repeat(6)}rg/providers/Microsoft.Storage/storageAccounts/theirs/listKeys`;
  await world.apply(
    types.armResource,
    'thief',
    {
      type: `Microsoft.Storage/storageAccounts@${apiVersion}`,
      owner: { armId: own },
      body: { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' } },
      operatorSpec: { secrets: [{ name: 'loot', key: 'key', action: there, path: 'keys[0].value' }] },
    },
    { namespace: team },
  );
  const refused = await until('it is refused', async () => {
    const ready = condition(await world.client.tryGet(types.armResource, { namespace: team, name: 'thief' }));
    return (ready?.message?.includes('../') || ready?.status === 'True') && ready;
  });
  expect(refused).toMatchObject({ status: 'False' });
  expect(armRequests(world, 'POST', /storageAccounts\/theirs\/listKeys/)).toEqual([]);
  expect(await world.client.tryGet(secrets, { namespace: team, name: 'loot' })).toBeUndefined();
});

test('a URL leads to no account of another namespace, and to an own one as soon as Azure has it', async () => {
  const disk = (name: string, account: string) =>
    world.apply(
      types.armResource,
      name,
      {
        type: 'Microsoft.Compute/disks@2024-03-02',
        owner: { armId: own },
        body: {
          location: 'westeurope',
          properties: {
            creationData: { createOption: 'Import', sourceUri: `https://${account}.blob.core.windows.net/x/a.vhd` },
          },
        },
      },
      { namespace: team },
    );
  await disk('copied', 'theirs');
  await disk('imported', 'later');
  const refused = await hasReason('copied', 'ScopeNotAllowed', types.armResource);
  expect(condition(refused)?.message).toMatch(/theirs\.blob\.core\.windows\.net leads to no resource/);
  await hasReason('imported', 'ScopeNotAllowed', types.armResource);
  await world.apply(types.account, 'later', account('own'), { namespace: team });
  await hasReason('later', 'Succeeded');
  await hasReason('imported', 'Succeeded', types.armResource);
  expect(armRequests(world, 'PUT', /disks\/copied/)).toEqual([]);
});

test('a journal that somebody wrote shows nothing of another resource', async () => {
  const arm = world.azure.endpoints.arm;
  for (const [name, operation] of Object.entries({
    resource: { kind: 'body', url: storage(foreign, 'theirs') },
    location: { kind: 'location', url: `${arm}${storage(foreign, 'theirs')}` },
  })) {
    const memo = {
      correlationId: 'x',
      operation: {
        ...operation,
        method: 'PUT',
        apiVersion,
        finalPath: storage(foreign, 'theirs'),
        resourcePath: storage(foreign, 'theirs'),
        startedAt: 0,
      },
    };
    const journal = JSON.stringify({ version: 1, goal: 'x', blocks: { submit: { state: 'Polling', memo } } });
    const spec = account('own', {
      operatorSpec: { configMapExpressions: [{ name: `of-${name}`, key: 'id', value: 'self.status.id' }] },
    });
    await world.apply(types.account, name, spec, {
      namespace: team,
      finalizers: [finalizer],
      annotations: {
        [annotations.resourceId]: storage(own, name),
        [annotations.credential]: 'global',
        [annotations.journal]: journal,
      },
    });
    const made = await hasReason(name, 'Succeeded');
    expect(made['status'].id).toBe(storage(own, name));
    const map = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
    expect((await world.client.get(map, { namespace: team, name: `of-${name}` }))['data']).toEqual({
      id: storage(own, name),
    });
  }
});

test('a deleted vault of somebody else is not purged', async () => {
  const { tenantId } = world.azure;
  const properties = { tenantId, sku: { family: 'A', name: 'standard' }, accessPolicies: [] };
  for (const name of ['aztheirs', 'azours']) {
    const id = vaultId(name === 'azours' ? own : foreign, name);
    await world.portal.arm('PUT', id, vaultVersion, { location: 'westeurope', properties });
    await world.portal.arm('DELETE', id, vaultVersion);
  }
  const wanted = {
    location: 'westeurope',
    owner: { name: 'own' },
    properties: { ...properties, createMode: 'purgeThenCreate' },
  };
  await world.apply(types.vault, 'aztheirs', wanted, { namespace: team });
  const refused = await hasReason('aztheirs', 'ScopeNotAllowed', types.vault);
  expect(condition(refused)?.message).toContain('What belongs to others may not be reached');
  expect(condition(refused)?.message).not.toContain(foreign);
  expect(armRequests(world, 'POST', /aztheirs\/purge/)).toEqual([]);
  await world.apply(types.vault, 'azours', wanted, { namespace: team });
  await hasReason('azours', 'Succeeded', types.vault);
  const recover = { ...wanted, properties: { ...properties, createMode: 'createOrRecover' } };
  await world.apply(types.vault, 'aztheirs', recover, { namespace: team });
  const named = await hasReason('aztheirs', 'ReconciliationFailedPermanently', types.vault);
  expect(condition(named)?.message).toContain('A deleted vault of this name was a vault of others');
  // A region becomes part of a path.
  const odd = { ...wanted, location: 'westeurope/deletedVaults/aztheirs/x/..' };
  await world.apply(types.vault, 'azodd', odd, { namespace: team });
  await hasReason('azodd', 'ReconciliationFailedPermanently', types.vault);
});

test('values go into a vault of the namespace’s own places only', async () => {
  const theirs = await TestVault.create(world, 'aztheirvault');
  const { tenantId, defaultApp } = world.azure;
  await world.apply(
    types.vault,
    'azownvault',
    {
      location: 'westeurope',
      owner: { name: 'own' },
      properties: { tenantId, sku: { family: 'A', name: 'standard' }, enableRbacAuthorization: true },
    },
    { namespace: team },
  );
  await hasReason('azownvault', 'Succeeded', types.vault);
  world.azure.assignRole(defaultApp.objectId, 'Key Vault Secrets Officer', vaultId(own, 'azownvault'));
  const into = (keyVault: object) => account('own', { operatorSpec: { keyVault: { name: 'loot', ...keyVault } } });
  const apply = (name: string, keyVault: object) =>
    world.apply(types.account, name, into(keyVault), { namespace: team });

  await apply('byname', { vault: 'aztheirvault' });
  await apply('byurl', { vault: `https://aztheirvault.${world.azure.endpoints.vaultSuffix}` });
  // The id lies in the namespace's group; the name in it is another's.
  await apply('byid', { vaultReference: { armId: vaultId(own, 'aztheirvault') } });
  await apply('honest', {
    vaultReference: { group: 'keyvault.azure.com', kind: 'Vault', name: 'azownvault' },
  });
  for (const name of ['byname', 'byurl']) await hasReason(name, 'ScopeNotAllowed');
  expect(condition(await hasReason('byid', 'Failed'))?.message).toContain('Azure has no vault');
  // What a proxy answers in place of Azure is no vault.
  const path = 'vaults/aztheirvault\\?';
  world.azure.faults.add({ service: 'arm', method: 'GET', path, status: 200, times: 0, body: {} });
  await apply('proxied', { vaultReference: { armId: vaultId(own, 'aztheirvault') } });
  expect(condition(await hasReason('proxied', 'Failed'))?.message).toContain('was answered with 200');
  world.azure.faults.clear();
  await hasReason('honest', 'Succeeded');
  expect(await theirs.names()).toEqual([]);
  const written = world.azure.journal.entries({ service: 'vault', method: 'PUT' });
  expect(written.map(({ host }) => host.split('.')[0])).toEqual(['azownvault']);
});
