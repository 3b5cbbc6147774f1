import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ManualClock } from '../../../runtime/base/clock.ts';
import { type SteadyWorld, startSteadyWorld, step, stopOn } from '../steady-hour.ts';
import { armRequests, condition, type RunningOperator, secrets, types } from '../support.ts';

const minuteMs = 60_000;
const syncPeriodMs = 60 * minuteMs;
const names = Array.from({ length: 20 }, (_, index) => `azmrest${index}`);
const location = 'westeurope';
const inside = { location, owner: { name: 'rg' } };
const sku = { name: 'Standard_LRS' };
const exporting = {
  ...inside,
  kind: 'StorageV2',
  sku,
  operatorSpec: { secrets: { key1: { name: 'keys', key: 'key' } } },
};

let world: SteadyWorld;
let clock: ManualClock;
let operator: RunningOperator;

async function pass(ms: number): Promise<void> {
  for (const end = clock.now() + ms; clock.now() < end; ) await step(clock, operator);
}

const countRead = () => names.filter((name) => armRequests(world, 'GET', new RegExp(`/${name}$`)).length > 0).length;
const isReady = async (name: string) => condition(await world.get(types.identity, name))?.status === 'True';

beforeAll(async () => {
  world = await startSteadyWorld();
  clock = world.clock;
  operator = await world.startOperator({}, { clock, syncPeriodMs });
  await world.apply(types.group, 'rg', { location });
  for (const name of names) await world.apply(types.identity, name, inside);
  await world.apply(types.account, 'azmrestkeys', exporting);
  for (let ready = false; !ready; ) {
    await pass(5000);
    const all = await Promise.all(names.map(isReady));
    ready = all.every(Boolean) && condition(await world.get(types.account, 'azmrestkeys'))?.status === 'True';
  }
  await stopOn(clock, operator);
  // While nobody watches: one is changed, what another exported is gone, and a third is deleted in Azure.
  await world.apply(types.identity, 'azmrest0', { ...inside, tags: { now: 'changed' } });
  await world.client.delete(secrets, { namespace: 'default', name: 'keys' });
  const { id } = (await world.get(types.identity, 'azmrest1'))['status'] as { id: string };
  expect((await world.portal.arm('DELETE', id, '2023-01-31')).status).toBeLessThan(300);
  world.azure.journal.clear();
  operator = await world.startOperator({}, { clock, syncPeriodMs });
}, 240_000);
afterAll(async () => {
  await stopOn(clock, operator);
  await world?.close();
});

test('after a restart changes are applied at once, and resources in sync are read within the sync period', async () => {
  await pass(minuteMs);
  expect(armRequests(world, 'PUT', /azmrest0$/)).toHaveLength(1);
  expect(await world.client.tryGet(secrets, { namespace: 'default', name: 'keys' })).toBeDefined();
  // One is the changed one; of the others 1 in 60 is expected, and more than half a chance of one in 10^14.
  expect(countRead()).toBeLessThanOrEqual(names.length / 2);
  await pass(syncPeriodMs);
  expect(countRead()).toBe(names.length);
  expect(armRequests(world, 'PUT', /azmrest1$/)).toHaveLength(1);
  expect(armRequests(world, 'PUT', /azmrest/).length).toBe(2);
}, 240_000);
