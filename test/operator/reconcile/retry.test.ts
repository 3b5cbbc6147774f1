import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { armRequests, condition, startWorldWithGroup, types, until, untilReady, type World } from '../support.ts';

let world: World;

beforeAll(async () => {
  world = await startWorldWithGroup();
});
afterAll(() => world?.close());
afterEach(() => world.azure.faults.clear());

const account = { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner: { name: 'rg' } };
const puts = (name: string) => armRequests(world, 'PUT', new RegExp(`storageAccounts/${name}$`));
const refuse = (name: string, times = 1) =>
  world.azure.faults.add({
    method: 'PUT',
    path: `storageAccounts/${name}`,
    status: 400,
    times,
    body: { error: { code: 'LocationRequired', message: 'a location, please' } },
  });

test('a resource that is broken after a PUT that Azure accepted is sent again by itself', async () => {
  const spec = { location: 'westeurope', owner: { name: 'rg' } };
  const id = `/subscriptions/${world.azure.subscriptionId}/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/broken`;
  world.azure.faults.add({
    method: 'GET',
    path: 'userAssignedIdentities/broken\\?',
    skip: 1,
    times: 0,
    status: 200,
    body: { id, name: 'broken', location: 'westeurope', properties: { provisioningState: 'Failed' } },
  });
  await world.apply(types.identity, 'broken', spec);
  const warned = await untilReady(world, types.identity, 'broken', 'Failed');
  expect(condition(warned)).toMatchObject({ severity: 'Warning' });
  expect(condition(warned)?.message).toMatch(/shows the state Failed after the PUT. It is tried again/);
  const puts = () => armRequests(world, 'PUT', /userAssignedIdentities\/broken$/);
  await until('it is sent again', async () => puts().length === 2);
  world.azure.faults.clear();
  await untilReady(world, types.identity, 'broken');
  expect(puts()).toHaveLength(2);
});

test('what failed for good is tried again when azimuth.dev/retry gets another value, and not before', async () => {
  refuse('asked');
  await world.apply(types.account, 'asked', account);
  const failed = await untilReady(world, types.account, 'asked', 'LocationRequired');
  expect(condition(failed)).toMatchObject({ severity: 'Error' });
  expect(condition(failed)?.message).toContain('azimuth.dev/retry');
  await world.apply(types.account, 'asked', account, { labels: { no: 'reason' } });
  await world.apply(types.account, 'asked', account, { annotations: { 'azimuth.dev/retry': '1' } });
  await untilReady(world, types.account, 'asked');
  expect(puts('asked')).toHaveLength(2);
  // On one that is well it does nothing.
  await world.apply(types.account, 'asked', account, { annotations: { 'azimuth.dev/retry': '2' } });
  await world.apply(types.account, 'after', account);
  await untilReady(world, types.account, 'after');
  expect(puts('asked')).toHaveLength(2);
});

test('what failed for good is tried once by each process, and once more only', async () => {
  refuse('restarted', 2);
  await world.apply(types.account, 'restarted', account);
  await untilReady(world, types.account, 'restarted', 'LocationRequired');
  expect(puts('restarted')).toHaveLength(1);
  const second = await world.startOperator();
  await until('the restart tried it', async () => puts('restarted').length === 2);
  await untilReady(world, types.account, 'restarted', 'LocationRequired');
  await second.stop();
  const third = await world.startOperator();
  await untilReady(world, types.account, 'restarted');
  await third.stop();
  expect(puts('restarted')).toHaveLength(3);
});
