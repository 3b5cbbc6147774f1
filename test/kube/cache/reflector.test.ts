import { expect, test } from '@jest/globals';
import { ownedBy, ownerIndex, ownerUids, referenceIndex, referrersOf } from '../../../runtime/kube/cache/indexes.ts';
import { Reflector } from '../../../runtime/kube/cache/reflector.ts';
import type { CacheChange } from '../../../runtime/kube/cache/types.ts';
import type { KubeObject, ListOptions, WatchOptions } from '../../../runtime/kube/client/types.ts';
import { eventually } from '../../fakes/eventually.ts';
import { unreachable } from '../../fakes/kube-failures.ts';
import { runtimeOf, widget, widgets } from '../../fakes/kube-objects.ts';

import { create, kube, names, running, start, stop, text, useLocalKube } from './reflector-support.ts';

useLocalKube();

test('the first list is read page by page, and each object is reported once', async () => {
  await create('a', 'b', 'c', 'd', 'e');
  const { reflector, changes } = start({ pageSize: 2 });
  expect(reflector.synced).toBe(false);
  expect(reflector.notSynced()).toContain('first list');
  await reflector.whenSynced();
  expect(kube.count('list')).toBe(3);
  expect(changes.sort()).toEqual(['added a', 'added b', 'added c', 'added d', 'added e']);
  expect(reflector.notSynced()).toBeUndefined();
});

test('lists read the quorum by default and the server cache on request', async () => {
  const first = start();
  const second = start({ listFrom: 'cache' });
  await Promise.all([first.reflector.whenSynced(), second.reflector.whenSynced()]);
  const lists = kube.requests.filter(({ verb }) => verb === 'list').map(({ options }) => options as ListOptions);
  expect(lists.map(({ resourceVersion, limit }) => [resourceVersion, limit])).toEqual([
    [undefined, 250],
    ['0', 0],
  ]);
});

test('watches start at the version of the list, end after 240 to 300 seconds and carry the idle limit', async () => {
  await create('a');
  const { reflector } = start({ idleTimeoutMs: 1234 });
  await reflector.whenSynced();
  await eventually('a watch is open', () => kube.watches === 1);
  const options = kube.requests.find(({ verb }) => verb === 'watch')?.options as WatchOptions;
  expect(options.resourceVersion).toBe(kube.version);
  expect(options.timeoutSeconds).toBeGreaterThanOrEqual(240);
  expect(options.timeoutSeconds).toBeLessThanOrEqual(300);
  expect(options.idleTimeoutMs).toBe(1234);
});

test('what happens between LIST and WATCH is not lost', async () => {
  await create('a');
  kube.failNext('watch', () => {
    // Runs after the list was answered and before the watch begins.
    void kube.create(widgets, widget('b'));
    void kube.delete(widgets, { namespace: 'default', name: 'a' });
    return unreachable();
  });
  const { reflector, changes } = start();
  await eventually('both changes arrive', () => names(reflector.list()).join() === 'b');
  expect(changes).toEqual(['added a', 'added b', 'deleted a']);
  expect(kube.lists).toBe(1);
});

test('what happens between the pages of a LIST is not lost', async () => {
  await create('b', 'c', 'd', 'e');
  kube.failNext('list', () => undefined);
  kube.failNext('list', async () => {
    // The first page, b and c, was answered already.
    await create('a');
    await kube.delete(widgets, { namespace: 'default', name: 'b' });
    return undefined;
  });
  const { reflector } = start({ pageSize: 2 });
  await eventually('both changes arrive', () => names(reflector.list()).join() === 'a,c,d,e');
  expect(kube.count('list')).toBe(2);
});

test('an update shows old and new state, a deletion the last one', async () => {
  await create('a');
  const seen: CacheChange[] = [];
  const { reflector } = start();
  reflector.onChange((change) => seen.push(change));
  await reflector.whenSynced();
  const object = await kube.get(widgets, { namespace: 'default', name: 'a' });
  await kube.replace(widgets, { ...object, spec: { size: 2 } });
  await kube.delete(widgets, { namespace: 'default', name: 'a' });
  await eventually('the deletion arrives', () => seen.length === 3);
  expect(seen[1]).toMatchObject({ type: 'updated', object: { spec: { size: 2 } }, old: { spec: { size: 1 } } });
  expect(seen[2]).toMatchObject({ type: 'deleted', old: { spec: { size: 2 } } });
  expect(reflector.size).toBe(0);
});

test('a 410 on the watch lists again and reports the difference, deletions with their last state', async () => {
  await create('a', 'b');
  const { reflector, changes } = start();
  const deleted: CacheChange[] = [];
  reflector.onChange((change) => change.type === 'deleted' && deleted.push(change));
  await reflector.whenSynced();
  await eventually('a watch is open', () => kube.watches === 1);
  kube.failNext('watch', unreachable());
  kube.endWatches(unreachable());
  await kube.delete(widgets, { namespace: 'default', name: 'a' });
  await create('c');
  kube.compact();
  await eventually('the cache follows', () => names(reflector.list()).join() === 'b,c');
  expect(changes).toEqual(['added a', 'added b', 'added c', 'deleted a']);
  expect(deleted[0]).toMatchObject({ type: 'deleted', old: { spec: { size: 1 } } });
});

