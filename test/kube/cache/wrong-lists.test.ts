import { expect, test } from '@jest/globals';
import { AzimuthError } from '../../../runtime/base/errors.ts';
import { needsConfirmation, wentBack } from '../../../runtime/kube/cache/collect-list.ts';
import { eventually } from '../../fakes/eventually.ts';
import { widgets } from '../../fakes/kube-objects.ts';
import { create, kube, names, start, useLocalKube } from './reflector-support.ts';

useLocalKube();

test('a LIST that lacks half of the cache or more removes nothing until a second LIST confirms it', async () => {
  await create('a', 'b', 'c');
  const { reflector, changes } = start();
  await reflector.whenSynced();
  kube.emptyLists = 1;
  await reflector.refresh(AbortSignal.timeout(30_000));
  expect(names(reflector.list())).toEqual(['a', 'b', 'c']);
  expect(changes.filter((change) => change.startsWith('deleted'))).toEqual([]);
  expect(kube.lists).toBe(3);
});

test('objects that are gone in both lists are removed', async () => {
  await create('a', 'b', 'c');
  const { reflector } = start();
  await reflector.whenSynced();
  kube.emptyLists = 2;
  await reflector.refresh(AbortSignal.timeout(30_000));
  expect(reflector.list()).toEqual([]);
});

test.each([
  [{ kept: 2, missing: 1 }, true],
  [{ kept: 3, missing: 1 }, false],
  [{ kept: 1, missing: 1 }, false],
  [{ kept: 0, missing: 0 }, false],
  [{ kept: 4, missing: 2 }, true],
])('a list that lacks %j needs a second one: %s', (lacking, expected) => {
  expect(needsConfirmation(lacking)).toBe(expected);
});

test.each(['quorum', 'cache'] as const)(
  'after a restore of etcd a watch that began from the %s lists again',
  async (listFrom) => {
    await create('a', 'b', 'c');
    const restore = kube.snapshot();
    const { reflector } = start({ listFrom });
    let restored = 0;
    reflector.onRestored(() => restored++);
    await reflector.whenSynced();
    await kube.delete(widgets, { namespace: 'default', name: 'a' });
    await create('d', 'e', 'f');
    await eventually('the changes arrive', () => names(reflector.list()).join() === 'b,c,d,e,f');
    restore();
    await eventually('the former objects are back', () => names(reflector.list()).join() === 'a,b,c');
    expect(restored).toBe(1);
    await create('g');
    await eventually('the watch goes on', () => reflector.size === 4);
  },
);

test('a broken connection alone costs a read of one name, and no new list', async () => {
  await create('a', 'b');
  const { reflector } = start({ labelSelector: '!left-out' });
  await reflector.whenSynced();
  const restore = kube.snapshot();
  await eventually('a watch is open', () => kube.watches === 1);
  restore();
  await create('c');
  await eventually('the watch goes on', () => reflector.size === 3);
  expect([kube.lists, kube.count('list')]).toEqual([1, 2]);
  const [, read] = kube.requests.filter(({ verb }) => verb === 'list');
  expect(read?.options).toMatchObject({ namespace: 'default', fieldSelector: 'metadata.name=position', limit: 1 });
  expect(read?.options).not.toHaveProperty('labelSelector');
});

test('a wrong answer about the position leads to one list, which settles it', async () => {
  await create('a', 'b');
  const { reflector } = start();
  await reflector.whenSynced();
  await eventually('a watch is open', () => kube.watches === 1);
  kube.failNext('list', new AzimuthError('AZ_KUBE_ANSWER', 'not a list'));
  kube.snapshot()();
  await eventually('it has listed again', () => kube.lists === 2 && kube.watches === 1);
  expect(kube.count('list')).toBe(3);
  kube.endWatches(new AzimuthError('AZ_KUBE_STATUS', 'too many requests'));
  await eventually('a watch is open again', () => kube.count('watch') === 3);
  expect([kube.lists, kube.count('list')]).toEqual([2, 3]);
});

test('a watch of one name reads that name after a broken connection, since its rights may allow no other', async () => {
  await create('a');
  const { reflector } = start({ namespaces: ['default'], fieldSelector: 'metadata.name=a' });
  await reflector.whenSynced();
  await eventually('a watch is open', () => kube.watches === 1);
  kube.snapshot()();
  await eventually('the version is read', () => kube.count('list') === 2);
  expect(kube.requests.findLast(({ verb }) => verb === 'list')?.options).toMatchObject({
    namespace: 'default',
    fieldSelector: 'metadata.name=a',
  });
});

test.each([
  ['100', '99', true],
  ['99', '100', false],
  ['100', '100', false],
  ['9007199254740993', '9007199254740992', true],
  ['abc', '99', false],
  ['100', '', false],
  [undefined, '1', false],
])('a version that was %s and is %s went back: %s', (before, now, expected) => {
  expect(wentBack(before, now)).toBe(expected);
});
