import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { conditionOf, MachineWorld, setSpec, setType } from '../machines/machine-world.ts';

let machines: MachineWorld;
beforeAll(async () => {
  machines = await MachineWorld.start();
}, 120_000);
afterAll(() => machines?.close());
beforeEach(() => machines.world.azure.journal.clear());

test('a scale set waits for its ManagedSecret, gets it, and shows versions, instances and scale-out', async () => {
  const { world } = machines;
  await world.apply(setType, 'web', setSpec({ capacity: 3 }));
  const waiting = await machines.until('SecretNotReady', 'web', 'Ready');
  expect(conditionOf(waiting, 'Ready')?.message).toContain('ManagedSecret web');
  expect(machines.requests('PUT', /virtualMachineScaleSets/i)).toEqual([]);
  const secretUrl = await machines.renew(1);
  const delivered = await machines.until('Delivered');
  expect(conditionOf(delivered, 'Ready')?.reason).toBe('Succeeded');
  expect(delivered['status']?.managedSecrets).toMatchObject({
    wanted: [{ managedSecret: 'web', delivery: 'OsProfile', version: 1, state: 'Current' }],
    instances: { total: 3, upToDate: 3, unhealthy: 0 },
    scaleOutWithoutVault: { works: true },
    lastRead: expect.any(String),
  });
  const { body } = await world.portal.arm('GET', machines.setId('web'), '2024-07-01');
  expect(JSON.stringify(body.properties.virtualMachineProfile.osProfile.secrets)).toContain(secretUrl);
  expect(machines.secrets.usersOf('default', 'web')).toEqual(new Set([1]));
}, 120_000);

test('a renewal reaches every instance of a set of mode Manual in batches, and then frees the old version', async () => {
  await machines.renew(2);
  await machines.until('Rolling');
  expect(machines.secrets.usersOf('default', 'web')).toEqual(new Set([1, 2]));
  await machines.until('Delivered');
  expect((await machines.instances()).every(({ latest }) => latest)).toBe(true);
  expect(machines.requests('POST', /manualupgrade$/i)).toHaveLength(3);
  expect(machines.secrets.usersOf('default', 'web')).toEqual(new Set([2]));
}, 120_000);
