import { beforeEach, expect, test } from '@jest/globals';
import { updateWithRetry } from '../../../runtime/kube/client/update-with-retry.ts';
import { addFinalizer, hasFinalizer, removeFinalizer } from '../../../runtime/kube/controller/finalizers.ts';
import { widget, widgets } from '../../fakes/kube-objects.ts';
import { LocalKube } from '../../fakes/local-kube.ts';

const key = { namespace: 'default', name: 'a' };
const ours = 'azimuth.dev/cleanup';
let kube: LocalKube;

beforeEach(() => {
  kube = new LocalKube();
});

test('a finalizer is added once, beside those of others', async () => {
  const object = await kube.create(widgets, widget('a', {}, { finalizers: ['other/one'] }));
  const added = await addFinalizer(kube, widgets, object, ours);
  expect(added.metadata.finalizers).toEqual(['other/one', ours]);
  expect(await addFinalizer(kube, widgets, added, ours)).toBe(added);
  expect(kube.count('patch')).toBe(1);
  expect(hasFinalizer(added, ours)).toBe(true);
});

test('a stale copy never undoes what others did meanwhile', async () => {
  const stale = await kube.create(widgets, widget('a'));
  await addFinalizer(kube, widgets, stale, 'other/one');
  const added = await addFinalizer(kube, widgets, stale, ours);
  expect(added.metadata.finalizers).toEqual(['other/one', ours]);
  const removed = await removeFinalizer(kube, widgets, added, 'other/one');
  expect(removed?.metadata.finalizers).toEqual([ours]);
});

test('no finalizer is added to an object that is being deleted', async () => {
  await kube.create(widgets, widget('a', {}, { finalizers: ['other/one'] }));
  await kube.delete(widgets, key);
  const object = await kube.get(widgets, key);
  expect((await addFinalizer(kube, widgets, object, ours)).metadata.finalizers).toEqual(['other/one']);
  expect(kube.count('patch')).toBe(0);
});

test('removing the last finalizer of a deleted object lets it go; removing it again is fine', async () => {
  const object = await kube.create(widgets, widget('a', {}, { finalizers: [ours] }));
  await kube.delete(widgets, key);
  const deleting = await kube.get(widgets, key);
  await removeFinalizer(kube, widgets, deleting, ours);
  expect(await kube.tryGet(widgets, key)).toBeUndefined();
  expect(await removeFinalizer(kube, widgets, object, ours)).toBeUndefined();
});

test('a successor of the same name is left alone', async () => {
  const old = await kube.create(widgets, widget('a', {}, { finalizers: [ours] }));
  await kube.delete(widgets, key);
  await removeFinalizer(kube, widgets, await kube.get(widgets, key), ours);
  await kube.create(widgets, widget('a', {}, { finalizers: [ours] }));
  expect(await removeFinalizer(kube, widgets, old, ours)).toBeUndefined();
  expect((await kube.get(widgets, key)).metadata.finalizers).toEqual([ours]);
});

test('updateWithRetry writes upon the newest state however many write at a time', async () => {
  await kube.create(widgets, widget('a', { count: 0 }));
  const increment = () =>
    updateWithRetry(kube, widgets, key, (object) => ({ ...object, spec: { count: object['spec'].count + 1 } }), {
      attempts: 50,
    });
  await Promise.all(Array.from({ length: 10 }, increment));
  expect((await kube.get(widgets, key))['spec'].count).toBe(10);
});

test('updateWithRetry writes nothing when nothing changes, and fails after its attempts', async () => {
  const created = await kube.create(widgets, widget('a'));
  expect(await updateWithRetry(kube, widgets, key, () => undefined)).toEqual(created);
  expect(kube.count('replace')).toBe(0);
  const always = updateWithRetry(
    kube,
    widgets,
    key,
    (object) => {
      void kube.patch(widgets, key, { type: 'merge', body: { metadata: { labels: { now: `${Math.random()}` } } } });
      return object;
    },
    { attempts: 3 },
  );
  await expect(always).rejects.toMatchObject({ status: 409 });
  expect(kube.count('replace')).toBe(3);
});

test('updateWithRetry reports that the object is gone', async () => {
  await expect(updateWithRetry(kube, widgets, key, (object) => object)).rejects.toMatchObject({ status: 404 });
});
