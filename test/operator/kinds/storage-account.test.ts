import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  armRequests,
  condition,
  events,
  gone,
  secrets,
  startWorld,
  types,
  until,
  untilReady,
  type World,
} from '../support.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
  await world.startOperator();
});
afterAll(() => world?.close());

const account = {
  location: 'West Europe',
  kind: 'StorageV2',
  sku: { name: 'Standard_LRS' },
  owner: { name: 'rg' },
  minimumTlsVersion: 'TLS1_2',
  tags: { team: 'one' },
  operatorSpec: { secrets: { key1: { name: 'keys', key: 'first' }, blobEndpoint: { name: 'keys', key: 'blob' } } },
};
const accountPath = /storageAccounts\/acc1$/;

test('an account waits for its group, is created once, and its key lies in a Secret', async () => {
  await world.apply(types.account, 'acc1', account);
  const waiting = await untilReady(world, types.account, 'acc1', 'WaitingForOwner');
  expect(condition(waiting)).toMatchObject({ status: 'False', severity: 'Warning' });
  expect(armRequests(world, 'PUT', accountPath)).toEqual([]);

  await world.apply(types.group, 'rg', { location: 'westeurope' });
  const ready = await untilReady(world, types.account, 'acc1');
  expect(ready.metadata.finalizers).toEqual(['serviceoperator.azure.com/finalizer']);
  const id = `/subscriptions/${world.azure.subscriptionId}/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/acc1`;
  expect(ready.metadata.annotations?.['serviceoperator.azure.com/resource-id']).toBe(id);
  expect(ready.metadata.annotations?.['azimuth.dev/journal']).toBeUndefined();
  expect(ready['status']).toMatchObject({ id, provisioningState: 'Succeeded', observedGeneration: 1 });
  expect(armRequests(world, 'PUT', accountPath)).toHaveLength(1);
  expect(armRequests(world, 'POST', /acc1\/listKeys$/)).toHaveLength(1);

  const secret = await world.get(secrets, 'keys');
  expect(Object.keys(secret['data'] as object).sort()).toEqual(['blob', 'first']);
  expect(secret.metadata.ownerReferences).toMatchObject([{ kind: 'StorageAccount', name: 'acc1' }]);
});

test('a resource in sync costs no write: an event that changes nothing sends no PUT', async () => {
  const puts = armRequests(world, 'PUT', /./).length;
  const before = await world.get(types.account, 'acc1');
  // A new operator reads everything once.
  const second = await world.startOperator();
  const reads = armRequests(world, 'GET', accountPath).length;
  await until('the new operator has read it', async () => armRequests(world, 'GET', accountPath).length > reads);
  await until('it has read the keys', async () => armRequests(world, 'POST', /acc1\/listKeys$/).length > 1);
  await second.stop();
  expect(armRequests(world, 'PUT', /./)).toHaveLength(puts);
  expect((await world.get(types.account, 'acc1')).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
});

test('a change of the spec is one PUT more', async () => {
  await world.apply(types.account, 'acc1', { ...account, tags: { team: 'two' } });
  const changed = await untilReady(world, types.account, 'acc1');
  expect(changed['status'].tags).toEqual({ team: 'two' });
  expect(changed.metadata.generation).toBe(2);
  expect(armRequests(world, 'PUT', accountPath)).toHaveLength(2);
});

test('the next reconcile repairs a change that somebody made in Azure', async () => {
  const id = (await world.get(types.account, 'acc1'))['status'].id as string;
  expect((await world.portal.arm('PATCH', id, '2023-01-01', { tags: { team: 'intruder' } })).status).toBe(200);
  const second = await world.startOperator();
  const puts = await until('a PUT restores the tags', async () => {
    const found = armRequests(world, 'PUT', accountPath);
    return found.length > 2 && found;
  });
  await second.stop();
  expect(puts.length).toBe(3);
});

test('with a sync period, drift is found without a restart, and reads alone lead to no write', async () => {
  const puts = () => armRequests(world, 'PUT', accountPath).length;
  const before = puts();
  const periodic = await world.startOperator({}, { syncPeriodMs: 200 });
  const reads = armRequests(world, 'GET', accountPath).length;
  await until('several reads', async () => armRequests(world, 'GET', accountPath).length > reads + 3);
  expect(puts()).toBe(before);
  const id = (await world.get(types.account, 'acc1'))['status'].id as string;
  await world.portal.arm('PATCH', id, '2023-01-01', { tags: { team: 'again' } });
  await until('the tags are restored', async () => puts() === before + 1);
  await periodic.stop();
});

test('deleting the object deletes the account, and every write had a token of its own', async () => {
  await world.client.delete(types.account, { namespace: 'default', name: 'acc1' });
  await gone(world, types.account, 'acc1');
  expect(armRequests(world, 'DELETE', accountPath)).toHaveLength(1);
  expect(world.azure.journal.reusedTokens()).toEqual([]);
  const expected = ['BeginCreateOrUpdate', 'CreateOrUpdateSucceeded', 'BeginDelete', 'DeleteSucceeded'];
  // Events are written beside the work.
  await until(`there are the events ${expected.join(', ')}`, async () => {
    const reasons = new Set((await world.client.list(events)).items.map((event) => event['reason']));
    return expected.every((reason) => reasons.has(reason));
  });
});
