/** What may keep a finalizer on an object: each says what it waits for, and ends by itself or by detach-on-delete. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Condition } from '../../../runtime/api/common-schemas.ts';
import { annotations } from '../../../runtime/arm-kinds/names.ts';
import {
  armRequests,
  condition,
  gone,
  type RunningOperator,
  secrets,
  startWorld,
  types,
  until,
  untilReady,
  type World,
} from '../support.ts';

let world: World;
let operator: RunningOperator;
let root: string;

beforeAll(async () => {
  world = await startWorld();
  root = `/subscriptions/${world.azure.subscriptionId}/resourceGroups`;
  operator = await world.startOperator();
});
afterEach(() => world.azure.faults.clear());
afterAll(() => world?.close());

const annotate = (type: (typeof types)['group'], name: string, own: Record<string, string | null>) =>
  world.client.patch(type, { namespace: 'default', name }, { type: 'merge', body: { metadata: { annotations: own } } });
const remove = (type: (typeof types)['group'], name: string) =>
  world.client.delete(type, { namespace: 'default', name }, { propagationPolicy: 'Background' });
const inAzure = async (name: string) => (await world.portal.arm('GET', `${root}/${name}`, '2021-04-01')).status === 200;
const detach = { [annotations.reconcilePolicy]: 'detach-on-delete' };

async function group(name: string, metadata: object = {}): Promise<void> {
  await world.apply(types.group, name, { location: 'westeurope' }, metadata);
  await untilReady(world, types.group, name);
}

/** The condition of an object that is being deleted and says why it is not gone. */
function stuck(name: string): Promise<Condition> {
  return until(`${name} says why it stays`, async () => {
    const found = await world.client.tryGet(types.group, { namespace: 'default', name });
    const ready = condition(found);
    return (found?.metadata.deletionTimestamp && ready?.severity === 'Warning' && (ready as Condition)) || undefined;
  });
}

test('a credential that is no good is named, nothing is deleted with another, and detach-on-delete lets the object go', async () => {
  const { subscriptionId, tenantId, defaultApp } = world.azure;
  const credential = (secret: string) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'default', name: 'spoilt' },
    stringData: {
      AZURE_SUBSCRIPTION_ID: subscriptionId,
      AZURE_TENANT_ID: tenantId,
      AZURE_CLIENT_ID: defaultApp.clientId,
      AZURE_CLIENT_SECRET: secret,
    },
  });
  const options = { fieldManager: 'test', force: true };
  await world.client.apply(secrets, credential(defaultApp.secret), options);
  await group('spoilt', { annotations: { [annotations.credentialFrom]: 'spoilt' } });
  await world.client.apply(secrets, credential('wrong'), options);
  await remove(types.group, 'spoilt');
  expect(await stuck('spoilt')).toMatchObject({
    reason: 'AuthenticationFailed',
    message: expect.stringContaining('tried again'),
  });
  expect(armRequests(world, 'DELETE', /spoilt/)).toEqual([]);
  await annotate(types.group, 'spoilt', detach);
  await gone(world, types.group, 'spoilt');
  expect(await inAzure('spoilt')).toBe(true);
});

test('a missing subscription is no missing resource: it is reported and retried, and detach-on-delete removes the finalizer', async () => {
  await group('moved');
  const error = { code: 'SubscriptionNotFound', message: 'The subscription could not be found.' };
  world.azure.faults.add({ path: 'resourceGroups/moved', times: 0, status: 404, body: { error } });
  await remove(types.group, 'moved');
  expect(await stuck('moved')).toMatchObject({ reason: 'SubscriptionNotFound' });
  await annotate(types.group, 'moved', detach);
  await gone(world, types.group, 'moved');
});

test('a DELETE that Azure refuses with 400 is tried again soon, and then accepted', async () => {
  await group('refused');
  const error = { code: 'BadRequest', message: 'The resource is busy with another change.' };
  world.azure.faults.add({ method: 'DELETE', path: 'resourceGroups/refused', times: 2, status: 400, body: { error } });
  await remove(types.group, 'refused');
  expect(await stuck('refused')).toMatchObject({
    reason: 'BadRequest',
    message: expect.stringContaining('tried again'),
  });
  await gone(world, types.group, 'refused');
  expect(armRequests(world, 'DELETE', /refused/)).toHaveLength(3);
});

