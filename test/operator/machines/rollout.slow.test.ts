/** A ManagedSecret that goes from region to region, with scale sets that fall ill, and an operator that starts again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { annotations } from '../../../runtime/arm-kinds/names.ts';
import { decodeRollout } from '../../../runtime/compute/managed-secrets/rollout-state.ts';
import type { TestVault } from '../export/test-vault.ts';
import { numbered, SecretWorld, vaultRef } from '../managed-secrets/secret-world.ts';
import { until } from '../support.ts';
import { conditionOf, machineKindPattern, setSpec, setType } from './machine-world.ts';

const locations = ['westeurope', 'northeurope', 'eastus'] as const;
type Location = (typeof locations)[number];

let azm: SecretWorld;
let vaults: Readonly<Record<Location, TestVault>>;
beforeAll(async () => {
  azm = await SecretWorld.start({ kinds: machineKindPattern, instancesReadMs: 300 });
  const made = await Promise.all(locations.map((location) => azm.vault(`azmo${location}`, location)));
  vaults = Object.fromEntries(locations.map((location, index) => [location, made[index]])) as typeof vaults;
}, 120_000);
afterAll(() => azm?.close());

const spec = {
  kind: 'Certificate',
  home: { vault: vaultRef('azmowesteurope') },
  regions: locations.slice(1).map((location) => ({ location, vault: vaultRef(`azmo${location}`) })),
  certificate: { subject: 'CN=web.example.com', keyType: 'EC' },
  rotation: { overlap: '1h' },
  rollout: { regions: ['northeurope'], bakeFor: '2s' },
  vaultSecretName: 'out',
};
const renewed = (word: string) => ({ annotations: { [annotations.renew]: word } });
const nameOf = (location: Location) => `set-${location}`;
const idOf = (location: Location) =>
  `/subscriptions/${azm.world.azure.subscriptionId}/resourceGroups/rg/providers/Microsoft.Compute/virtualMachineScaleSets/${nameOf(location)}`;

async function wanted(): Promise<Record<string, number | undefined>> {
  const found = await Promise.all(locations.map((location) => azm.world.get(setType, nameOf(location))));
  return Object.fromEntries(
    found.map(({ status }, index) => {
      const isDelivered = conditionOf({ status } as never, 'SecretsDelivered')?.status === 'True';
      return [locations[index], isDelivered ? status?.managedSecrets?.wanted?.[0]?.version : undefined];
    }),
  );
}

const everywhere = (number: number) => Object.fromEntries(locations.map((location) => [location, number]));

async function untilWanted(numbers: Record<string, number>) {
  let last: unknown;
  await until(
    `the sets have ${JSON.stringify(numbers)}`,
    async () => {
      last = await wanted();
      return JSON.stringify(last) === JSON.stringify(numbers);
    },
    90_000,
  ).catch(async (error: Error) => {
    const secret = await azm.reason('out', 'x', 'default', 100).catch((each: Error) => each.message.slice(0, 3000));
    throw new Error(`${error.message}; last ${JSON.stringify(last)}; ${secret}`);
  });
}

const recorded = async () => decodeRollout((await vaults.westeurope.secret('out-rollout'))?.value ?? '');
const latest = async (location: Location) =>
  (await vaults[location].send('GET', '/certificates/out')).body.tags['azimuth-version'];
const numbers = async (location: Location) => (await numbered(vaults[location], 'out')).map(([number]) => number);

test('a version that makes machines ill stops in the first region, a restart keeps the stop, and a pin ends it', async () => {
  await azm.secret('out', spec);
  for (const location of locations) {
    await azm.world.apply(setType, nameOf(location), { ...setSpec({ managedSecrets: [use], capacity: 1 }), location });
  }
  await untilWanted(everywhere(1));
  expect((await recorded())?.regions).toEqual(everywhere(1));
  const instance = `${idOf('northeurope')}/virtualMachines/0`;
  azm.world.azure.setInstanceHealth({ id: instance, health: 'unhealthy', when: 'afterUpgrade' });
  await azm.secret('out', spec, renewed('one'));
  const stopped = await azm.reason('out', 'RolloutStopped');
  expect(conditionOf(stopped, 'Ready')?.message).toMatch(
    /^Version 2 stopped in northeurope, because of set-northeurope in northeurope: 1 of 1 instances have the model, 1 are/,
  );
  expect(stopped['status']?.rollout).toMatchObject({ phase: 'Stopped', version: 2, location: 'northeurope', step: 1 });
  await azm.restart();
  await azm.poke('out');
  await azm.reason('out', 'RolloutStopped');
  await sleep(4000);
  expect(await wanted()).toMatchObject({ westeurope: 1, eastus: 1 });
  expect(await numbers('eastus')).toEqual(['1']);
  // The home vault has each version first, and readers without a version get that of its region.
  expect(await latest('westeurope')).toBe('1');
  expect(await latest('northeurope')).toBe('2');
  expect((await recorded())?.regions).toEqual({ westeurope: 1, northeurope: 2, eastus: 1 });

  for (const when of ['now', 'afterUpgrade'] as const)
    azm.world.azure.setInstanceHealth({ id: instance, health: 'healthy', when });
  await azm.secret('out', { ...spec, pinnedVersion: 1 }, renewed('one'));
  await untilWanted(everywhere(1));
  await azm.reason('out', 'VersionPinned');
  expect(await latest('northeurope')).toBe('1');
  expect((await recorded())?.step).toBeUndefined();
}, 180_000);

const use = { managedSecret: 'out', delivery: 'OsProfile' };

test('a good version goes from region to region, and each has it before the next one', async () => {
  // A person may ask for the next version a minute after the last one.
  azm.clock.advance(60_000);
  await azm.secret('out', spec, renewed('two'));
  const seen: string[] = [];
  await until(
    'version 3 is everywhere',
    async () => {
      const text = JSON.stringify((await recorded())?.regions);
      if (seen.at(-1) !== text) seen.push(text);
      return text === JSON.stringify(everywhere(3));
    },
    120_000,
  );
  await untilWanted(everywhere(3));
  await azm.version('out', 3);
  const regions = seen.map((text) => JSON.parse(text) as Record<Location, number>);
  // Version 2 waited for the end of the pin, and version 3 takes over as soon as it is there.
  for (const { westeurope, northeurope, eastus } of regions) {
    expect([northeurope, westeurope, eastus]).toEqual([northeurope, westeurope, eastus].toSorted((a, b) => b - a));
  }
  await until('the rollout is done', async () => (await azm.ready('out'))['status']?.rollout.phase === 'Done');
}, 180_000);

test('without the rollout a version goes everywhere at once, and the next rollout begins from there', async () => {
  const { rollout: _, ...rest } = spec;
  await azm.secret('out', rest, renewed('two'));
  await until('the vault has no state', async () => (await recorded()) === undefined);
  await azm.secret('out', spec, renewed('two'));
  await until('the vault has the state', async () => (await recorded())?.regions['eastus'] === 3);
  expect(await wanted()).toEqual(everywhere(3));
}, 120_000);
