import { expect, test } from '@jest/globals';
import { FairQueue } from '../../../runtime/base/fairness/fair-queue.ts';

test('keys take turns, and within a key the oldest item goes first', () => {
  const queue = new FairQueue<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(item.charAt(0), item);
  expect(Array.from({ length: 7 }, () => queue.take())).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
  expect(queue.size).toBe(0);
});

test('an item waits once, can be taken out, and keys can be passed over', () => {
  const queue = new FairQueue<string>();
  expect([queue.add('a', 'a1'), queue.add('a', 'a1'), queue.add('b', 'b1')]).toEqual([true, false, true]);
  expect(queue.size).toBe(2);
  expect(queue.take((key) => key !== 'a')).toBe('b1');
  expect(queue.take((key) => key !== 'a')).toBeUndefined();
  expect([queue.delete('a', 'a1'), queue.delete('a', 'a1')]).toEqual([true, false]);
  expect(queue.take()).toBeUndefined();
});
