import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { armRequests, condition, gone, secrets, startWorld, types, until, untilReady, type World } from '../support.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
  await world.startOperator();
});
afterAll(() => world?.close());

const account = (owner: string) => ({
  location: 'westeurope',
  kind: 'StorageV2',
  sku: { name: 'Standard_LRS' },
  owner: { name: owner },
});
const remove = (type: (typeof types)['group'], name: string) =>
  world.client.delete(type, { namespace: 'default', name }, { propagationPolicy: 'Background' });
const deletes = (path: RegExp) => armRequests(world, 'DELETE', path);
const inAzure = async (path: string, version: string) =>
  (await world.portal.arm('GET', `/subscriptions/${world.azure.subscriptionId}/resourceGroups/${path}`, version))
    .status === 200;
const policy = (value: string) => ({ annotations: { 'serviceoperator.azure.com/reconcile-policy': value } });

async function pair(group: string, child: string, metadata: object = {}) {
  await world.apply(types.group, group, { location: 'westeurope' }, metadata);
  await world.apply(types.account, child, account(group));
  await untilReady(world, types.group, group);
  await untilReady(world, types.account, child);
}

test('deleting a group is one DELETE: what lies in it needs none, whoever deletes the objects', async () => {
  await pair('rga', 'childa');
  await remove(types.group, 'rga');
  await gone(world, types.group, 'rga');
  await gone(world, types.account, 'childa');
  expect(deletes(/\/resourceGroups\/rga$/)).toHaveLength(1);
  expect(deletes(/childa/)).toEqual([]);
  expect(await inAzure('rga', '2021-04-01')).toBe(false);
});

test('a child that is only taken along by the garbage collector is not deleted in Azure', async () => {
  await pair('rgb', 'childb', policy('detach-on-delete'));
  await remove(types.group, 'rgb');
  await gone(world, types.group, 'rgb');
  await gone(world, types.account, 'childb');
  expect(deletes(/rgb/)).toEqual([]);
  expect(await inAzure('rgb/providers/Microsoft.Storage/storageAccounts/childb', '2023-01-01')).toBe(true);
});

test('a child that is deleted itself is deleted in Azure, even when its owner is detached at the same time', async () => {
  await pair('rgc', 'childc', policy('detach-on-delete'));
  world.azure.settings.operationMs = 300;
  await remove(types.account, 'childc');
  await remove(types.group, 'rgc');
  await gone(world, types.account, 'childc');
  await gone(world, types.group, 'rgc');
  world.azure.settings.operationMs = 50;
  expect(deletes(/childc$/)).toHaveLength(1);
  expect(await inAzure('rgc', '2021-04-01')).toBe(true);
});

test('an object that never came to be in Azure can always be deleted, without a request', async () => {
  await world.apply(types.account, 'orphan', account('nowhere'));
  await untilReady(world, types.account, 'orphan', 'WaitingForOwner');
  await remove(types.account, 'orphan');
  await gone(world, types.account, 'orphan');
  expect(world.azure.journal.entries({ service: 'arm', path: /orphan/ })).toEqual([]);
});

test('what is new and gone from Azure is deleted all the same, and a refused delete is tried until it works', async () => {
  await pair('rgd', 'childd');
  const id = `/subscriptions/${world.azure.subscriptionId}/resourceGroups/rgd/providers/Microsoft.Storage/storageAccounts/childd`;
  await world.portal.arm('DELETE', id, '2023-01-01');
  await remove(types.account, 'childd');
  await gone(world, types.account, 'childd');
  expect(deletes(/childd$/).map(({ status }) => status)).toEqual([200, 204]);

  world.azure.faults.add({
    method: 'DELETE',
    path: 'resourceGroups/rgd',
    status: 409,
    body: { error: { code: 'ScopeLocked', message: 'locked' } },
    times: 1,
    headers: { 'retry-after': '1' },
  });
  await remove(types.group, 'rgd');
  const warned = await until('a warning', async () => {
    const found = await world.client.tryGet(types.group, { namespace: 'default', name: 'rgd' });
    return condition(found)?.severity === 'Warning' && condition(found);
  });
  expect(warned?.reason).toBe('ScopeLocked');
  await gone(world, types.group, 'rgd');
});

test('under the policy skip nothing is written: what is missing is a warning, what is there is shown', async () => {
  await world.apply(types.group, 'rge', { location: 'westeurope' }, policy('skip'));
  const missing = await untilReady(world, types.group, 'rge', 'AzureResourceNotFound');
  expect(condition(missing)?.severity).toBe('Warning');
  const id = `/subscriptions/${world.azure.subscriptionId}/resourceGroups/rge`;
  await world.portal.arm('PUT', id, '2021-04-01', { location: 'northeurope' });
  const shown = await untilReady(world, types.group, 'rge');
  expect(shown['status'].location).toBe('northeurope');
  await remove(types.group, 'rge');
  await gone(world, types.group, 'rge');
  expect(await inAzure('rge', '2021-04-01')).toBe(true);
});

