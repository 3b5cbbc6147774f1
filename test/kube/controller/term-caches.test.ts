import { expect, test } from '@jest/globals';
import type { WatchedCache } from '../../../runtime/kube/cache/types.ts';
import { TermCaches } from '../../../runtime/kube/controller/term-caches.ts';

/** A cache that counts its lists; they end when `listed` does. */
function counting(listed: Promise<void> = Promise.resolve()) {
  const cache = {
    lists: 0,
    refresh: () => {
      cache.lists += 1;
      return listed;
    },
  };
  return cache as unknown as WatchedCache & { readonly lists: number };
}

const forever = new AbortController().signal;

test('a cache is listed once in each term, however many callers wait for it', async () => {
  const terms = new TermCaches();
  const [one, other] = [counting(), counting()];
  terms.begin(forever);
  await Promise.all([terms.catchUp([one], forever), terms.catchUp([one, other], forever)]);
  expect([one.lists, other.lists]).toEqual([1, 1]);
  terms.begin(forever);
  await terms.catchUp([one], forever);
  expect([one.lists, other.lists]).toEqual([2, 1]);
});

test('without a term nothing is listed', async () => {
  const cache = counting();
  await new TermCaches().catchUp([cache], forever);
  expect(cache.lists).toBe(0);
});

test('a caller that ends does not end the list for others', async () => {
  const listed = Promise.withResolvers<void>();
  const cache = counting(listed.promise);
  const terms = new TermCaches();
  terms.begin(forever);
  const gone = terms.catchUp([cache], AbortSignal.abort(new Error('the object is gone')));
  const waiting = terms.catchUp([cache], forever);
  await expect(gone).rejects.toThrow('the object is gone');
  listed.resolve();
  await waiting;
  expect(cache.lists).toBe(1);
});
