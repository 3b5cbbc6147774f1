import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { overflows } from './buckets.ts';
import { conditionOf, MachineWorld, setSpec, setType } from './machine-world.ts';

let machines: MachineWorld;
beforeAll(async () => {
  machines = await MachineWorld.start();
  machines.world.azure.settings.rollingBatchMs = 40_000;
}, 120_000);
afterAll(() => machines?.close());
afterEach(() => {
  for (const set of ['rolling', 'manual', 'flexible', 'goal', 'fabric', 'automatic'])
    expect(overflows(machines.requests('', new RegExp(`/${set}(/|$)`, 'i')))).toEqual([]);
});

const ill = (set: string, ids: readonly (number | string)[], health: 'healthy' | 'unhealthy' = 'unhealthy') => {
  for (const id of ids)
    machines.world.azure.setInstanceHealth({ id: `${machines.setId(set)}/virtualMachines/${id}`, health });
};
const behind = async (set: string) => (await machines.instances(set)).filter(({ latest }) => !latest).length;
const rollOf = async (set: string) =>
  (await machines.world.portal.arm('GET', `${machines.setId(set)}/rollingUpgrades/latest`, '2024-07-01')).body
    ?.properties;

test('a renewal rolls 100 instances at 20 % while five fall ill', async () => {
  await machines.renew(1);
  await machines.world.apply(setType, 'rolling', setSpec({ capacity: 100, mode: 'Rolling' }));
  await machines.until('Delivered', 'rolling');
  await machines.renew(2);
  await machines.waitFor('the first batch is done', async () => (await behind('rolling')) === 80);
  ill('rolling', [40, 41, 42, 43, 44]);
  await machines.waitFor('the condition counts the instances', async () => {
    const condition = conditionOf(await machines.world.get(setType, 'rolling'), 'SecretsDelivered');
    return condition?.message?.includes('of 100 instances have the model; Azure rolls the others');
  });
  const delivered = await machines.until('Delivered', 'rolling');
  expect(delivered['status']?.managedSecrets.instances).toEqual({ total: 100, upToDate: 100, unhealthy: 5 });
  expect((await rollOf('rolling')).runningStatus.code).toBe('Completed');
  expect(machines.requests('PATCH', /rolling$/i)).toEqual([]);
}, 300_000);

test('a stopped upgrade gives unhealthy instances the model first, stops when that does not heal them, and goes on when they are back', async () => {
  ill('rolling', [...Array(25).keys()]);
  await machines.renew(3);
  const stopped = await machines.until('RollStopped', 'rolling');
  expect(conditionOf(stopped, 'SecretsDelivered')?.message).toMatch(
    /30 are unhealthy, first 0: .*MaxUnhealthyInstancePercentExceededBeforeRollingUpgrade/,
  );
  await machines.waitFor('a batch of unhealthy instances has the model', async () => (await behind('rolling')) === 80);
  await machines.pass(120);
  expect(await behind('rolling')).toBe(80);
  const batches = machines.requests('POST', /rolling\/manualupgrade$/i);
  expect(batches).toHaveLength(1);
  expect(machines.requests('PATCH', /rolling$/i)).toEqual([]);
  const ready = conditionOf(await machines.world.get(setType, 'rolling'), 'Ready');
  expect(ready).toMatchObject({ status: 'False', reason: 'RollStopped', severity: 'Warning' });
  ill('rolling', [...Array(45).keys()], 'healthy');
  await machines.until('Delivered', 'rolling');
  expect(machines.requests('PATCH', /rolling$/i)).toHaveLength(1);
  expect(await behind('rolling')).toBe(0);
}, 300_000);

test('an upgrade that somebody cancelled goes on', async () => {
  await machines.renew(4);
  await machines.waitFor('a roll runs', async () => (await rollOf('rolling')).runningStatus.code === 'RollingForward');
  await machines.world.portal.arm('POST', `${machines.setId('rolling')}/rollingUpgrades/cancel`, '2024-07-01', {});
  await machines.waitFor('it is cancelled', async () => (await rollOf('rolling')).runningStatus.code === 'Cancelled');
  await machines.until('Delivered', 'rolling');
  expect(await behind('rolling')).toBe(0);
}, 300_000);

