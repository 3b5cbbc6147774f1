import { expect, test } from '@jest/globals';
import { VolumeLimits } from '../../../runtime/volumes/agent/volume-limits.ts';
import { WorkLimiter } from '../../../runtime/volumes/agent/work-limiter.ts';

const never = new AbortController().signal;
/** Work that ends when it is told to; `started` has the names in their order. */
function bench(limiter: WorkLimiter) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (name: string, weight = 1, signal = never) => {
    const work = () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    };
    return limiter.run(name.split('/')[0] ?? '', weight, signal, work);
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { started, add, end };
}

test('a namespace that asks for everything leaves room for others', async () => {
  const { started, add } = bench(new WorkLimiter({ total: 10, perNamespace: 5 }));
  for (let index = 0; index < 100; index++) void add(`flood/${index}`);
  void add('shop/0', 5);
  await new Promise(setImmediate);
  expect(started).toEqual(['flood/0', 'flood/1', 'flood/2', 'flood/3', 'flood/4', 'shop/0']);
});

test('namespaces take turns, whichever came first', async () => {
  const { started, add, end } = bench(new WorkLimiter({ total: 1, perNamespace: 1 }));
  for (const name of ['a/0', 'a/1', 'a/2', 'b/0', 'c/0']) void add(name);
  for (const name of ['', 'a/0', 'a/1', 'b/0', 'c/0']) await end(name);
  expect(started).toEqual(['a/0', 'a/1', 'b/0', 'c/0', 'a/2']);
});

test('an item that is heavier than the bound runs alone in its namespace', async () => {
  const { started, add, end } = bench(new WorkLimiter({ total: 10, perNamespace: 5 }));
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
  const { started, add, end } = bench(new WorkLimiter({ total: 10, perNamespace: 10 }));
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

test('who waits no longer leaves its place, and too many who wait are refused', async () => {
  const { started, add, end } = bench(new WorkLimiter({ total: 1, perNamespace: 1, waiting: 2 }));
  const gone = new AbortController();
  void add('a/0');
  const left = add('a/1', 1, gone.signal);
  void add('a/2');
  await expect(add('a/3')).rejects.toThrow(/^2 volumes of the namespace a wait for the node agent already/);
  gone.abort(new Error('the driver has gone'));
  await expect(left).rejects.toThrow('the driver has gone');
  await end('a/0');
  expect(started).toEqual(['a/0', 'a/2']);
});

test('work that fails gives its room back', async () => {
  const limiter = new WorkLimiter({ total: 1, perNamespace: 1 });
  const failing = limiter.run('a', 1, never, async () => {
    throw new Error('failed');
  });
  await expect(failing).rejects.toThrow('failed');
  expect(await limiter.run('a', 1, never, async () => 'next')).toBe('next');
});

test('one large volume is read at a time, namespace by namespace, and small ones go on beside it', async () => {
  const limits = new VolumeLimits();
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const add = (name: string, objects: number) =>
    limits.run(name.split('/')[0] ?? '', objects, never, () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  for (const name of ['flood/0', 'flood/1', 'flood/2', 'shop/0']) void add(name, 500);
  void add('shop/small', 3);
  await new Promise(setImmediate);
  expect(started).toEqual(['flood/0', 'shop/small']);
  for (const end of ends.splice(0)) end();
  await new Promise(setImmediate);
  ends.splice(0)[0]?.();
  await new Promise(setImmediate);
  expect(started).toEqual(['flood/0', 'shop/small', 'flood/1', 'shop/0']);
});
