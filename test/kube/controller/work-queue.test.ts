import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { priorities, type WorkQueue } from '../../../runtime/kube/controller/work-queue.ts';
import { type Item, setUp } from './queue-on-clock.ts';

async function takeAll(queue: WorkQueue<Item>): Promise<string[]> {
  const ids: string[] = [];
  while (queue.depth > 0) {
    const item = await queue.take();
    if (!item) break;
    ids.push(item.id);
    queue.done(item);
  }
  return ids;
}

test('an item waits once however often it is added, with its latest content', async () => {
  const { queue } = setUp();
  queue.add({ id: 'a', content: 1 });
  queue.add({ id: 'b' });
  queue.add({ id: 'a', content: 2 });
  expect(queue.depth).toBe(2);
  expect(await queue.take()).toEqual({ id: 'a', content: 2 });
});

test('what is added while it is worked on waits for the end of that work', async () => {
  const { queue } = setUp();
  queue.add({ id: 'a', content: 1 });
  const first = (await queue.take()) as Item;
  queue.add({ id: 'a', content: 2 });
  queue.add({ id: 'a', content: 3 });
  expect(queue.depth).toBe(0);
  queue.done(first);
  expect(queue.depth).toBe(1);
  expect(await queue.take()).toEqual({ id: 'a', content: 3 });
});

test('a taker that came first is served when something is added', async () => {
  const { queue } = setUp();
  const taken = queue.take();
  queue.add({ id: 'a' });
  expect((await taken)?.id).toBe('a');
});

test('higher priorities go first, equal ones in the order of adding, and an added priority raises', async () => {
  const { queue } = setUp();
  queue.add({ id: 'resync' }, { priority: priorities.resync });
  queue.add({ id: 'normal-1' });
  queue.add({ id: 'normal-2' });
  queue.add({ id: 'change' }, { priority: priorities.change });
  queue.add({ id: 'normal-2' }, { priority: priorities.resync });
  queue.add({ id: 'resync-2' }, { priority: priorities.resync });
  queue.add({ id: 'resync-2' }, { priority: priorities.change });
  expect(await takeAll(queue)).toEqual(['change', 'resync-2', 'normal-1', 'normal-2', 'resync']);
});

test('low priorities are not starved by a stream of high ones', async () => {
  const { queue } = setUp();
  queue.add({ id: 'low' }, { priority: priorities.resync });
  let takes = 0;
  for (; takes < 100; takes++) {
    queue.add({ id: `high-${takes}` }, { priority: priorities.change });
    const item = (await queue.take()) as Item;
    queue.done(item);
    if (item.id === 'low') break;
  }
  expect(takes).toBeLessThan(10);
});

test('a share with its limit at work waits for its own end, and other shares go on', async () => {
  const { queue } = setUp({ share: ({ id }) => id.split('/')[0] ?? '', perShare: 2 });
  for (const id of ['flood/1', 'flood/2', 'flood/3', 'shop/1']) queue.add({ id }, { priority: priorities.change });
  queue.add({ id: 'flood/4' });
  const first = (await queue.take()) as Item;
  const taken = [first, await queue.take(), await queue.take()].map((item) => item?.id);
  expect(taken).toEqual(['flood/1', 'shop/1', 'flood/2']);
  const next = queue.take();
  expect(queue.depth).toBe(2);
  queue.done(first);
  expect((await next)?.id).toBe('flood/3');
});

test('closing releases takers, drops what waits and accepts nothing more', async () => {
  const { clock, queue } = setUp();
  const taken = queue.take();
  queue.close();
  expect(await taken).toBeUndefined();
  queue.add({ id: 'a' });
  queue.add({ id: 'b' }, { delayMs: 5 });
  await clock.advance(10);
  expect(queue.depth).toBe(0);
  expect(await queue.take()).toBeUndefined();
});

test('the metrics have the names and meaning of controller-runtime', async () => {
  const { clock, metrics, queue } = setUp();
  queue.add({ id: 'a' });
  queue.add({ id: 'a' });
  queue.add({ id: 'b' });
  await clock.advance(2000);
  const a = (await queue.take()) as Item;
  await clock.advance(3000);
  const value = async (name: string) =>
    Number(
      (await metrics.metrics())
        .split('\n')
        .find((line) => line.startsWith(`${name}{name="test"}`))
        ?.split(' ')[1],
    );
  expect(await value('workqueue_adds_total')).toBe(2);
  expect(await value('workqueue_depth')).toBe(1);
  expect(await value('workqueue_queue_duration_seconds_sum')).toBe(2);
  expect(await value('workqueue_unfinished_work_seconds')).toBe(3);
  expect(await value('workqueue_longest_running_processor_seconds')).toBe(3);
  queue.done(a);
  queue.retry(a);
  expect(await value('workqueue_work_duration_seconds_sum')).toBe(3);
  expect(await value('workqueue_unfinished_work_seconds')).toBe(0);
  expect(await value('workqueue_retries_total')).toBe(1);
});

test('under any order of adds, takes, ends and time no id is taken twice and nothing is lost', async () => {
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('add' as const),
        id: fc.nat(4),
        priority: fc.integer({ min: -1, max: 1 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('delay' as const), id: fc.nat(4), ms: fc.integer({ min: 1, max: 50 }) }),
    },
    { weight: 3, arbitrary: fc.constant({ do: 'take' as const }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('done' as const), nth: fc.nat(4) }) },
    { weight: 1, arbitrary: fc.constant({ do: 'wait' as const }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
      const { clock, queue } = setUp();
      const held: Item[] = [];
      // Added and not taken since.
      const owed = new Set<string>();
      const take = async () => {
        const item = (await queue.take()) as Item;
        expect(held.map(({ id }) => id)).not.toContain(item.id);
        owed.delete(item.id);
        held.push(item);
      };
      for (const each of steps) {
        if (each.do === 'add') {
          queue.add({ id: `${each.id}` }, { priority: each.priority });
          owed.add(`${each.id}`);
        } else if (each.do === 'delay') queue.add({ id: `${each.id}` }, { delayMs: each.ms });
        else if (each.do === 'take' && queue.depth > 0) await take();
        else if (each.do === 'done' && held.length > 0) queue.done(held.splice(each.nth % held.length, 1)[0] as Item);
        else if (each.do === 'wait') await clock.advance(20);
      }
      while (held.length > 0 || queue.depth > 0) {
        while (queue.depth > 0) await take();
        for (const item of held.splice(0)) queue.done(item);
      }
      expect([...owed]).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test('shares of one priority rotate, however many items one of them has', async () => {
  const { queue } = setUp({ share: ({ id }) => id.split('/')[0] ?? '' });
  for (let i = 0; i < 5; i++) queue.add({ id: `greedy/${i}` });
  queue.add({ id: 'neighbour/0' });
  queue.add({ id: 'third/0' });
  queue.add({ id: 'neighbour/1' });
  expect(await takeAll(queue)).toEqual([
    'greedy/0',
    'neighbour/0',
    'third/0',
    'greedy/1',
    'neighbour/1',
    'greedy/2',
    'greedy/3',
    'greedy/4',
  ]);
});
