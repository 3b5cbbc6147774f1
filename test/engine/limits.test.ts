import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Limits } from '../../runtime/engine/index.ts';

test('no key ever has more in use than its bound, and everything gets its turn', async () => {
  const job = fc.record({ keys: fc.uniqueArray(fc.constantFrom('s1', 's2', 'r1', 'r2')), turns: fc.nat(5) });
  await fc.assert(
    fc.asyncProperty(fc.array(job, { maxLength: 30 }), fc.integer({ min: 1, max: 3 }), async (jobs, bound) => {
      const limits = new Limits(() => bound);
      const inUse = new Map<string, number>();
      await Promise.all(
        jobs.map(({ keys, turns }) =>
          limits.run(keys, async () => {
            for (const key of keys) inUse.set(key, (inUse.get(key) ?? 0) + 1);
            for (const key of keys) expect(inUse.get(key)).toBeLessThanOrEqual(bound);
            for (let turn = 0; turn < turns; turn++) await Promise.resolve();
            for (const key of keys) inUse.set(key, (inUse.get(key) ?? 0) - 1);
          }),
        ),
      );
      for (const key of ['s1', 's2', 'r1', 'r2']) expect(limits.inUse(key)).toBe(0);
    }),
  );
});

test('failed work, and a caller that is cancelled while it waits, free their place for the next', async () => {
  const limits = new Limits(() => 1);
  let finish = () => {};
  const first = limits.run(['k'], () => new Promise<void>((resolve) => (finish = resolve)));
  const controller = new AbortController();
  const second = limits.run(['k'], async () => 'second', controller.signal);
  const third = limits.run(['k'], async () => Promise.reject(new Error('third')));
  const fourth = limits.run(['k'], async () => 'fourth');
  controller.abort(new Error('gave up'));
  await expect(second).rejects.toThrow('gave up');
  finish();
  await first;
  await expect(third).rejects.toThrow('third');
  expect(await fourth).toBe('fourth');
  expect(limits.inUse('k')).toBe(0);
});

test('shares that wait for one key are served in rotation', async () => {
  const limits = new Limits(() => 1);
  const order: string[] = [];
  const work = (share: string) => limits.run(['k'], async () => void order.push(share), undefined, share);
  await Promise.all(['flood', 'flood', 'flood', 'flood', 'shop'].map(work));
  expect(order).toEqual(['flood', 'flood', 'shop', 'flood', 'flood']);
});
