import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { namespaces } from '../conformance/resources.ts';
import { condition, startWorldWithGroup, types, until, untilReady, type World } from './support.ts';

let world: World;
beforeAll(async () => {
  world = await startWorldWithGroup();
  const metadata = { name: 'flood' };
  await world.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata });
});
afterAll(() => world?.close());

const runs = () => world.log.filter((line) => line.includes('"name":"large"') && line.includes('reconciled')).length;

test('a large object that changes without a pause has a quarter of the time, and comes to its end', async () => {
  const owner = { armId: `/subscriptions/${world.azure.subscriptionId}/resourceGroups/rg` };
  const text = 'x'.repeat(400 * 1024);
  const spec = (turn: number) => ({
    type: 'Microsoft.Logic/workflows@2019-05-01',
    owner,
    body: { location: 'westeurope', properties: { text, turn } },
  });
  const started = Date.now();
  const turns = 40;
  for (let turn = 0; turn < turns; turn++) {
    await world.apply(types.armResource, 'large', spec(turn), { namespace: 'flood' });
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const allowed = (5000 + (Date.now() - started) / 4) / (400 - 16);
  expect(runs()).toBeLessThan(allowed + 2);
  await world.apply(types.group, 'small', { location: 'westeurope' });
  await untilReady(world, types.group, 'small');
  await until('the last spec is applied', async () => {
    const object = await world.client.get(types.armResource, { namespace: 'flood', name: 'large' });
    const ready = condition(object);
    return ready?.status === 'True' && ready.observedGeneration === object.metadata.generation;
  });
}, 180_000);
