import { expect, test } from '@jest/globals';
import { FairSemaphore } from '../../../runtime/base/fairness/fair-semaphore.ts';

const never = new AbortController().signal;
/** Work that runs until `end` is called; `started` has the names in their order. */
function recording(semaphore: FairSemaphore) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (name: string, weight = 1, signal = never) => {
    const work = () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    };
    return semaphore.run(name.split('/')[0] ?? '', signal, work, weight);
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { started, add, end };
}

test('a namespace that asks for everything leaves room for others', async () => {
  const { started, add } = recording(new FairSemaphore({ total: 10, perKey: 5 }));
  for (let index = 0; index < 100; index++) void add(`flood/${index}`);
  void add('shop/0', 5);
  await new Promise(setImmediate);
  expect(started).toEqual(['flood/0', 'flood/1', 'flood/2', 'flood/3', 'flood/4', 'shop/0']);
});

test('keys are served in rotation, in whatever order the calls came', async () => {
  const { started, add, end } = recording(new FairSemaphore({ total: 1, perKey: 1 }));
  for (const name of ['a/0', 'a/1', 'a/2', 'b/0', 'c/0']) void add(name);
  for (const name of ['', 'a/0', 'a/1', 'b/0', 'c/0']) await end(name);
  expect(started).toEqual(['a/0', 'a/1', 'b/0', 'c/0', 'a/2']);
});

test('an item that is heavier than the bound runs alone in its namespace', async () => {
  const { started, add, end } = recording(new FairSemaphore({ total: 10, perKey: 5 }));
  for (const [name, weight] of [
    ['a/0', 1],
    ['a/1', 500],
    ['a/2', 1],
  ] as const)
    void add(name, weight);
  await end('');
  expect(started).toEqual(['a/0']);
  await end('a/0');
  expect(started).toEqual(['a/0', 'a/1']);
  await end('a/1');
  expect(started).toEqual(['a/0', 'a/1', 'a/2']);
});

test('a heavy item is not passed by lighter ones of other namespaces for ever', async () => {
  const { started, add, end } = recording(new FairSemaphore({ total: 10, perKey: 10 }));
  for (const [name, weight] of [
    ['a/0', 6],
    ['heavy/0', 8],
    ['b/0', 4],
  ] as const)
    void add(name, weight);
  expect(started).toEqual([]);
  await end('');
  expect(started).toEqual(['a/0']);
  await end('a/0');
  expect(started).toEqual(['a/0', 'heavy/0']);
});

test('a call that is given up frees its place in the queue, and a call beyond the limit of waiting is refused', async () => {
  const tooMany = (key: string, waiting: number) => new Error(`${waiting} of ${key} wait already`);
  const { started, add, end } = recording(new FairSemaphore({ total: 1, waiting: 2, tooMany }));
  const gone = new AbortController();
  void add('a/0');
  const left = add('a/1', 1, gone.signal);
  void add('a/2');
  await expect(add('a/3')).rejects.toThrow('2 of a wait already');
  gone.abort(new Error('given up'));
  await expect(left).rejects.toThrow('given up');
  await end('a/0');
  expect(started).toEqual(['a/0', 'a/2']);
});

test('work that fails gives its room back', async () => {
  const semaphore = new FairSemaphore({ total: 1, perKey: 1 });
  const failing = semaphore.run('a', never, async () => {
    throw new Error('failed');
  });
  await expect(failing).rejects.toThrow('failed');
  expect(await semaphore.run('a', never, async () => 'next')).toBe('next');
});

test('keys are served in rotation when a call is given up and when work fails', async () => {
  const semaphore = new FairSemaphore({ total: 1 });
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const done = [semaphore.run('a', never, () => first.promise)];
  for (const name of ['a1', 'a2', 'a3']) {
    done.push(
      semaphore.run('a', never, async () => {
        order.push(name);
        if (name === 'a1') throw new Error('a1 failed');
      }),
    );
  }
  const gone = new AbortController();
  const left = semaphore.run('b', gone.signal, async () => undefined);
  done.push(
    semaphore.run('b', never, async () => {
      order.push('b');
    }),
  );
  gone.abort(new Error('gave up'));
  await expect(left).rejects.toThrow('gave up');
  first.resolve();
  const results = await Promise.allSettled(done);
  expect(order).toEqual(['a1', 'b', 'a2', 'a3']);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
});
