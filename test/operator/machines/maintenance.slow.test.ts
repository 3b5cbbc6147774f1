import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { certificate } from './known-secrets.ts';
import { conditionOf, MachineWorld, type SetOptions, setSpec, setType } from './machine-world.ts';

let machines: MachineWorld;
beforeAll(async () => {
  machines = await MachineWorld.start();
  machines.world.azure.settings.rollingBatchMs = 40_000;
}, 120_000);
afterAll(() => machines?.close());

const minute = 60_000;
const set = (version: string, options: SetOptions = {}) => {
  const spec = setSpec({ managedSecrets: [], capacity: 3, ...options });
  const imageReference = { publisher: 'Canonical', offer: 'ubuntu', sku: '22', version };
  return { ...spec, virtualMachineProfile: { ...spec.virtualMachineProfile, storageProfile: { imageReference } } };
};
const apply = (name: string, spec: object) =>
  machines.world.apply(setType, name, spec, { annotations: { 'azimuth.dev/instances': 'roll' } });
const ready = (name: string, reason = 'Succeeded') =>
  machines.waitFor(`${name} is ${reason}`, async () => {
    const object = await machines.world.client.tryGet(setType, { namespace: 'default', name });
    const isNewest = object?.['status']?.observedGeneration === object?.metadata.generation;
    return isNewest && conditionOf(object, 'Ready')?.reason === reason && object;
  });
const honoured = async (name: string) => conditionOf(await machines.world.get(setType, name), 'MaintenanceHonoured');
const group = () => machines.setId('').split('/providers/')[0];
const batches = (name: string) =>
  machines.requests('POST', new RegExp(`/${name}/manualupgrade`, 'i')).map(({ time }) => time);

/** Attaches a configuration of scope OSImage whose next window opens in some minutes, and starts the operator again. */
async function attach(name: string, opensInMinutes: number, change: object = {}): Promise<number> {
  const opensAt = Math.ceil(machines.clock.now() / minute + opensInMinutes) * minute;
  const startDateTime = new Date(opensAt - 24 * 60 * minute).toISOString().slice(0, 16).replace('T', ' ');
  const maintenanceWindow = { startDateTime, duration: '05:00', timeZone: 'UTC', recurEvery: 'Day', ...change };
  const id = `${group()}/providers/Microsoft.Maintenance/maintenanceConfigurations/of-${name}`;
  const { portal } = machines.world;
  const properties = { maintenanceScope: 'OSImage', maintenanceWindow };
  expect(await portal.arm('PUT', id, '2023-04-01', { location: 'westeurope', properties })).toMatchObject({
    status: 201,
  });
  const assignment = `${machines.setId(name)}/providers/Microsoft.Maintenance/configurationAssignments/${name}`;
  await portal.arm('PUT', assignment, '2023-04-01', {
    location: 'westeurope',
    properties: { maintenanceConfigurationId: id, resourceId: machines.setId(name) },
  });
  await machines.stopOperator();
  await machines.startOperator();
  await machines.waitFor('the condition is there', () => honoured(name), 7200);
  return opensAt;
}

test('batches of a set wait for its window, also after a restart, and the set is hardly read until it opens', async () => {
  await apply('nightly', set('1.0.0'));
  await ready('nightly');
  const opensAt = await attach('nightly', 150);
  expect(await honoured('nightly')).toMatchObject({ status: 'True', reason: 'BatchesWaitForMaintenance' });
  await apply('nightly', set('1.1.0'));
  const held = conditionOf(await ready('nightly', 'MaintenanceWindow'), 'Ready');
  expect(held).toMatchObject({ status: 'False', severity: 'Info' });
  const time = new Date(opensAt).toISOString();
  expect(held?.message).toMatch(
    `0 of 3 instances have the model; the maintenance window of nightly opens at ${time}, in `,
  );

  await machines.stopOperator();
  await machines.startOperator();
  await machines.pass(60);
  const reads = () => machines.requests('GET', /nightly\/virtualMachines$/i).length;
  const before = reads();
  await machines.pass(900);
  expect(reads() - before).toBeLessThanOrEqual(1);
  expect(batches('nightly')).toEqual([]);

  await machines.pass(Math.max(0, Math.floor((opensAt - machines.clock.now()) / 1000) - 60));
  expect(batches('nightly')).toEqual([]);
  await ready('nightly');
  const sent = batches('nightly');
  expect(sent).toHaveLength(3);
  expect(sent.every((each) => each >= opensAt)).toBe(true);
  expect((sent[0] ?? 0) - opensAt).toBeLessThan(5000);
  const configurations = machines.requests('GET', /maintenanceConfigurations\/of-nightly$/i);
  const gap = (machines.clock.now() - (configurations[0]?.time ?? 0)) / 3_600_000;
  expect(configurations.length).toBeLessThanOrEqual(3 + gap);
}, 300_000);

