import { expect, test } from '@jest/globals';
import { type Item, setUp } from './queue-on-clock.ts';

test('a delayed item appears at its time, the earliest of several', async () => {
  const { clock, queue } = setUp();
  queue.add({ id: 'a' }, { delayMs: 500 });
  queue.add({ id: 'a' }, { delayMs: 200 });
  queue.add({ id: 'a' }, { delayMs: 900 });
  queue.add({ id: 'b' }, { delayMs: 100 });
  await clock.advance(99);
  expect(queue.depth).toBe(0);
  await clock.advance(1);
  expect((await queue.take())?.id).toBe('b');
  await clock.advance(100);
  expect((await queue.take())?.id).toBe('a');
  await clock.advance(10_000);
  expect(queue.depth).toBe(0);
});

test('taking an item drops what was scheduled for later; scheduling while it runs is kept', async () => {
  const { clock, queue } = setUp();
  queue.add({ id: 'a' }, { delayMs: 500 });
  queue.add({ id: 'a' });
  const item = (await queue.take()) as Item;
  expect(queue.delayed).toBe(0);
  queue.add({ id: 'a' }, { delayMs: 100 });
  await clock.advance(200);
  expect(queue.depth).toBe(0);
  queue.done(item);
  expect(queue.depth).toBe(1);
});

test('delays beyond the range of a timer do not fire at once', async () => {
  const { clock, queue } = setUp();
  queue.add({ id: 'a' }, { delayMs: 2 ** 31 + 5000 });
  await clock.advance(2 ** 31);
  expect(queue.depth).toBe(0);
  await clock.advance(5000);
  expect(queue.depth).toBe(1);
});

test('failures are delayed ever longer until forgotten, and those of one key do not count for the next', () => {
  const { queue } = setUp();
  const old = { id: 'ns/a', uid: 'uid-1' };
  expect([1, 2, 3, 4, 5, 6].map(() => queue.retry(old))).toEqual([100, 200, 400, 800, 1000, 1000]);
  expect(queue.retry({ id: 'ns/a', uid: 'uid-2' })).toBe(100);
  expect(queue.failures(old)).toBe(0);
  queue.retry(old);
  queue.forget(old);
  expect(queue.retry(old)).toBe(100);
});

test('the delay that the other side asks for is kept exactly', async () => {
  const { clock, queue } = setUp();
  expect(queue.retry({ id: 'a' }, 7000)).toBe(7000);
  await clock.advance(6999);
  expect(queue.depth).toBe(0);
  await clock.advance(1);
  expect(queue.depth).toBe(1);
});
