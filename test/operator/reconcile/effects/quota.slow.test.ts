import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { conditionOf, MachineWorld, setSpec, setType } from '../../machines/machine-world.ts';

let machines: MachineWorld;
beforeAll(async () => {
  machines = await MachineWorld.start();
  await machines.renew(1);
}, 120_000);
afterAll(() => machines?.close());
beforeEach(() => {
  machines.world.azure.journal.clear();
  machines.world.azure.faults.clear();
  machines.world.azure.settings.coreQuota = 1000;
  machines.world.azure.settings.familyQuota = {};
});

const puts = (name: string) => machines.requests('PUT', new RegExp(`virtualMachineScaleSets/${name}$`, 'i'));
const reads = () => machines.requests('GET', /locations\/westeurope\/usages$/i);

test('a scale set without quota is not sent, says what is missing, and goes on by itself', async () => {
  const { world } = machines;
  world.azure.settings.coreQuota = 5;
  await world.apply(setType, 'web', setSpec({ capacity: 3 }));
  const refused = await machines.until('QuotaExceeded', 'web', 'Ready');
  expect(conditionOf(refused, 'Ready')?.message).toMatch(/westeurope has 0 of 5 cores in use, and this needs 6 more/);
  await machines.waitFor('the quota is read again', async () => reads().length > 1);
  expect(puts('web')).toEqual([]);
  // One answer serves a minute, however often the object is tried.
  await machines.pass(30);
  expect(reads().length).toBeLessThan(5);
  world.azure.settings.coreQuota = 6;
  await machines.until('Delivered');
  expect(puts('web')).toHaveLength(1);
}, 120_000);

test('a scale-out counts only new instances, and another change of the set none', async () => {
  const { world } = machines;
  world.azure.settings.coreQuota = 8;
  await world.apply(setType, 'web', setSpec({ capacity: 4 }));
  await machines.waitFor('4 instances', async () => (await machines.instances()).length === 4);
  await world.apply(setType, 'web', setSpec({ capacity: 6 }));
  const refused = await machines.until('QuotaExceeded', 'web', 'Ready');
  expect(conditionOf(refused, 'Ready')?.message).toContain('8 of 8 cores in use, and this needs 4 more');
  machines.world.azure.journal.clear();
  await machines.renew(2);
  await world.apply(setType, 'web', setSpec({ capacity: 4 }));
  await machines.until('Delivered');
  expect(reads()).toEqual([]);
  expect(puts('web')).toHaveLength(1);
}, 120_000);

test.each([403, 429, 500])(
  'an answer %i instead of the quota keeps no machine from being sent',
  async (status) => {
    const { world, clock } = machines;
    await clock.advance(700_000);
    const body = { error: { code: 'Refused', message: 'no' } };
    const headers: Record<string, string> = status === 429 ? { 'retry-after': '20' } : {};
    world.azure.faults.add({ service: 'arm', method: 'GET', path: '/usages', times: 0, status, headers, body });
    const name = `without${status}`;
    await world.apply(setType, name, setSpec({ capacity: 1 }));
    await machines.until('Delivered', name);
    expect(reads().length).toBeGreaterThan(0);
    expect(puts(name)).toHaveLength(1);
  },
  120_000,
);

test('of two machines that are sent within a minute the second sees what the first takes', async () => {
  const { world, clock } = machines;
  await clock.advance(700_000);
  const used = 2 * 7;
  world.azure.settings.coreQuota = used + 6;
  await world.apply(setType, 'first', setSpec({ capacity: 2 }));
  await world.apply(setType, 'second', setSpec({ capacity: 2 }));
  const found = await machines.waitFor('one of them is refused', async () => {
    const [first, second] = await Promise.all(
      ['first', 'second'].map((name) => world.client.get(setType, { namespace: 'default', name })),
    );
    return [first, second].find((each) => conditionOf(each, 'Ready')?.reason === 'QuotaExceeded');
  });
  expect(conditionOf(found, 'Ready')?.message).toContain('18 of 20 cores');
  expect(machines.requests('PUT', /virtualMachineScaleSets\/(first|second)$/i)).toHaveLength(1);
}, 120_000);

test('a machine that Azure refuses takes no quota from the others', async () => {
  const { world, clock } = machines;
  await Promise.all(['first', 'second'].map((name) => machines.until('Delivered', name)));
  await clock.advance(700_000);
  const used = 2 * 11;
  world.azure.settings.coreQuota = used + 6;
  machines.world.azure.journal.clear();
  const body = { error: { code: 'RequestDisallowedByPolicy', message: 'no' } };
  world.azure.faults.add({ service: 'arm', method: 'PUT', path: '/refused\\?', times: 0, status: 403, body });
  await world.apply(setType, 'refused', setSpec({ capacity: 2 }));
  await machines.until('RequestDisallowedByPolicy', 'refused', 'Ready');
  await world.apply(setType, 'neighbour', setSpec({ capacity: 2 }));
  await machines.until('Delivered', 'neighbour');
  expect(puts('neighbour')).toHaveLength(1);
  expect(reads()).toHaveLength(1);
}, 120_000);

test('the quota of the family of the size keeps a scale set from being sent, too', async () => {
  const { world, clock } = machines;
  await clock.advance(700_000);
  world.azure.settings.familyQuota = { standardDSv3Family: 1 };
  await world.apply(setType, 'family', setSpec({ capacity: 1 }));
  const refused = await machines.until('QuotaExceeded', 'family', 'Ready');
  expect(conditionOf(refused, 'Ready')?.message).toMatch(/of 1 standarddsv3family in use, and this needs 2 more/);
  expect(puts('family')).toEqual([]);
  world.azure.settings.familyQuota = {};
  await machines.until('Delivered', 'family');
}, 120_000);
