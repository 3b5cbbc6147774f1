import { expect, test } from '@jest/globals';
import {
  additionalDemand,
  demandOf,
  quotaProblem,
  sizeOf,
  uncheckedQuota,
  usagesOf,
} from '../../../runtime/compute/limits/quota.ts';

const set = (capacity: unknown, name = 'Standard_D2s_v3', profile: object = {}) => ({
  sku: { name, capacity },
  properties: { virtualMachineProfile: profile },
});
const vm = (vmSize: string, more: object = {}) => ({ properties: { hardwareProfile: { vmSize }, ...more } });

test.each([
  ['Standard_D2s_v3', 2, 'standarddsv3family'],
  ['Standard_D16ads_v5', 16, 'standarddadsv5family'],
  ['Standard_E4-2s_v5', 2, 'standardesv5family'],
  ['Standard_F8s_v2', 8, 'standardfsv2family'],
  ['Standard_B2s', 2, 'standardbsfamily'],
  ['Standard_A4_v2', 4, 'standardav2family'],
  ['standard_d64_v4', 64, 'standarddv4family'],
])('the size %s has %i cores of %s', (name, cores, family) => {
  expect(sizeOf(name)).toEqual({ cores, family });
});

test.each([
  'Standard_D3_v2',
  'Standard_DS14',
  'Standard_A7',
  'Standard_G5',
  'Basic_A0',
  'D2',
  '',
  'Standard_D2s_v3/..',
  'x'.repeat(10_000),
])('the cores of %s are not known, which is said and refuses nothing', (name) => {
  expect(sizeOf(name)).toBeUndefined();
  expect(demandOf('VirtualMachine', vm(name))).toBeUndefined();
  const problems = uncheckedQuota({ kind: 'VirtualMachine', body: vm(name) });
  expect(problems.map(({ severity }) => severity)).toEqual(name === '' ? [] : ['Warning']);
});

test('a machine needs its cores, those of its family, and itself; a spot machine has cores of its own', () => {
  expect(demandOf('VirtualMachine', vm('Standard_D4s_v5'))).toEqual(
    new Map([
      ['cores', 4],
      ['standarddsv5family', 4],
      ['virtualmachines', 1],
    ]),
  );
  expect(demandOf('VirtualMachineScaleSet', set(10, 'Standard_D2s_v3', { priority: 'Spot' }))).toEqual(
    new Map([
      ['lowprioritycores', 20],
      ['virtualmachinescalesets', 1],
    ]),
  );
  expect(demandOf('VirtualMachineScaleSet', set('many'))?.get('cores')).toBe(0);
});

test('only what is new counts on an update, and a smaller size gives nothing back to another family', () => {
  const demand = (capacity: number, name?: string) =>
    demandOf('VirtualMachineScaleSet', set(capacity, name)) ?? new Map();
  expect(additionalDemand(demand(5), demand(3))).toEqual(
    new Map([
      ['cores', 4],
      ['standarddsv3family', 4],
    ]),
  );
  expect(additionalDemand(demand(3), demand(5))).toEqual(new Map());
  expect(additionalDemand(demand(3, 'Standard_E2s_v5'), demand(3))).toEqual(new Map([['standardesv5family', 6]]));
});

test('the limit itself is no problem, one core more is, and a family without a limit is not checked', () => {
  const usages = usagesOf([
    { name: { value: 'cores' }, currentValue: 6, limit: 10 },
    { name: { value: 'StandardDSv3Family' }, currentValue: 2, limit: 4 },
  ]);
  const problem = (additional: [string, number][]) =>
    quotaProblem('VirtualMachine', 'westeurope', new Map(additional), usages);
  expect(problem([['cores', 4]])).toBeUndefined();
  expect(problem([['standardesv5family', 1000]])).toBeUndefined();
  expect(problem([])).toBeUndefined();
  expect(problem([['cores', 5]])).toMatchObject({
    name: 'QuotaExceeded',
    severity: 'Error',
    message: expect.stringMatching(/^westeurope has 6 of 10 cores in use, and this needs 5 more: .* by itself/),
    azure: {
      code: 'OperationNotAllowed',
      message:
        'Operation results in exceeding quota limits of Core. Maximum allowed: 10, Current in use: 6, Additional requested: 5.',
    },
  });
  expect(problem([['standarddsv3family', 3]])?.message).toContain('2 of 4 standarddsv3family');
});

test('lines of an answer that are no usages are left out', () => {
  const lines = [null, 'x', {}, { name: { value: 7 } }, { name: { value: 'cores' }, currentValue: '6', limit: 10 }];
  expect(usagesOf([...lines, { name: { value: 'cores' }, currentValue: 1, limit: -1 }])).toEqual([]);
});
