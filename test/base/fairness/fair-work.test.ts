import { expect, test } from '@jest/globals';
import { systemClock } from '../../../runtime/base/clock.ts';
import { FairWork } from '../../../runtime/base/fairness/fair-work.ts';

test('pieces of one key, however many and long, run after one of every other key', async () => {
  const work = new FairWork();
  const ran: string[] = [];
  const spin = () => {
    const end = performance.now() + 3;
    while (performance.now() < end);
  };
  for (let i = 0; i < 50; i++) {
    work.add('greedy', `greedy ${i}`, () => {
      spin();
      ran.push(`greedy ${i}`);
    });
  }
  work.add('neighbour', 'one', () => ran.push('one'));
  expect(await work.result('third', 'answer', () => 42)).toBe(42);
  expect(ran.slice(0, 2)).toEqual(['greedy 0', 'one']);
  expect(ran.length).toBeLessThan(50);
  await work.whenDone();
  expect([ran.length, work.size]).toEqual([51, 0]);
  await work.whenDone();
});

test('a wait for the pieces so far ends although a key adds pieces without a pause', async () => {
  const work = new FairWork();
  let ends = false;
  let ran = 0;
  const again = () => {
    ran++;
    if (ends) return;
    work.add('greedy', 'one', again);
    work.add('greedy', 'other', again);
  };
  again();
  work.add('neighbour', 'own', () => ran++);
  await work.whenDone();
  expect(ran).toBeGreaterThanOrEqual(4);
  expect(work.size).toBe(2);
  ends = true;
  await work.whenDone();
  expect(work.size).toBe(0);
});

test('timers and sockets get their turn between slices', async () => {
  const work = new FairWork();
  let ran = 0;
  for (let i = 0; i < 20; i++) {
    work.add('greedy', String(i), () => {
      const end = performance.now() + 5;
      while (performance.now() < end);
      ran++;
    });
  }
  await new Promise((resolve) => setTimeout(resolve, 0));
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(ran).toBeLessThan(20);
});

test('a piece that is added again replaces the earlier one, and the result of a failed one is its error', async () => {
  const work = new FairWork();
  const ran: string[] = [];
  work.add('a', 'id', () => ran.push('old'));
  work.add('a', 'id', () => ran.push('new'));
  const failing = work.result('a', 'result', () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(ran).toEqual(['new']);
});

test('a key pauses after its work so that it has only its share of the time; a new key does not wait for it', async () => {
  let now = 0;
  const pauses: number[] = [];
  const resumed = Promise.withResolvers<void>();
  const clock = {
    ...systemClock,
    monotonic: () => now,
    sleep: async (ms: number) => {
      pauses.push(ms);
      await resumed.promise;
      now += ms;
    },
  };
  const work = new FairWork({ clock, sliceMs: 0, timeShare: 1 / 5 });
  const takes10 = () => {
    now += 10;
  };
  work.add('greedy', 'first', takes10);
  const second = work.result('greedy', 'second', () => now);
  expect(await work.result('neighbour', 'one', () => now)).toBe(10);
  await new Promise((resolve) => setImmediate(resolve));
  expect([work.size, pauses]).toEqual([1, [40]]);
  expect(await work.result('another', 'one', () => now)).toBe(10);
  resumed.resolve();
  expect(await second).toBe(50);
  expect(pauses).toEqual([40]);
});
