import { expect, test } from '@jest/globals';
import { findCycle } from '../../runtime/base/cycle.ts';

const find = (edges: Readonly<Record<string, string[]>>) => findCycle(Object.keys(edges), (key) => edges[key] ?? []);

test('a circle is found behind the node that leads to it, and a diamond is none', () => {
  expect(find({ a: ['b'], b: ['c'], c: ['b'] })).toEqual(['b', 'c', 'b']);
  expect(find({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] })).toBeUndefined();
  expect(find({ a: ['a'] })).toEqual(['a', 'a']);
  expect(find({ a: ['nowhere'] })).toBeUndefined();
});

test('a chain of 200,000 nodes does not end the stack', () => {
  const count = 200_000;
  const keys = Array.from({ length: count }, (_, index) => `${index}`);
  const chain = (key: string) => (Number(key) === count - 1 ? [] : [`${Number(key) + 1}`]);
  const circle = (key: string) => [`${(Number(key) + 1) % count}`];
  expect(findCycle(keys, chain)).toBeUndefined();
  expect(findCycle(keys, circle)).toHaveLength(count + 1);
});
