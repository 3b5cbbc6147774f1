import { expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { DelayedSet } from '../../../runtime/kube/controller/delayed-set.ts';

test('what is scheduled and dropped again and again does not pile up, and still comes in order', async () => {
  const clock = new ManualClock();
  const due: number[] = [];
  const set = new DelayedSet<number>(clock, (item) => due.push(item));
  for (let round = 0; round < 2000; round++) {
    for (let item = 0; item < 10; item++) {
      set.drop(String(item));
      set.add(String(item), item, 3_600_000 - round - item);
    }
  }
  expect(set.size).toBe(10);
  expect(set.held).toBeLessThan(1100);
  await clock.advance(3_600_000);
  expect(due).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
  expect(set.held).toBe(0);
});
