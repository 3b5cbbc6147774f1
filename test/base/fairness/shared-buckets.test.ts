import { expect, test } from '@jest/globals';
import { SharedBuckets } from '../../../runtime/base/fairness/shared-buckets.ts';

const size = { capacity: 2, refillPerSecond: 1 };

test('each key has a bucket that refills; a count of 0 only asks', () => {
  const buckets = new SharedBuckets(10);
  const take = (key: string, now: number, count?: number) =>
    buckets.take({ key, size }, now, count === undefined ? {} : { count });
  expect([take('a', 0), take('a', 0), take('a', 0), take('b', 0)]).toEqual([true, true, false, true]);
  expect([take('a', 1000, 0), take('a', 1000), take('a', 1000, 0)]).toEqual([true, true, false]);
});

test('a share with many keys evicts no bucket of another', () => {
  const buckets = new SharedBuckets(10);
  const take = (key: string, share: string) => buckets.take({ key, size }, 0, { share });
  take('kept', 'quiet');
  take('kept', 'quiet');
  for (let index = 0; index < 100; index++) take(`${index}`, 'noisy');
  expect(take('kept', 'quiet')).toBe(false);
});
