import { expect, test } from '@jest/globals';
import { VolumeLimits } from '../../../runtime/volumes/agent/volume-limits.ts';

const never = new AbortController().signal;

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

test('more waiting volumes of a namespace than the limit are refused by name', async () => {
  const limits = new VolumeLimits();
  const add = () => limits.run('a', 500, never, () => new Promise<void>(() => undefined));
  for (let index = 0; index < 201; index++) void add();
  await expect(add()).rejects.toThrow(/^200 volumes of the namespace a wait for the node agent already/);
});
