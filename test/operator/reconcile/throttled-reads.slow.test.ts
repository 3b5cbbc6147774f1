import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ArmClient, ArmRequest } from '../../../runtime/azure/types.ts';
import { armRequests, condition, startWorld, types, until, untilReady, type World } from '../support.ts';

const syncPeriodMs = 400;
let world: World;
/** Requests of the operator, oldest first. */
const sent: ArmRequest[] = [];

function recorded(arm: ArmClient): ArmClient {
  return {
    admit: (request) => arm.admit(request),
    send: (request) => {
      sent.push(request);
      return arm.send(request);
    },
    operationOf: (...args) => arm.operationOf(...args),
    poll: (...args) => arm.poll(...args),
    close: () => arm.close(),
  };
}

beforeAll(async () => {
  world = await startWorld();
  await world.startOperator({}, { syncPeriodMs, wrapArm: recorded });
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await untilReady(world, types.group, 'rg');
});
afterAll(() => world?.close());

const path = /resourceGroups\/rg$/;
const reads = () => armRequests(world, 'GET', path);
const throttle = () =>
  world.azure.faults.add({
    path: 'resourceGroups/rg\\?',
    status: 429,
    headers: { 'retry-after': '0' },
    body: { error: { code: 'SubscriptionRequestsThrottled', message: 'too many reads' } },
    times: 0,
  });

test('a GET that Azure throttles changes nothing in an object that is Ready, and is retried', async () => {
  await until('nothing is left to write', async () => reads().length > 2);
  const { metadata } = await world.get(types.group, 'rg');
  const refused = () => reads().filter(({ status }) => status === 429).length;
  throttle();
  await until('several reads were throttled', async () => refused() >= 4);
  expect((await world.get(types.group, 'rg')).metadata.resourceVersion).toBe(metadata.resourceVersion);
  world.azure.faults.clear();
  const before = reads().length;
  await until('it is read as before', async () => reads().length > before + 2);
  const after = await world.get(types.group, 'rg');
  expect(after.metadata.resourceVersion).toBe(metadata.resourceVersion);
  expect(condition(after)).toMatchObject({ status: 'True', reason: 'Succeeded' });
});

test('the condition reports a change that Azure throttles', async () => {
  throttle();
  await world.apply(types.group, 'rg', { location: 'westeurope', tags: { now: 'changed' } });
  const warned = await untilReady(world, types.group, 'rg', 'SubscriptionRequestsThrottled');
  expect(condition(warned)).toMatchObject({ status: 'False', severity: 'Warning' });
  world.azure.faults.clear();
  await untilReady(world, types.group, 'rg');
});

test('only reads of resources in sync let other requests go first', async () => {
  const own = () => sent.filter(({ path }) => /resourceGroups\/own$/.test(path));
  await world.apply(types.group, 'own', { location: 'westeurope' });
  await untilReady(world, types.group, 'own');
  await until('it is read', async () => own().some(({ background }) => background));
  const made = own().findIndex(({ method }) => method === 'PUT');
  expect(
    own()
      .slice(0, made)
      .map(({ background = false }) => background),
  ).not.toContain(true);
  await world.apply(types.group, 'own', { location: 'westeurope', tags: { now: 'changed' } });
  await until('the change is sent', async () => own().filter(({ method }) => method === 'PUT').length === 2);
  const changed = own().findLastIndex(({ method }) => method === 'PUT');
  expect(own().slice(changed - 1, changed + 1)).toMatchObject([{ method: 'GET' }, { method: 'PUT' }]);
  expect(own()[changed - 1]).not.toHaveProperty('background');
  expect(own()[changed]).not.toHaveProperty('background');
});
