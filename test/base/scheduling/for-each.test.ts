import { expect, test } from '@jest/globals';
import { forEachAtMost } from '../../../runtime/base/scheduling/for-each.ts';

test('all items are worked on, no more at a time than allowed', async () => {
  let active = 0;
  let most = 0;
  const seen: number[] = [];
  await forEachAtMost(2, [1, 2, 3, 4, 5], async (item) => {
    most = Math.max(most, ++active);
    await Promise.resolve();
    seen.push(item);
    active--;
  });
  expect(most).toBe(2);
  expect(seen).toEqual([1, 2, 3, 4, 5]);
});

test('the first error rejects, and no further item starts', async () => {
  const started: number[] = [];
  const work = async (item: number) => {
    started.push(item);
    await Promise.resolve();
    if (item === 1) throw new Error('no');
  };
  await expect(forEachAtMost(1, [1, 2, 3], work)).rejects.toThrow('no');
  expect(started).toEqual([1]);
});
