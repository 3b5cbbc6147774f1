import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { conditionOf, MachineWorld, type SetOptions, setSpec, setType } from './machine-world.ts';

let machines: MachineWorld;
beforeAll(async () => {
  machines = await MachineWorld.start();
  machines.world.azure.settings.rollingBatchMs = 40_000;
}, 120_000);
afterAll(() => machines?.close());

/** A set without ManagedSecrets whose image has this version. */
const imageSet = (version: string, options: SetOptions = {}) => {
  const spec = setSpec({ managedSecrets: [], mode: 'Rolling', capacity: 5, ...options });
  const imageReference = { publisher: 'Canonical', offer: 'ubuntu', sku: '22', version };
  return { ...spec, virtualMachineProfile: { ...spec.virtualMachineProfile, storageProfile: { imageReference } } };
};
const apply = (name: string, spec: object, setting?: string) =>
  machines.world.apply(setType, name, spec, setting ? { annotations: { 'azimuth.dev/instances': setting } } : {});
/** The set once its Ready condition has this reason for its newest spec. */
const ready = (name: string, reason = 'Succeeded') =>
  machines.waitFor(`${name} is ${reason}`, async () => {
    const object = await machines.world.client.tryGet(setType, { namespace: 'default', name });
    const found = conditionOf(object, 'Ready');
    const isNewest = object?.['status']?.observedGeneration === object?.metadata.generation;
    return isNewest && found?.reason === reason && object;
  });
/** Instances with this version make their set ill. */
const breaks = (name: string, model: string) =>
  machines.world.azure.setInstanceHealth({ id: machines.setId(name), health: 'unhealthy', model });
const withModel = async (name: string) => (await machines.instances(name)).filter(({ latest }) => latest).length;
const current = async (name: string) => conditionOf(await machines.world.get(setType, name), 'Ready');

test('Ready of a set of mode Rolling comes when its instances have the model and are well, with counts on the way', async () => {
  await apply('calm', imageSet('1.0.0'));
  await ready('calm');
  await apply('calm', imageSet('1.1.0'));
  const rolling = await machines.waitFor('the condition counts the instances', async () => {
    const object = await machines.world.get(setType, 'calm');
    return conditionOf(object, 'Ready')?.message?.startsWith('1 of 5 instances have the model') && object;
  });
  expect(conditionOf(rolling, 'Ready')).toMatchObject({ status: 'False', severity: 'Info', reason: 'Rolling' });
  expect(rolling['status']?.instances).toMatchObject({ total: 5, upToDate: 1, unhealthy: 0 });
  await ready('calm');
  expect(await withModel('calm')).toBe(5);
}, 300_000);

test('a bad image stops at its first batch, and the corrected one heals the unhealthy instances and reaches all', async () => {
  await apply('image', imageSet('2.0.0'));
  await ready('image');
  breaks('image', '2.1.0');
  await apply('image', imageSet('2.1.0'));
  const stopped = await ready('image', 'RollStopped');
  expect(conditionOf(stopped, 'Ready')).toMatchObject({ status: 'False', severity: 'Warning' });
  expect(stopped['status']?.instances).toMatchObject({ upToDate: 1, unhealthy: 1, firstUnhealthy: { id: '0' } });
  await machines.pass(600);
  expect(await withModel('image')).toBe(1);
  await apply('image', imageSet('2.2.0'));
  await ready('image');
  expect(await withModel('image')).toBe(5);
}, 300_000);

test('two unhealthy instances of five, which end an upgrade before its first batch, get the next model first', async () => {
  await apply('two', imageSet('3.0.0'));
  await ready('two');
  breaks('two', '3.0.0');
  for (const id of [1, 3])
    machines.world.azure.setInstanceHealth({
      id: `${machines.setId('two')}/virtualMachines/${id}`,
      health: 'unhealthy',
    });
  await apply('two', imageSet('3.1.0'));
  await ready('two');
  const batches = machines.requests('POST', /two\/manualupgrade$/i);
  expect(batches).toHaveLength(1);
  expect(await withModel('two')).toBe(5);
}, 300_000);

test('no more instances get a bad version than one batch, where the policy allows all of them to be unhealthy', async () => {
  const policy = {
    maxBatchInstancePercent: 20,
    maxUnhealthyInstancePercent: 100,
    maxUnhealthyUpgradedInstancePercent: 0,
  };
  await machines.renew(1);
  await apply('walk', setSpec({ capacity: 10, mode: 'Rolling', policy }));
  await machines.until('Delivered', 'walk');
  machines.world.azure.setInstanceHealth({ id: machines.setId('walk'), health: 'unhealthy', when: 'afterUpgrade' });
  await machines.renew(2);
  await machines.until('RollStopped', 'walk');
  await machines.pass(1800);
  expect(await withModel('walk')).toBe(2);
}, 300_000);

