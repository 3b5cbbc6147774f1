import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KubeClient } from '../../../runtime/kube/client/types.ts';
import { clientWith } from '../../fakes/client-with.ts';
import { armRequests, startWorld, types, untilReady, type World } from '../support.ts';

let world: World;
let writes = 0;
const counted = (client: KubeClient) =>
  clientWith(client, {
    patch(...args: Parameters<KubeClient['patch']>) {
      const [type] = args;
      if (type.plural === types.account.plural) writes++;
      return client.patch(...args);
    },
  });
beforeAll(async () => {
  world = await startWorld();
  await world.startOperator({}, { wrap: counted });
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await untilReady(world, types.group, 'rg');
});
afterAll(() => world?.close());

test('the polls of an operation do not write the object, though each answer signs the URL again', async () => {
  world.azure.settings.operationMs = 2000;
  const spec = { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner: { name: 'rg' } };
  await world.apply(types.account, 'polled', spec);
  await untilReady(world, types.account, 'polled');
  const polls = armRequests(world, 'GET', /operations/i);
  expect(polls.length).toBeGreaterThan(8);
  expect(writes).toBeLessThan(8);
});
