import { expect, test } from '@jest/globals';
import { bucketsOfPolicy, bucketsOfWrite, computePolicies } from '../../../runtime/compute/limits/throttling.ts';

const group = '/subscriptions/S1/resourceGroups/rg/providers/Microsoft.Compute';
const at = (resourceId: string) => ({ subscriptionId: 'S1', region: 'WestEurope', resourceId });
const rows = (buckets: ReturnType<typeof bucketsOfWrite>) =>
  buckets.map(({ key, size }) => [key, Math.round(size.refillPerSecond * 60), size.capacity]);

test('the PUT of a machine takes from its own bucket and from that of its subscription and region', () => {
  const target = at(`${group}/virtualMachines/vm1`);
  const expected = [
    [`putvm ${group}/virtualMachines/vm1`.toLowerCase(), 4, 12],
    ['putvm s1/westeurope', 500, 1500],
  ];
  for (const action of ['Create', 'Modify'] as const) {
    expect(rows(bucketsOfWrite('Microsoft.Compute/virtualMachines', action, target))).toEqual(expected);
  }
  const [own, shared] = bucketsOfWrite('microsoft.compute/VirtualMachines', 'Delete', target);
  expect([own?.key.split(' ')[0], shared?.key]).toEqual(['deletevm', 'deletevm s1/westeurope']);
});

test('creating, modifying and deleting a scale set count apart', () => {
  const target = at(`${group}/virtualMachineScaleSets/set`);
  const shared = (action: 'Create' | 'Modify' | 'Delete') =>
    rows(bucketsOfWrite('Microsoft.Compute/virtualMachineScaleSets', action, target))[1];
  expect(shared('Create')).toEqual(['putscaleset s1/westeurope', 125, 375]);
  expect(shared('Modify')).toEqual(['updatescaleset s1/westeurope', 500, 1500]);
  expect(shared('Delete')).toEqual(['deletescaleset s1/westeurope', 175, 525]);
});

test('an extension counts for its machine, and other types have no bucket', () => {
  const vm = `${group}/virtualMachines/vm1`;
  const [own] = bucketsOfWrite('Microsoft.Compute/virtualMachines/extensions', 'Create', at(`${vm}/extensions/kv`));
  expect(own?.key).toBe(`updatevm ${vm}`.toLowerCase());
  const [named] = bucketsOfWrite('Microsoft.Compute/virtualMachines/extensions', 'Delete', at('team/kv'));
  expect(named?.key).toBe('updatevm team/kv');
  expect(bucketsOfWrite('Microsoft.Network/virtualNetworks', 'Create', at('/x'))).toEqual([]);
});

test('each policy refills a third of its capacity a minute, and a list has no bucket of one machine', () => {
  for (const { subscription, ...rest } of Object.values(computePolicies)) {
    for (const size of [subscription, ...Object.values(rest)]) {
      expect(size.refillPerSecond * 180).toBeCloseTo(size.capacity);
    }
  }
  expect(rows(bucketsOfPolicy('ListVMs', at('')))).toEqual([['listvms s1/westeurope', 300, 900]]);
  expect(rows(bucketsOfPolicy('GetScaleSet', at('x')))).toEqual([
    ['getscaleset x', 12, 36],
    ['getscaleset s1/westeurope', 800, 2400],
  ]);
});