test('Ready goes off at the resync when more instances are unhealthy than the policy allows, and comes back', async () => {
  const set = (health: 'healthy' | 'unhealthy') => {
    for (const id of [0, 1])
      machines.world.azure.setInstanceHealth({ id: `${machines.setId('calm')}/virtualMachines/${id}`, health });
  };
  set('unhealthy');
  const { message } =
    conditionOf(
      await machines.waitFor(
        'calm is unhealthy',
        async () => {
          const object = await machines.world.get(setType, 'calm');
          return conditionOf(object, 'Ready')?.reason === 'InstancesUnhealthy' && object;
        },
        7200,
      ),
      'Ready',
    ) ?? {};
  expect(message).toMatch(/^5 of 5 instances have the model, 2 are unhealthy, first 0: /);
  set('healthy');
  await ready('calm');
}, 300_000);

test('a set of mode Manual says who has to upgrade its instances; the annotation has the operator do it, or ignores them', async () => {
  await apply('manual', imageSet('5.0.0', { mode: 'Manual' }));
  await ready('manual');
  await apply('manual', imageSet('5.1.0', { mode: 'Manual' }));
  const { message } = conditionOf(await ready('manual', 'UpgradeModeManual'), 'Ready') ?? {};
  expect(message).toContain('0 of 5 instances have the model');
  expect(machines.requests('POST', /manual\/manualupgrade$/i)).toEqual([]);
  await apply('manual', imageSet('5.1.0', { mode: 'Manual' }), 'roll');
  await ready('manual');
  expect(machines.requests('POST', /manual\/manualupgrade$/i)).toHaveLength(5);
  await apply('left', imageSet('5.0.0', { mode: 'Manual' }), 'ignore');
  await ready('left');
  await apply('left', imageSet('5.1.0', { mode: 'Manual' }), 'ignore');
  await machines.waitFor('the model is there', async () => (await withModel('left')) === 0);
  await ready('left');
  expect(await current('left')).toMatchObject({ status: 'True' });
  expect(machines.requests('GET', /left\/virtualMachines.*instanceView$/i)).toEqual([]);
}, 300_000);

test('a roll reads the instances and the upgrade at most once in 30 seconds', async () => {
  const times = (path: RegExp) =>
    machines.requests('GET', path).flatMap(({ time, correlationId }) => (correlationId ? [time] : []));
  const puts = machines.requests('PUT', /image$/i).length;
  const within = (path: RegExp) => {
    const all = times(path);
    expect(all.length).toBeGreaterThan(3);
    return all.slice(1).filter((time, index) => time - (all[index] ?? 0) < 30_000).length;
  };
  expect(within(/image\/virtualMachines$/i)).toBe(0);
  // A PUT reads the upgrade too, which it may have to cancel.
  expect(within(/image\/rollingUpgrades\/latest$/i)).toBeLessThanOrEqual(puts);
});

test('a maintenance configuration of another scope than OSImage holds no batch, which a condition says until it is detached', async () => {
  const id = `${machines.setId('window')}/providers/Microsoft.Maintenance/configurationAssignments/nightly`;
  const { portal, azure } = machines.world;
  const of = async () => conditionOf(await machines.world.get(setType, 'window'), 'MaintenanceHonoured');
  await apply('window', imageSet('1.0.0'));
  await ready('window');
  expect(await of()).toBeUndefined();

  const group = machines.setId('window').split('/providers/')[0];
  const maintenanceConfigurationId = `${group}/providers/Microsoft.Maintenance/maintenanceConfigurations/nightly`;
  const host = { location: 'westeurope', properties: { maintenanceScope: 'Host' } };
  expect(await portal.arm('PUT', maintenanceConfigurationId, '2023-04-01', host)).toMatchObject({ status: 201 });
  const body = {
    location: 'westeurope',
    properties: { maintenanceConfigurationId, resourceId: machines.setId('window') },
  };
  expect(await portal.arm('PUT', id, '2023-04-01', body)).toMatchObject({ status: 201 });
  const condition = await machines.waitFor('the condition names it', of, 7200);
  expect(condition).toMatchObject({ status: 'False', severity: 'Info', reason: 'BatchesIgnoreMaintenance' });
  expect(condition.message).toMatch(/^nightly: .* a new model and its batches do not wait for it$/);
  await apply('window', imageSet('1.1.0'));
  await ready('window');
  expect(await withModel('window')).toBe(5);

  // A refused read leaves the condition as it is.
  const fault = azure.faults.add({ method: 'GET', path: 'configurationAssignments', status: 403, times: 0 });
  await machines.pass(7200);
  expect((await of())?.reason).toBe('BatchesIgnoreMaintenance');
  azure.faults.remove(fault);
  await portal.arm('DELETE', id, '2023-04-01');
  await machines.waitFor('the condition is gone', async () => (await of()) === undefined, 7200);
  const reads = machines.requests('GET', /window\/providers.*configurationAssignments$/i);
  expect(reads.map(({ status }) => status)).toContain(403);
  const times = reads.map(({ time }) => time);
  expect(times.slice(1).every((time, index) => time - (times[index] ?? 0) >= 3_600_000)).toBe(true);
}, 300_000);