test('a new version in mid-roll cancels the upgrade, and is sent once Azure has ended its batch', async () => {
  const { world } = machines;
  await world.apply(setType, 'goal', setSpec({ capacity: 10, mode: 'Rolling' }));
  await machines.until('Delivered', 'goal');
  await machines.renew(5);
  await machines.waitFor('the goal is half-way', async () => (await behind('goal')) === 8);
  expect([...(machines.secrets.usersOf('default', 'web') ?? [])]).toEqual(expect.arrayContaining([4, 5]));
  const url = await machines.renew(6);
  await machines.waitFor('the model has the newest version', async () => {
    const { body } = await world.portal.arm('GET', machines.setId('goal'), '2024-07-01');
    return JSON.stringify(body.properties.virtualMachineProfile).includes(url);
  });
  const cancels = machines.requests('POST', /goal\/rollingUpgrades\/cancel$/i);
  expect(cancels).toHaveLength(1);
  const puts = machines.requests('PUT', /goal$/i);
  expect(puts.map(({ status }) => status).filter((status) => status >= 400)).toEqual([]);
  await machines.until('Delivered', 'goal');
  expect(await behind('goal')).toBe(0);
  await machines.until('Delivered', 'rolling');
  expect(machines.secrets.usersOf('default', 'web')).toEqual(new Set([6]));
}, 300_000);

test('a set of mode Manual gets 100 instances in batches of its policy while five fall ill', async () => {
  await machines.world.apply(setType, 'manual', setSpec({ capacity: 100 }));
  await machines.until('Delivered', 'manual');
  await machines.renew(7);
  await machines.waitFor('the first batch is done', async () => (await behind('manual')) === 80);
  ill('manual', [3, 50, 51, 52, 53]);
  const before = machines.requests('POST', /manual\/manualupgrade$/i).length;
  expect(before).toBe(1);
  await machines.until('Delivered', 'manual');
  expect(await behind('manual')).toBe(0);
  // Five ill ones leave room for fifteen beside those of them that lack the model.
  expect(machines.requests('POST', /manual\/manualupgrade$/i).length).toBeGreaterThanOrEqual(6);
}, 300_000);

test('the pause between batches is kept where the answer to a batch is lost and the batch ends unseen', async () => {
  const policy = { pauseTimeBetweenBatches: 'PT3M' };
  await machines.world.apply(setType, 'paused', setSpec({ capacity: 3, policy }));
  await machines.until('Delivered', 'paused');
  const posts = () => machines.requests('POST', /paused\/manualupgrade$/i).filter(({ effective }) => effective);
  await machines.renew(8);
  await machines.waitFor('the first batch is done', async () => (await behind('paused')) === 2);
  machines.world.azure.faults.add({ method: 'POST', path: 'paused/manualupgrade', connection: 'dropAfter' });
  await machines.until('Delivered', 'paused');
  const times = posts().map(({ time }) => time);
  expect(times).toHaveLength(3);
  expect(times.slice(1).every((time, index) => time - (times[index] ?? 0) >= 180_000)).toBe(true);
}, 300_000);

test('a Flexible set gets its instances by the names of its machines', async () => {
  await machines.world.apply(setType, 'flexible', setSpec({ capacity: 3, orchestrationMode: 'Flexible' }));
  await machines.until('Delivered', 'flexible');
  await machines.renew(9);
  await machines.until('Rolling', 'flexible');
  await machines.until('Delivered', 'flexible');
  expect(await behind('flexible')).toBe(0);
  expect(machines.requests('POST', /flexible\/manualupgrade$/i)).toHaveLength(3);
}, 300_000);

test('nothing is sent to the instances of Service Fabric and of mode Automatic, and the conditions say so', async () => {
  const fabric = {
    name: 'fabric',
    publisher: 'Microsoft.Azure.ServiceFabric',
    type: 'ServiceFabricLinuxNode',
    typeHandlerVersion: '1.1',
  };
  await machines.world.apply(setType, 'fabric', setSpec({ extensions: [fabric] }));
  await machines.until('Delivered', 'fabric');
  await machines.renew(10);
  const left = await machines.until('ServiceFabricSet', 'fabric');
  expect(conditionOf(left, 'SecretsDelivered')?.message).toMatch(/0 of 3 .*the operator sends nothing/);
  await machines.pass(60);
  expect(machines.requests('POST', /fabric/i)).toEqual([]);
}, 300_000);
