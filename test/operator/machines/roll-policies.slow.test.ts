/** Members of upgrade policies that Azure carries out, and protection: what the operator does around them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ResourceType } from '../../../runtime/kube/client/types.ts';
import { types } from '../support.ts';
import { conditionOf, MachineWorld, setSpec, setType } from './machine-world.ts';

const armSet = types.armResource;

let machines: MachineWorld;
beforeAll(async () => {
  machines = await MachineWorld.start();
  machines.world.azure.settings.rollingBatchMs = 40_000;
}, 120_000);
afterAll(() => machines?.close());

const capacity = 5;
const imageProfile = (version: string) => {
  const { virtualMachineProfile } = setSpec({ managedSecrets: [] });
  const imageReference = { publisher: 'Canonical', offer: 'ubuntu', sku: '22', version };
  return { ...virtualMachineProfile, storageProfile: { imageReference } };
};

/** A set of mode Rolling whose policy has members that the typed kind lacks. */
async function applyArmSet(name: string, version: string, rollingUpgradePolicy: object): Promise<void> {
  const settings = { protocol: 'tcp', port: 80 };
  const properties = {
    publisher: 'Microsoft.ManagedServices',
    type: 'ApplicationHealthLinux',
    typeHandlerVersion: '1.0',
    settings,
  };
  const extensionProfile = { extensions: [{ name: 'health', properties }] };
  const virtualMachineProfile = { ...imageProfile(version), extensionProfile };
  const body = {
    location: 'westeurope',
    sku: { name: 'Standard_D2s_v3', capacity },
    properties: {
      orchestrationMode: 'Uniform',
      upgradePolicy: { mode: 'Rolling', rollingUpgradePolicy },
      virtualMachineProfile,
    },
  };
  const type = 'Microsoft.Compute/virtualMachineScaleSets@2024-07-01';
  await machines.world.apply(armSet, name, { type, owner: { name: 'rg' }, body });
}

/** The object once its Ready condition has this reason for its newest spec. */
const ready = (name: string, reason = 'Succeeded', type: ResourceType = armSet) =>
  machines.waitFor(`${name} is ${reason}`, async () => {
    const object = await machines.world.client.tryGet(type, { namespace: 'default', name });
    const found = conditionOf(object, 'Ready');
    const isNewest = object?.['status']?.observedGeneration === object?.metadata.generation;
    return isNewest && found?.reason === reason && object;
  });

const breaks = (name: string, model: string) =>
  machines.world.azure.setInstanceHealth({ id: machines.setId(name), health: 'unhealthy', model });
const latest = async (name: string) => (await machines.instances(name)).map((each) => each.latest);
const all = (isLatest: boolean) => Array.from({ length: capacity }, () => isLatest);

test('with surge new instances take the place of the old ones, ill ones stop it, and the next model heals the set', async () => {
  const policy = { maxSurge: true };
  await applyArmSet('surge', '1.0.0', policy);
  await ready('surge');
  await applyArmSet('surge', '1.1.0', policy);
  await ready('surge');
  expect(await latest('surge')).toEqual(all(true));
  breaks('surge', '2.0.0');
  await applyArmSet('surge', '2.0.0', policy);
  const stopped = await ready('surge', 'RollStopped');
  expect(conditionOf(stopped, 'Ready')?.message).toContain('1 are unhealthy');
  // The old instances serve on beside the new one.
  expect((await latest('surge')).filter((isLatest) => !isLatest)).toEqual(all(false));
  await machines.pass(600);
  expect((await latest('surge')).filter(Boolean)).toHaveLength(1);
  await applyArmSet('surge', '2.1.0', policy);
  await ready('surge');
  expect((await latest('surge')).every(Boolean)).toBe(true);
}, 300_000);

test('Azure takes a bad model back from failed instances, and the operator waits for another model', async () => {
  const policy = { rollbackFailedInstancesOnPolicyBreach: true };
  await applyArmSet('back', '1.0.0', policy);
  await ready('back');
  breaks('back', '2.0.0');
  await applyArmSet('back', '2.0.0', policy);
  await machines.waitFor('the message says so', async () => {
    const { message } = conditionOf(await ready('back', 'RollStopped'), 'Ready') ?? {};
    return message?.includes('Azure gave the failed instances their former model');
  });
  await machines.pass(600);
  expect(await latest('back')).toEqual(all(false));
  expect(machines.requests('PATCH', /back$/i)).toEqual([]);
  await applyArmSet('back', '2.1.0', policy);
  const healed = await ready('back');
  expect(await latest('back')).toEqual(all(true));
  expect(conditionOf(healed, 'Ready')?.status).toBe('True');
}, 300_000);

test.each(['Rolling', 'Manual'] as const)(
  'an instance that is protected keeps its model, and a set of mode %s is Ready without it',
  async (mode) => {
    const name = `kept-${mode.toLowerCase()}`;
    const { portal } = machines.world;
    const apply = (version: string) => {
      const spec = { ...setSpec({ managedSecrets: [], mode, capacity }), virtualMachineProfile: imageProfile(version) };
      return machines.world.apply(setType, name, spec, { annotations: { 'azimuth.dev/instances': 'roll' } });
    };
    await apply('1.0.0');
    await ready(name, 'Succeeded', setType);
    const id = `${machines.setId(name)}/virtualMachines/0`;
    const properties = { protectionPolicy: { protectFromScaleSetActions: true } };
    const answer = await portal.arm('PUT', id, '2024-07-01', { location: 'westeurope', properties });
    expect(answer).toMatchObject({ status: 200 });
    await apply('1.1.0');
    await ready(name, 'Succeeded', setType);
    const set = await machines.waitFor('the status counts it', async () => {
      const found = await machines.world.get(setType, name);
      return found['status']?.instances?.protected === 1 && found;
    });
    expect(set['status']?.instances).toMatchObject({ total: capacity, upToDate: capacity - 1, protected: 1 });
    expect(await latest(name)).toEqual([false, ...all(true).slice(1)]);
  },
  300_000,
);