test.each([
  ['is tried again later', 'rgx', { code: 'InvalidResourceGroupLocation', message: 'It lies in northeurope.' }],
  ['is final', 'rgy', { code: 'LocationRequired', message: 'No.' }],
])(
  'what was there before, and Azure would not let an object change, is not deleted with it: a refusal that %s',
  async (_, name, error) => {
    const id = `/subscriptions/${world.azure.subscriptionId}/resourceGroups/${name}`;
    await world.portal.arm('PUT', id, '2021-04-01', { location: 'northeurope' });
    world.azure.faults.add({ method: 'PUT', path: `/${name}`, times: 0, status: 400, body: { error }, id: name });
    await world.apply(types.group, name, { location: 'northeurope', tags: { by: 'mistake' } });
    await untilReady(world, types.group, name, error.code);
    await remove(types.group, name);
    await gone(world, types.group, name);
    world.azure.faults.remove(name);
    expect(deletes(new RegExp(`/${name}$`))).toEqual([]);
    expect(await inAzure(name, '2021-04-01')).toBe(true);
  },
);

test('what a PUT without an answer may have made is deleted with the object, although the next PUT was refused', async () => {
  world.azure.faults.add({ method: 'PUT', path: '/rgz', connection: 'dropAfter' });
  world.azure.faults.add({
    method: 'GET',
    path: '/rgz',
    times: 1,
    skip: 1,
    status: 404,
    body: { error: { code: 'ResourceNotFound', message: 'Not shown yet' } },
  });
  world.azure.faults.add({
    method: 'PUT',
    path: '/rgz',
    times: 0,
    status: 400,
    body: { error: { code: 'LocationRequired', message: 'No.' } },
    id: 'rgz',
  });
  await world.apply(types.group, 'rgz', { location: 'westeurope' });
  await untilReady(world, types.group, 'rgz', 'LocationRequired');
  await remove(types.group, 'rgz');
  await gone(world, types.group, 'rgz');
  world.azure.faults.clear();
  expect(await inAzure('rgz', '2021-04-01')).toBe(false);
});

test('an object that detaches its resource needs no credential, not even while an operation of Azure runs', async () => {
  const { subscriptionId, tenantId, defaultApp } = world.azure;
  const data = (secret: Record<string, string>) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'default', name: 'lost' },
    stringData: { AZURE_SUBSCRIPTION_ID: subscriptionId, AZURE_CLIENT_ID: defaultApp.clientId, ...secret },
  });
  const options = { fieldManager: 'test', force: true };
  const whole = data({ AZURE_TENANT_ID: tenantId, AZURE_CLIENT_SECRET: defaultApp.secret });
  await world.client.apply(secrets, whole, options);
  await world.apply(types.group, 'rgw', { location: 'westeurope' });
  await untilReady(world, types.group, 'rgw');
  world.azure.settings.operationMs = 600_000;
  const credential = { 'serviceoperator.azure.com/credential-from': 'lost' };
  await world.apply(types.account, 'working', account('rgw'), { annotations: credential });
  await until('Azure works on it', async () =>
    (await world.get(types.account, 'working')).metadata.annotations?.['azimuth.dev/journal']?.includes('Polling'),
  );
  world.azure.settings.operationMs = 50;
  await world.client.apply(secrets, data({ AZURE_TENANT_ID: '' }), options);
  const detach = { ...credential, ...policy('detach-on-delete').annotations };
  await world.apply(types.account, 'working', account('rgw'), { annotations: detach });
  await remove(types.account, 'working');
  await gone(world, types.account, 'working');
  expect(deletes(/working$/)).toEqual([]);
});

test('an object whose owner goes while Azure still deletes its resource goes at once', async () => {
  const network = resourceOf(kindOf('network.azure.com', 'VirtualNetwork'));
  const addressSpace = { addressPrefixes: ['10.0.0.0/16'] };
  await world.apply(types.group, 'rgv', { location: 'westeurope' });
  await world.apply(network, 'lasting', { location: 'westeurope', owner: { name: 'rgv' }, addressSpace });
  await untilReady(world, network, 'lasting');
  world.azure.settings.operationMs = 600_000;
  await remove(network, 'lasting');
  await until('Azure deletes it', async () =>
    (await world.get(network, 'lasting')).metadata.annotations?.['azimuth.dev/journal']?.includes('"delete"'),
  );
  world.azure.settings.operationMs = 50;
  await remove(types.group, 'rgv');
  await gone(world, types.group, 'rgv');
  await gone(world, network, 'lasting');
  expect(await inAzure('rgv', '2021-04-01')).toBe(false);
});

test('of two objects with one ARM id the older manages it, the other waits and says why', async () => {
  await world.apply(types.group, 'first', { location: 'westeurope', azureName: 'shared' });
  await untilReady(world, types.group, 'first');
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await world.apply(types.group, 'second', { location: 'northeurope', azureName: 'shared' });
  const blocked = await untilReady(world, types.group, 'second', 'ReconciliationBlocked');
  expect(condition(blocked)?.message).toContain('ResourceGroup default/first');
  expect(armRequests(world, 'PUT', /resourceGroups\/shared$/)).toHaveLength(1);
  await remove(types.group, 'second');
  await gone(world, types.group, 'second');
  expect(deletes(/shared$/)).toEqual([]);
});
