import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { namespaces } from '../conformance/resources.ts';
import { LateWatch } from '../fakes/late-watch.ts';
import { ScaledClock } from '../fakes/scaled-clock.ts';
import { armRequests, gone, startWorld, types, until, untilReady, type World } from './support.ts';

let world: World;
const late = new LateWatch();
const account = { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner: { name: 'rg' } };

beforeAll(async () => {
  world = await startWorld({ clock: new ScaledClock(10) });
  await world.startOperator({}, { wrap: late.wrap });
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await untilReady(world, types.group, 'rg');
});
afterAll(async () => {
  late.close();
  await world?.close();
});

test('the policy of a namespace not to change Azure holds though its watch event is still on its way', async () => {
  const policy = 'serviceoperator.azure.com/reconcile-policy';
  const annotate = (value: string | null) =>
    world.client.patch(
      namespaces,
      { name: 'default' },
      { type: 'merge', body: { metadata: { annotations: { [policy]: value } } } },
    );
  await world.apply(types.account, 'spared', account);
  await untilReady(world, types.account, 'spared');
  const release = late.hold('Namespace');
  try {
    await annotate('skip');
    await world.client.delete(types.account, { namespace: 'default', name: 'spared' });
    await until('the operator found out', async () =>
      world.log.some((line) => line.includes('"spared"') && line.includes('deletion reconciled')),
    );
  } finally {
    release();
  }
  await gone(world, types.account, 'spared');
  expect(armRequests(world, 'DELETE', /\/spared$/)).toEqual([]);
  await annotate(null);
});

test('dependents of an exported ConfigMap are enqueued, also when its watch event comes after the answer to the write', async () => {
  const release = late.hold('ConfigMap');
  try {
    await world.apply(types.roleAssignment, 'reader', {
      owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'rg' },
      principalIdFromConfig: { name: 'late', key: 'principal' },
      principalType: 'ServicePrincipal',
      roleDefinitionReference: { wellKnownName: 'Reader' },
    });
    await untilReady(world, types.roleAssignment, 'reader', 'ConfigMapNotFound');
    await world.apply(types.identity, 'late', {
      location: 'westeurope',
      owner: { name: 'rg' },
      operatorSpec: { configMaps: { principalId: { name: 'late', key: 'principal' } } },
    });
    await untilReady(world, types.identity, 'late');
  } finally {
    release();
  }
  await untilReady(world, types.roleAssignment, 'reader');
});
