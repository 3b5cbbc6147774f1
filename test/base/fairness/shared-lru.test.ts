import { expect, test } from '@jest/globals';
import { SharedLru } from '../../../runtime/base/fairness/shared-lru.ts';

test('a full cache evicts the least recently used entry of the largest share', () => {
  const cache = new SharedLru<number>(3);
  cache.set('a', 1, 'noisy');
  cache.set('b', 2, 'noisy');
  cache.set('c', 3, 'quiet');
  expect(cache.get('a')).toBe(1);
  cache.set('d', 4, 'noisy');
  expect(['a', 'b', 'd'].map((key) => cache.get(key))).toEqual([1, undefined, 4]);
  cache.set('e', 5, 'third');
  expect(cache.size).toBe(3);
  expect(['a', 'c', 'd', 'e'].map((key) => cache.get(key))).toEqual([undefined, 3, 4, 5]);
});

test('a share that stores any number of entries never evicts the entry of another', () => {
  const cache = new SharedLru<number>(10);
  cache.set('kept', 0, 'quiet');
  for (let i = 0; i < 1000; i++) cache.set(`${i}`, i, 'noisy');
  expect(cache.get('kept')).toBe(0);
  expect(cache.get('999')).toBe(999);
  expect(cache.size).toBe(10);
});

test('a stored entry replaces the former one, of another share too, and a deleted one makes room', () => {
  const cache = new SharedLru<string>(2);
  cache.set('a', 'first', 'x');
  cache.set('a', 'second', 'y');
  cache.set('b', 'third', 'x');
  expect([cache.size, cache.get('a')]).toEqual([2, 'second']);
  expect([cache.delete('b'), cache.delete('b'), cache.delete('c')]).toEqual([true, false, false]);
  cache.set('c', 'fourth', 'x');
  expect([cache.get('a'), cache.get('c'), cache.size]).toEqual(['second', 'fourth', 2]);
});

test('entries count by their weight: the heaviest share makes room, and one that is too heavy stays alone', () => {
  const cache = new SharedLru<string>(10);
  cache.set('small', 's', 'quiet', 2);
  cache.set('a', 'a', 'noisy', 4);
  cache.set('b', 'b', 'noisy', 4);
  cache.set('c', 'c', 'noisy', 8);
  expect([cache.size, cache.has('small'), cache.has('c')]).toEqual([2, true, true]);
  // The same entry again needs no room.
  cache.set('c', 'again', 'noisy', 8);
  expect([cache.get('small'), cache.get('c')]).toEqual(['s', 'again']);
  cache.set('d', 'd', 'third', 3);
  expect([cache.has('small'), cache.has('c'), cache.has('d')]).toEqual([true, false, true]);
  cache.set('huge', 'h', 'noisy', 99);
  expect([cache.size, cache.get('huge')]).toEqual([1, 'h']);
  cache.set('e', 'e', 'quiet', 10);
  expect([cache.size, cache.get('e')]).toEqual([1, 'e']);
});
