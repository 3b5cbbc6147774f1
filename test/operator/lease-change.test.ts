import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { unlessAborted } from '../../runtime/base/abort.ts';
import type { KubeClient, ResourceType, WatchOptions } from '../../runtime/kube/client/types.ts';
import { armRequests, condition, startWorld, types, until, untilReady, type World } from './support.ts';

let world: World;
/** Ends the delay of the news that the second operator gets of StorageAccounts. */
const delay = Promise.withResolvers<void>();
let delaying = false;

function withLateNews(client: KubeClient): KubeClient {
  return new Proxy(client, {
    get(target, member) {
      if (member === 'watch') {
        return async function* late(type: ResourceType, options: WatchOptions) {
          for await (const event of target.watch(type, options)) {
            const { signal } = options;
            if (delaying && type.kind === 'StorageAccount' && signal) await unlessAborted(delay.promise, signal);
            yield event;
          }
        };
      }
      const value: unknown = Reflect.get(target, member);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  delay.resolve();
  await world?.close();
});

test('a replica that takes the lease with a late cache does not write to an ARM id that another object owns', async () => {
  const first = await world.startOperator({}, { lease: true });
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await untilReady(world, types.group, 'rg');
  await world.startOperator({}, { lease: true, wrap: withLateNews });
  await until('the second replica stands by', async () => world.log.some((line) => line.includes('standing by')));
  delaying = true;

  const name = 'owned';
  const spec = { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner: { name: 'rg' } };
  await world.apply(types.account, name, spec);
  await untilReady(world, types.account, name);
  await first.stop();

  await world.apply(types.armResource, 'second', {
    type: 'Microsoft.Storage/storageAccounts@2023-01-01',
    azureName: name,
    owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'rg' },
    body: { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, tags: { of: 'second' } },
  });
  await until('the second object is reconciled', async () => {
    const { reason } = condition(await world.get(types.armResource, 'second')) ?? {};
    return reason !== undefined && reason !== 'Reconciling';
  });
  expect(condition(await world.get(types.armResource, 'second'))).toMatchObject({
    reason: 'ReconciliationBlocked',
    message: expect.stringContaining(`StorageAccount default/${name} already manages`),
  });
  expect(armRequests(world, 'PUT', new RegExp(`/${name}$`))).toHaveLength(1);
});
