/** What one namespace writes to slow the operator down, or to use up its memory. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ScaledClock } from '../fakes/scaled-clock.ts';
import { condition, startWorld, types, until, untilReady, type World } from './support.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
  // Eight minutes of a run are four seconds.
  await world.startOperator({}, { clock: new ScaledClock(120) });
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await untilReady(world, types.group, 'rg');
});
afterAll(() => world?.close());

test('an object whose service does not answer has the reason, and its run ends before liveness reports it', async () => {
  world.azure.faults.add({ service: 'arm', method: 'POST', path: '/listKeys', times: 0, connection: 'hang' });
  await world.apply(types.armResource, 'slow', {
    type: 'Microsoft.Storage/storageAccounts@2023-05-01',
    owner: { name: 'rg' },
    body: { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' } },
    operatorSpec: { secrets: [{ name: 'keys', key: 'key', action: 'listKeys', path: 'keys[0].value' }] },
  });
  const ready = await until('its condition has the reason', async () => {
    const found = condition(await world.get(types.armResource, 'slow'));
    return found?.message?.includes('did not end within 480 s') && found;
  });
  expect(ready).toMatchObject({ status: 'False', severity: 'Warning' });
});
