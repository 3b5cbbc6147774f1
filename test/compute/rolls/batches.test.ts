import { expect, test } from '@jest/globals';
import {
  batchCount,
  batchSize,
  type InstanceState,
  nextManualBatch,
  roundedPercent,
  stopAfterBatch,
  stopBeforeBatch,
} from '../../../runtime/compute/rolls/batches.ts';

test.each([
  [0, 20, 0, 0],
  [1, 20, 1, 1],
  [6, 20, 1, 6],
  [9, 20, 1, 9],
  [10, 20, 2, 5],
  [101, 20, 20, 6],
  [100, 5, 5, 20],
  [19, 5, 1, 19],
  [1000, 20, 200, 5],
  [5, 100, 1, 5],
])('%i instances at %i percent go in batches of %i, %i times', (instances, percent, size, batches) => {
  expect([batchSize(instances, percent), batchCount(instances, percent)]).toEqual([size, batches]);
});

test('an upgrade stops at strictly more unhealthy instances than the threshold', () => {
  const before = (unhealthy: number) => stopBeforeBatch({ instances: 10, unhealthy, upgraded: 0 }, 20);
  expect([before(2), before(3)]).toEqual([undefined, 'MaxUnhealthyInstancePercentExceededBeforeRollingUpgrade']);
  const after = (unhealthyUpgraded: number, percent = 20) =>
    stopAfterBatch({ upgraded: 20, unhealthyUpgraded }, percent);
  expect([after(4), after(5), after(0, 0), after(1, 0)].map((code) => code !== undefined)).toEqual([
    false,
    true,
    false,
    true,
  ]);
  expect(stopAfterBatch({ upgraded: 0, unhealthyUpgraded: 0 }, 0)).toBeUndefined();
});

test('percentages round up for surge and down for unavailable', () => {
  expect(roundedPercent(10, 25)).toEqual({ maxSurge: 3, maxUnavailable: 2 });
});

const instance = (id: number, state: Partial<InstanceState> = {}): InstanceState => ({
  id: String(id),
  latestModelApplied: false,
  healthy: true,
  ...state,
});

test('unhealthy and stopped instances go first, and healthy ones only while fewer than a batch are out of service', () => {
  const rest = Array.from({ length: 8 }, (_, id) => instance(id + 2));
  expect(nextManualBatch([instance(0), instance(1, { healthy: false }), ...rest], 20)).toEqual(['1', '0']);
  const stopped = { ...instance(1), running: false };
  expect(nextManualBatch([instance(0), stopped, ...rest], 20)).toEqual(['1', '0']);
});

test('upgraded instances that fell ill make batches smaller, and end them at the limit', () => {
  const ill = (count: number) =>
    Array.from({ length: count }, (_, id) => instance(id, { latestModelApplied: true, healthy: false }));
  const rest = Array.from({ length: 95 }, (_, id) => instance(id + 5));
  expect(nextManualBatch([...ill(5), ...rest], 20)).toHaveLength(15);
  expect(nextManualBatch([...ill(5), ...rest], 5)).toEqual([]);
});

test('an ill instance that is protected keeps no other from the model', () => {
  const rest = Array.from({ length: 4 }, (_, id) => instance(id + 1));
  expect(nextManualBatch([instance(0, { held: true, healthy: false }), ...rest], 20)).toEqual(['1']);
});

test('a protected instance and one that is updated are in no batch, and one call names 200 at most', () => {
  const all = [instance(0, { held: true }), instance(1, { upgrading: true }), instance(2), instance(3)];
  expect(nextManualBatch(all, 50, 10)).toEqual(['2', '3']);
  expect(
    nextManualBatch(
      Array.from({ length: 1000 }, (_, id) => instance(id)),
      100,
    ),
  ).toHaveLength(200);
});