test('an object deleted and created again under the same name is a deletion and an addition', async () => {
  await create('a');
  const { reflector, changes } = start();
  await reflector.whenSynced();
  await eventually('a watch is open', () => kube.watches === 1);
  kube.failNext('watch', unreachable());
  kube.endWatches(unreachable());
  await kube.delete(widgets, { namespace: 'default', name: 'a' });
  await create('a');
  kube.compact();
  const successor = await kube.get(widgets, { namespace: 'default', name: 'a' });
  await eventually('the successor is cached', () => reflector.list()[0]?.metadata.uid === successor.metadata.uid);
  expect(changes).toEqual(['added a', 'deleted a', 'added a']);
});

test('bookmarks move the position', async () => {
  await create('a');
  const { reflector } = start();
  await reflector.whenSynced();
  await create('b');
  await eventually('b is cached', () => reflector.size === 2);
  kube.endWatches(unreachable());
  await eventually('the watch is open again', () => kube.count('watch') === 2);
  const watches = kube.requests.filter(({ verb }) => verb === 'watch').map(({ options }) => options as WatchOptions);
  expect(watches[1]?.resourceVersion).toBe(kube.version);
});

test('the cache drops managed fields, unless the caller has its own projection', async () => {
  await kube.create(widgets, widget('a', { size: 1, secret: 'x' }, { managedFields: [{ manager: 'kubectl' }] }));
  const lean = start();
  const own = start({ project: (object) => ({ ...object, spec: { size: object['spec'].size } }) });
  await Promise.all([lean.reflector.whenSynced(), own.reflector.whenSynced()]);
  expect(lean.reflector.list()[0]?.metadata.managedFields).toBeUndefined();
  expect(lean.reflector.list()[0]?.['spec']).toEqual({ size: 1, secret: 'x' });
  expect(own.reflector.list()[0]?.['spec']).toEqual({ size: 1 });
});

test('metadata-only caches ask for metadata only, on list and watch', async () => {
  await create('a');
  const { reflector } = start({ metadataOnly: true });
  await reflector.whenSynced();
  await create('b');
  await eventually('b is cached', () => reflector.size === 2);
  expect(reflector.list().map((object) => Object.keys(object).sort())).toEqual([
    ['apiVersion', 'kind', 'metadata'],
    ['apiVersion', 'kind', 'metadata'],
  ]);
});

test('indexes follow every change and can be added late', async () => {
  const owner = { apiVersion: 'example.org/v1', kind: 'Parent', name: 'p', uid: 'parent-1' };
  await kube.create(widgets, widget('a', { color: 'red', secret: 's1' }, { ownerReferences: [owner] }));
  await kube.create(widgets, widget('b', { color: 'red' }));
  const secretOf = (object: KubeObject) =>
    object['spec'].secret
      ? [{ group: '', kind: 'Secret', namespace: object.metadata.namespace ?? '', name: object['spec'].secret }]
      : [];
  const { reflector } = start({
    indexes: { color: ({ spec }) => [spec.color], [ownerIndex]: ownerUids, secrets: referenceIndex(secretOf) },
  });
  await reflector.whenSynced();
  expect(names(reflector.byIndex('color', 'red'))).toEqual(['a', 'b']);
  expect(names(ownedBy(reflector, 'parent-1'))).toEqual(['a']);
  const secret = { group: '', kind: 'Secret', namespace: 'default', name: 's1' };
  expect(names(referrersOf(reflector, 'secrets', secret))).toEqual(['a']);

  const a = await kube.get(widgets, { namespace: 'default', name: 'a' });
  await kube.replace(widgets, { ...a, spec: { color: 'blue' } });
  await eventually('a is blue', () => reflector.byIndex('color', 'blue').length === 1);
  expect(names(reflector.byIndex('color', 'red'))).toEqual(['b']);
  expect(referrersOf(reflector, 'secrets', secret)).toEqual([]);
  await kube.delete(widgets, { namespace: 'default', name: 'a' });
  await eventually('a is gone', () => ownedBy(reflector, 'parent-1').length === 0);

  const late = ({ metadata }: KubeObject) => [metadata.name];
  reflector.addIndex('name', late);
  reflector.addIndex('name', late);
  expect(names(reflector.byIndex('name', 'b'))).toEqual(['b']);
  expect(() => reflector.addIndex('name', () => [])).toThrow('exists with another function');
  expect(() => reflector.byIndex('size', '1')).toThrow('it has: color, owner, secrets, name');
});

test('a handler that throws hurts neither the others nor the cache', async () => {
  await create('a');
  const { reflector, changes } = start();
  reflector.onChange(() => {
    throw new Error('broken handler');
  });
  const late: string[] = [];
  await reflector.whenSynced();
  const off = reflector.onChange((change) => late.push(text(change)));
  await create('b');
  await eventually('b is cached', () => reflector.size === 2);
  off();
  await create('c');
  await eventually('c is cached', () => reflector.size === 3);
  expect(late).toEqual(['added a', 'added b']);
  expect(changes).toEqual(['added a', 'added b', 'added c']);
});

test('stopping ends list, watch and waiting', async () => {
  const { reflector } = start();
  await reflector.whenSynced();
  const neverRun = new Reflector(runtimeOf(kube), { type: widgets });
  const waiting = expect(neverRun.whenSynced(stop.signal)).rejects.toThrow('stopping');
  stop.abort(new Error('stopping'));
  await Promise.all([...running, waiting]);
  expect(kube.watches).toBe(0);
});
