import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { armRequests, condition, settled, startWorld, types, until, type World } from './support.ts';

const syncPeriodMs = 400;
let world: World;

beforeAll(async () => {
  world = await startWorld();
  await world.startOperator({}, { syncPeriodMs });
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await settled(world, types.group, 'rg');
}, 60_000);
afterAll(() => world?.close(), 60_000);

const path = /resourceGroups\/rg$/;
const looks = () => armRequests(world, 'GET', path);
const throttle = () =>
  world.azure.faults.add({
    path: 'resourceGroups/rg\\?',
    status: 429,
    headers: { 'retry-after': '0' },
    body: { error: { code: 'SubscriptionRequestsThrottled', message: 'too many reads' } },
    times: 0,
  });

test('a look that Azure throttles changes nothing in an object that is Ready, and is taken again', async () => {
  await until('nothing is left to write', async () => looks().length > 2);
  const { metadata } = await world.get(types.group, 'rg');
  const refused = () => looks().filter(({ status }) => status === 429).length;
  throttle();
  await until('several looks were throttled', async () => refused() >= 4);
  expect((await world.get(types.group, 'rg')).metadata.resourceVersion).toBe(metadata.resourceVersion);
  world.azure.faults.clear();
  const before = looks().length;
  await until('it is looked at as before', async () => looks().length > before + 2);
  const after = await world.get(types.group, 'rg');
  expect(after.metadata.resourceVersion).toBe(metadata.resourceVersion);
  expect(condition(after)).toMatchObject({ status: 'True', reason: 'Succeeded' });
}, 90_000);

test('a change that Azure throttles is told in the condition', async () => {
  throttle();
  await world.apply(types.group, 'rg', { location: 'westeurope', tags: { now: 'changed' } });
  const warned = await settled(world, types.group, 'rg', 'SubscriptionRequestsThrottled');
  expect(condition(warned)).toMatchObject({ status: 'False', severity: 'Warning' });
  world.azure.faults.clear();
  await settled(world, types.group, 'rg');
}, 90_000);
