import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { crdManifest } from '../../../runtime/api/crd.ts';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { customResourceDefinitions } from '../../conformance/resources.ts';
import { LateWatch } from '../../fakes/late-watch.ts';
import { armRequests, condition, startWorld, types, until, untilReady, type World } from '../support.ts';

let world: World;
/** The watches of the second operator. */
const late = new LateWatch();

beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  late.close();
  await world?.close();
});

test('a replica that takes the lease with a late cache does not write to an ARM id that another object owns', async () => {
  const first = await world.startOperator({}, { lease: true });
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await untilReady(world, types.group, 'rg');
  const second = await world.startOperator({}, { lease: true, wrap: late.wrap });
  await until('the second replica stands by', async () => world.log.some((line) => line.includes('standing by')));
  late.hold('StorageAccount');

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
  await second.stop();
});

test('nor does it where the definition of the other object’s kind is as new', async () => {
  late.close();
  const lines = world.log.length;
  const first = await world.startOperator({}, { lease: true, kinds: '' });
  await until('the first replica leads', async () =>
    world.log.slice(lines).some((line) => line.includes('lease acquired')),
  );
  const second = await world.startOperator({}, { lease: true, kinds: '', wrap: late.wrap });
  await until('the second replica stands by', async () =>
    world.log.slice(lines).some((line) => line.includes('standing by')),
  );
  late.hold('CustomResourceDefinition');

  const address = kindOf('network.azure.com', 'PublicIPAddress');
  await world.client.create(
    customResourceDefinitions,
    crdManifest(address, { versions: 'newest' }) as unknown as KubeObject,
  );
  const name = 'address';
  const sku = { name: 'Standard' };
  const properties = { publicIPAllocationMethod: 'Static' };
  await world.apply(resourceOf(address), name, { location: 'westeurope', sku, ...properties, owner: { name: 'rg' } });
  await untilReady(world, resourceOf(address), name);
  await first.stop();

  await world.apply(types.armResource, 'third', {
    type: 'Microsoft.Network/publicIPAddresses@2023-04-01',
    azureName: name,
    owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'rg' },
    body: { location: 'westeurope', sku, properties, tags: { of: 'third' } },
  });
  await until('the other object is reconciled', async () => {
    const { reason } = condition(await world.get(types.armResource, 'third')) ?? {};
    return reason !== undefined && reason !== 'Reconciling';
  });
  expect(condition(await world.get(types.armResource, 'third'))).toMatchObject({ reason: 'ReconciliationBlocked' });
  expect(armRequests(world, 'PUT', new RegExp(`/${name}$`))).toHaveLength(1);
  await second.stop();
});
