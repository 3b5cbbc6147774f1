import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { leasesType } from '../../runtime/kube/leader-election/lease-record.ts';
import { startWorld, types, until, untilReady, type World } from './support.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ deployments: true });
});
afterAll(() => world.close());

const leading = () => world.log.filter((line) => line.includes('lease acquired')).length;

test('an operator that lost its lease stands by, and works again once it has the lease', async () => {
  await world.startOperator({}, { lease: true });
  await until('it leads', () => leading() === 1);
  const key = { namespace: 'default', name: 'azimuth-operator' };
  const taken = { holderIdentity: 'other', renewTime: new Date().toISOString().replace('Z', '000Z') };
  await world.client.patch(leasesType, key, { type: 'merge', body: { spec: taken } });
  await until('it stands by', () => world.log.some((line) => line.includes('this replica is a standby again')));
  await world.client.delete(leasesType, key);
  await until('it leads again', () => leading() === 2);
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  expect((await untilReady(world, types.group, 'rg'))['status'].id).toContain('resourceGroups/rg');
});
