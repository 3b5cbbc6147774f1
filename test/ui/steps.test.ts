import { expect, test } from '@jest/globals';
import { stepsOf } from '../../runtime/ui/cluster/steps.ts';
import { object } from '../view/support.ts';

const run = (status: unknown) => object('azimuth.dev/v1alpha1', 'ComputeRun', 'web-1', { status });

test('a run has its locations and resources as steps, those first that have not succeeded', () => {
  const blocks = [
    { resource: 'Subnet.network.azure.com/web', state: 'Succeeded', pipeline: 'network' },
    {
      resource: 'VirtualMachine.compute.azure.com/web',
      state: 'Failed',
      reason: 'SkuNotAvailable',
      message: 'no\u202e',
    },
  ];
  const locations = [{ location: 'westeurope', state: 'Running' }];
  const vm = 'compute.azure.com/VirtualMachine/demo/web';
  expect(stepsOf(run({ blocks, locations }))).toEqual([
    { name: 'westeurope', id: '', state: 'Running', reason: '', message: '' },
    {
      name: 'VirtualMachine.compute.azure.com/web',
      id: vm,
      state: 'Failed',
      reason: 'SkuNotAvailable',
      message: 'no\\u202e',
    },
    {
      name: 'Subnet.network.azure.com/web',
      id: 'network.azure.com/Subnet/demo/web',
      state: 'Succeeded',
      reason: '',
      message: '',
    },
  ]);
});

test.each([undefined, null, 'text', { blocks: 7 }, { blocks: [null, 1, { resource: {} }], locations: [[]] }])(
  'a status of any form makes steps of texts: %j',
  (status) => {
    for (const step of stepsOf(run(status))) {
      for (const text of Object.values(step)) expect(typeof text).toBe('string');
    }
  },
);

test('other kinds have no steps, and a long run has a part of them', () => {
  const blocks = Array.from({ length: 1000 }, (_, index) => ({ resource: `K.g/n${index}`, state: 'Waiting' }));
  expect(stepsOf(run({ blocks }))).toHaveLength(200);
  expect(stepsOf({ ...run({ blocks }), kind: 'StorageAccount' })).toEqual([]);
});