test('in mode Rolling, Azure starts the upgrade of a new model outside of the window, which the condition says', async () => {
  await apply('rolling', set('1.0.0', { mode: 'Rolling' }));
  await ready('rolling');
  await attach('rolling', 300);
  expect(await honoured('rolling')).toMatchObject({ status: 'False', reason: 'AzureIgnoresMaintenance' });
  await apply('rolling', set('1.1.0', { mode: 'Rolling' }));
  await ready('rolling');
}, 300_000);

test.each([
  ['zone', { timeZone: 'Mars Standard Time' }, undefined, 'the time zone "Mars Standard Time" is unknown'],
  ['refused', {}, 403, 'Azure refuses to show its configuration (403 '],
])(
  'a configuration that cannot be read (%s) holds nothing, and the condition says why',
  async (name, change, status, why) => {
    await apply(name, set('1.0.0'));
    await ready(name);
    const { faults } = machines.world.azure;
    const fault = status ? faults.add({ method: 'GET', path: `of-${name}`, status, times: 0 }) : undefined;
    await attach(name, 300, change);
    const condition = await honoured(name);
    expect(condition).toMatchObject({ status: 'False', reason: 'BatchesIgnoreMaintenance' });
    expect(condition?.message).toContain(`${name}: ${why}`);
    await apply(name, set('1.1.0'));
    await ready(name);
    if (fault) faults.remove(fault);
  },
  300_000,
);

test('a read of the configuration that fails for a while holds the batches until it is repeated', async () => {
  await apply('later', set('1.0.0'));
  await ready('later');
  const { faults } = machines.world.azure;
  const fault = faults.add({ method: 'GET', path: 'of-later', status: 500, times: 0 });
  await attach('later', -60);
  await apply('later', set('1.1.0'));
  await ready('later', 'MaintenanceWindow');
  await machines.pass(120);
  expect(batches('later')).toEqual([]);
  faults.remove(fault);
  await ready('later');
}, 300_000);

test('a renewal waits for the window, unless the version in use ends before it opens', async () => {
  await machines.renew(1);
  await machines.world.apply(setType, 'secret', setSpec());
  await machines.until('Delivered', 'secret');
  await attach('secret', 240);
  await machines.waitFor('this process knows the version in use', async () =>
    machines.secrets.usersOf('default', 'web')?.has(1),
  );
  const secretUrl = await machines.renew(2);
  const ends = (minutes: number) => ({ 1: machines.clock.now() + minutes * minute, 2: machines.clock.now() * 2 });
  const known = machines.secrets.known('default', 'web', 'u') ?? certificate(2);
  expect(JSON.stringify([...known.copies])).toContain(secretUrl);
  machines.secrets.set('default', 'web', { ...known, ends: ends(600) });
  const held = await machines.until('MaintenanceWindow', 'secret');
  expect(conditionOf(held, 'SecretsDelivered')).toMatchObject({ status: 'False', severity: 'Info' });
  await machines.pass(120);
  expect(batches('secret')).toEqual([]);

  machines.secrets.set('default', 'web', { ...known, ends: ends(30) });
  await machines.until('Delivered', 'secret');
}, 300_000);

test('a set that names its first secret does not wait', async () => {
  await machines.renew(1);
  await machines.world.apply(setType, 'first', setSpec({ managedSecrets: [] }));
  await ready('first');
  await attach('first', 300);
  await machines.world.apply(setType, 'first', setSpec());
  await machines.until('Delivered', 'first');
}, 300_000);
