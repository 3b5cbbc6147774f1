import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  batchCount,
  batchSize,
  type InstanceState,
  nextManualBatch,
  roundedPercent,
  stopAfterBatch,
  stopBeforeBatch,
  unavailableLimit,
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

test('a limit is a count, or a percentage rounded down that lets one go at least', () => {
  expect([unavailableLimit(10, 3), unavailableLimit(10, '25%'), unavailableLimit(1, '50%')]).toEqual([3, 2, 1]);
  for (const wrong of [0, -1, 1.5, Number.NaN, '0%', '101%', '20', '20 %', '', '1e2%']) {
    expect(() => unavailableLimit(10, wrong)).toThrow(/a count of 1 or more, or a percentage such as "20%"/);
  }
});

const instance = (id: number, state: Partial<InstanceState> = {}): InstanceState => ({
  id: String(id),
  latestModelApplied: false,
  healthy: true,
  ...state,
});

test('unhealthy instances go first and take nothing from the limit', () => {
  const set = [instance(0), instance(1, { healthy: false }), instance(2), instance(3)];
  expect(nextManualBatch(set, 2)).toEqual({ ids: ['1', '0'], state: 'Send', unavailable: 1 });
});

test('upgraded instances that fell ill make batches smaller, and stop them at the limit', () => {
  const ill = Array.from({ length: 5 }, (_, id) => instance(id, { latestModelApplied: true, healthy: false }));
  const rest = Array.from({ length: 95 }, (_, id) => instance(id + 5));
  expect(nextManualBatch([...ill, ...rest], '20%').ids).toHaveLength(15);
  expect(nextManualBatch([...ill, ...rest], 5)).toEqual({ ids: [], state: 'Stopped', unavailable: 5 });
});

test('a batch under way is waited for, and does not let more go than the limit', () => {
  const moving = [instance(0, { upgrading: true }), instance(1, { upgrading: true }), instance(2)];
  expect(nextManualBatch(moving, 2)).toEqual({ ids: [], state: 'Waiting', unavailable: 2 });
  expect(nextManualBatch(moving, 3)).toMatchObject({ ids: ['2'], state: 'Send' });
  const last = [instance(0, { latestModelApplied: true }), instance(1, { latestModelApplied: true, upgrading: true })];
  expect(nextManualBatch(last, 1).state).toBe('Waiting');
});

test('every set is finished in the end, no more than the limit is out of service, and no instance is upgraded twice', () => {
  const sizes = fc.record({
    count: fc.integer({ min: 0, max: 60 }),
    limit: fc.oneof(
      fc.integer({ min: 1, max: 70 }),
      fc.integer({ min: 1, max: 100 }).map((percent) => `${percent}%`),
    ),
    sick: fc.array(fc.nat(59)),
  });
  fc.assert(
    fc.property(sizes, ({ count, limit, sick }) => {
      let set = Array.from({ length: count }, (_, id) => instance(id, { healthy: !sick.includes(id) }));
      const most =
        count === 0 ? 0 : Math.max(unavailableLimit(count, limit), set.filter((each) => !each.healthy).length);
      const done = new Set<string>();
      for (let turn = 0; turn <= count; turn++) {
        const { ids, state } = nextManualBatch(set, limit);
        if (state === 'Done') break;
        expect(state).toBe('Send');
        const going = new Set(ids);
        for (const id of ids) expect(done.has(id)).toBe(false);
        for (const id of ids) done.add(id);
        expect(set.filter((each) => !each.healthy || going.has(each.id)).length).toBeLessThanOrEqual(most);
        set = set.map((each) => (going.has(each.id) ? { ...each, latestModelApplied: true, healthy: true } : each));
      }
      expect(nextManualBatch(set, limit).state).toBe('Done');
      expect(done.size).toBe(count);
    }),
  );
});
