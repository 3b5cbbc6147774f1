import { expect, test } from '@jest/globals';
import { FairQueue } from '../../../runtime/base/fairness/fair-queue.ts';

test('keys are served in rotation, and within a key the oldest item goes first', () => {
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

test('a new item waits for the own key and for as many of each other one', () => {
  const queue = new FairQueue<number>();
  for (const item of [1, 2, 3, 4]) queue.add('flood', item);
  queue.add('shop', 5);
  expect([queue.before('flood'), queue.before('shop'), queue.before('third')]).toEqual([5, 3, 2]);
});
