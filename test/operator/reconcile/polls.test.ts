import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KubeClient } from '../../../runtime/kube/client/types.ts';
import { clientWith } from '../../fakes/client-with.ts';
import { armRequests, startWorld, types, until, untilReady, type World } from '../support.ts';

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
  world.azure.settings.operationMs = 600_000;
  const spec = { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner: { name: 'rg' } };
  await world.apply(types.account, 'polled', spec);
  const polled = (times: number) =>
    until(`${times} polls`, async () => armRequests(world, 'GET', /operations/i).length >= times);
  await polled(3);
  const before = writes;
  await polled(12);
  expect([before > 0, writes - before]).toEqual([true, 0]);
});
