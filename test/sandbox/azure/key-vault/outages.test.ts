import { expect, test } from '@jest/globals';
import { data, group, machine, machineId, secret, vault, write } from '../arm/compute/machines.ts';
import { azure } from '../arm/world.ts';

test('a vault, or all of a region, does not answer or answers 503 until the outage ends', async () => {
  const [west, other, east] = [await vault('west'), await vault('other'), await vault('east', {}, 'eastus')];
  for (const { url } of [west, other, east]) await secret(url, 'a', 'v');
  const states = async () =>
    await Promise.all(
      [west, other, east].map(({ url }) =>
        data('GET', `${url}secrets/a`).then(
          ({ status }) => status,
          () => 'no answer',
        ),
      ),
    );
  azure.vaultOutages.set({ vault: 'West' }, 'unavailable');
  expect(await states()).toEqual([503, 200, 200]);
  azure.vaultOutages.set({ location: 'West US 2' }, 'unreachable');
  expect(await states()).toEqual([503, 'no answer', 200]);
  azure.vaultOutages.set({ vault: 'west' }, 'none');
  expect(await states()).toEqual(['no answer', 'no answer', 200]);
  azure.vaultOutages.set({ location: 'westus2' }, 'none');
  expect(await states()).toEqual([200, 200, 200]);
  expect(() => azure.vaultOutages.set({}, 'unreachable')).toThrow(/a vault or a location/);
});

test('a machine whose vault is away is not created', async () => {
  const { id, url } = await vault('away');
  const osProfile = { secrets: [group(id, await secret(url, 'c', 'v'))] };
  azure.vaultOutages.set({ vault: 'away' }, 'unreachable');
  expect(await write('PUT', machineId(), machine(osProfile))).toMatchObject({ code: 'InternalExecutionError' });
});
