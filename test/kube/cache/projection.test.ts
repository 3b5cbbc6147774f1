import { expect, test } from '@jest/globals';
import { isDeeperThan } from '../../../runtime/base/json.ts';
import { bounded } from '../../../runtime/kube/cache/projection.ts';
import { Manager } from '../../../runtime/kube/controller/manager.ts';
import { runtimeOf, widget, widgets } from '../../fakes/kube-objects.ts';
import { LocalKube } from '../../fakes/local-kube.ts';

const many = (count: number, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, value]));

test.each([
  ['labels', { labels: many(15_000, 'x'.repeat(60)) }],
  ['annotations', { annotations: many(200, 'x'.repeat(1000)) }],
  [
    'owners',
    { ownerReferences: Array.from({ length: 9000 }, (_, index) => ({ uid: `${index}`, name: 'x'.repeat(80) })) },
  ],
  ['finalizers', { finalizers: Array.from({ length: 9000 }, (_, index) => `x/${'y'.repeat(80)}${index}`) }],
])('an object of a megabyte of %s takes a few kilobytes of a cache, and keeps its identity', (_, parts) => {
  const object = { ...widget('a'), metadata: { ...widget('a').metadata, uid: 'u', ...parts } } as never;
  const kept = bounded(object);
  expect(JSON.stringify(kept).length).toBeLessThan(32_768);
  expect(kept).toMatchObject({ kind: 'Widget', metadata: { name: 'a', uid: 'u' } });
});

test('texts and lists of a status are cut, the shortest annotations and the spec stay', () => {
  const conditions = Array.from({ length: 500 }, () => ({ type: 'Ready', message: 'm'.repeat(9000) }));
  const annotations = { long: 'x'.repeat(200_000), record: 'v1.signature' };
  const spec = { data: 'd'.repeat(40_000) };
  const kept = bounded({ ...widget('a'), spec, metadata: { name: 'a', annotations }, status: { conditions } } as never);
  expect(kept).toMatchObject({ spec, metadata: { annotations: { record: 'v1.signature' } } });
  expect(kept).not.toHaveProperty(['metadata', 'annotations', 'long']);
  const { status } = kept as unknown as { status: { conditions: { message: string }[] } };
  expect(status.conditions).toHaveLength(100);
  expect(status.conditions[0]?.message).toHaveLength(4096);
});

test('of an object that is too deep for JSON a hundred levels stay, and its identity', () => {
  const spec = JSON.parse(`${'{"a":'.repeat(9900)}1${'}'.repeat(9900)}`);
  const kept = bounded({ ...widget('a'), spec });
  expect(isDeeperThan(kept, 100)).toBe(false);
  expect(kept).toMatchObject({ kind: 'Widget', metadata: { name: 'a' }, spec: { a: { a: {} } } });
});

test('a smaller object stays what it is', () => {
  const object = { ...widget('a'), status: { lists: Array.from({ length: 300 }, (_, index) => index) } };
  expect(bounded(object)).toBe(object);
});

test('the caches of a program hold bounded objects, whatever they keep of them', async () => {
  const kube = new LocalKube();
  const stop = new AbortController();
  const manager = new Manager(runtimeOf(kube), { name: 'test' });
  const caches = [manager.watch({ type: widgets }), manager.watch({ type: widgets, project: (object) => object })];
  const large = widget('large');
  await kube.create(widgets, { ...large, metadata: { ...large.metadata, labels: many(15_000, 'x'.repeat(60)) } });
  const running = manager.run(stop.signal);
  for (const cache of caches) {
    await cache.whenSynced();
    expect(Object.keys(cache.get({ namespace: 'default', name: 'large' })?.metadata.labels ?? {})).toHaveLength(100);
  }
  stop.abort();
  await running;
});