test('a lock is reported with the message of Azure, and the resource is deleted as soon as the lock is gone', async () => {
  await group('locked');
  const error = { code: 'ScopeLocked', message: 'The scope cannot be deleted as it is locked.' };
  const lock = { method: 'DELETE', path: 'resourceGroups/locked', times: 0, status: 409, body: { error } } as const;
  world.azure.faults.add({ ...lock, headers: { 'retry-after': '1' } });
  await remove(types.group, 'locked');
  const condition = await stuck('locked');
  expect(condition).toMatchObject({ reason: 'ScopeLocked', message: expect.stringContaining('locked') });
  expect(await inAzure('locked')).toBe(true);
  world.azure.faults.clear();
  await gone(world, types.group, 'locked');
  expect(await inAzure('locked')).toBe(false);
});

test('a provider that the subscription does not have any more is registered again for the deletion', async () => {
  await group('unregistered');
  const error = {
    code: 'MissingSubscriptionRegistration',
    message: "The subscription is not registered to use namespace 'Microsoft.Storage'.",
    details: [{ code: 'MissingSubscriptionRegistration', target: 'Microsoft.Storage', message: 'x' }],
  };
  world.azure.faults.add({
    method: 'GET',
    path: 'resourceGroups/unregistered',
    times: 1,
    status: 409,
    body: { error },
  });
  const before = armRequests(world, 'POST', /Microsoft.Storage\/register/).length;
  await remove(types.group, 'unregistered');
  await gone(world, types.group, 'unregistered');
  expect(armRequests(world, 'POST', /Microsoft.Storage\/register/).length).toBe(before + 1);
  expect(await inAzure('unregistered')).toBe(false);
});

test('a resource whose owner somebody deleted in Azure is gone: its object goes without a DELETE', async () => {
  await group('bygone');
  await world.apply(types.account, 'azbygone', {
    location: 'westeurope',
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
    owner: { name: 'bygone' },
  });
  await untilReady(world, types.account, 'azbygone');
  await world.portal.arm('DELETE', `${root}/bygone`, '2021-04-01');
  await until('Azure has no such group', async () => !(await inAzure('bygone')));
  await remove(types.account, 'azbygone');
  await gone(world, types.account, 'azbygone');
  expect(armRequests(world, 'DELETE', /azbygone/)).toEqual([]);
});

test('a journal that somebody wrote is no reason to stay, nor to leave anything in Azure', async () => {
  const journal = '{"version":1,"goal":"x","blocks":{"delete":{"state":"Polling"}}}';
  await group('garbled');
  await operator.stop();
  await annotate(types.group, 'garbled', { [annotations.journal]: journal, [annotations.applied]: 'garbled too' });
  await remove(types.group, 'garbled');
  operator = await world.startOperator();
  await gone(world, types.group, 'garbled');
  expect(await inAzure('garbled')).toBe(false);
});

test('an object that came to another owner before Azure had it belongs to that one alone, and is deleted in Azure for itself', async () => {
  await group('first');
  await group('second');
  const account = { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' } };
  const key = { namespace: 'default', name: 'wanderer' };
  const ownersOf = async () =>
    (await world.get(types.account, 'wanderer')).metadata.ownerReferences?.map((each) => each.name);
  const error = { code: 'AccountNameInvalid', message: 'No.' };
  world.azure.faults.add({ method: 'PUT', path: '/wanderer', times: 0, status: 400, body: { error }, id: 'refused' });
  await world.apply(types.account, 'wanderer', { ...account, owner: { name: 'first' } });
  await untilReady(world, types.account, 'wanderer', 'AccountNameInvalid');
  expect(await ownersOf()).toEqual(['first']);
  await world.apply(types.account, 'wanderer', {
    ...account,
    owner: { armId: `${root}/first` },
  });
  await until('it has no owner in the cluster', async () => (await ownersOf())?.length === 0 || !(await ownersOf()));
  await world.apply(types.account, 'wanderer', { ...account, azureName: 'azwanderer', owner: { name: 'second' } });
  await untilReady(world, types.account, 'wanderer');
  expect(await ownersOf()).toEqual(['second']);
  await remove(types.group, 'first');
  await gone(world, types.group, 'first');
  await world.client.delete(types.account, key, { propagationPolicy: 'Background' });
  await gone(world, types.account, 'wanderer');
  expect(armRequests(world, 'DELETE', /azwanderer/)).toHaveLength(1);
});
