import { afterEach, expect, test } from '@jest/globals';
import { SharedCaches } from '../../../runtime/kube/controller/shared-caches.ts';
import { eventually } from '../../fakes/eventually.ts';
import { runtimeOf, widget, widgets } from '../../fakes/kube-objects.ts';
import { LocalKube } from '../../fakes/local-kube.ts';
import { fast, names } from '../cache/reflector-support.ts';

let caches: SharedCaches;
afterEach(() => caches.close());

test('after a restore of etcd, caches that list from the memory of the API server list again too', async () => {
  const kube = new LocalKube();
  for (const name of ['a', 'b', 'c']) await kube.create(widgets, widget(name));
  const restore = kube.snapshot();
  caches = new SharedCaches(runtimeOf(kube));
  const pods = caches.watch({ type: widgets, backoff: fast, listFrom: 'quorum' });
  const bindings = caches.watch({ type: widgets, backoff: fast, listFrom: 'cache', project: (object) => object });
  caches.start();
  expect(await caches.whenKnown(AbortSignal.timeout(30_000))).toBe(true);
  for (const name of ['d', 'e']) await kube.create(widgets, widget(name));
  const both = () => [pods, bindings].map((cache) => names(cache.list()).join(''));
  await eventually('the changes arrive', () => both().join() === 'abcde,abcde');
  restore();
  await eventually('the former objects are back', () => both().join() === 'abc,abc');
  await kube.create(widgets, widget('f'));
  await eventually('both watches go on', () => both().join() === 'abcf,abcf');
});
