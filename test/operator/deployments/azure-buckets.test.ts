import { expect, test } from '@jest/globals';
import { bucketsOfObject } from '../../../runtime/operator/deployments/azure-buckets.ts';

const vm = (name: string) => `VirtualMachine.compute.azure.com/${name}`;
const at = (key: string, pipeline?: 'vm' | 'scaleSet' | 'network') => {
  return { namespace: 'team', location: 'WestEurope', key, pipeline };
};
const keys = (...of: Parameters<typeof bucketsOfObject>) => bucketsOfObject(...of).map(({ key }) => key);

test('machines take from their own bucket and from that of their namespace in the region, other kinds from none', () => {
  expect(keys(at(vm('Web')), 'Create')).toEqual([
    'putvm team/virtualmachine.compute.azure.com/web',
    'putvm team/westeurope',
  ]);
  expect(keys(at('VirtualMachineScaleSet.compute.azure.com/web'), 'Modify')[1]).toBe('updatescaleset team/westeurope');
  expect(keys(at('VirtualMachinesExtension.compute.azure.com/kv'), 'Create')[1]).toBe('updatevm team/westeurope');
  expect(keys(at('ArmResource.azimuth.dev/web', 'scaleSet'), 'Delete')[1]).toBe('deletescaleset team/westeurope');
  expect(keys(at('VirtualNetwork.network.azure.com/net', 'network'), 'Create')).toEqual([]);
  expect(keys(at('ArmResource.azimuth.dev/gone'), 'Delete')).toEqual([]);
});
