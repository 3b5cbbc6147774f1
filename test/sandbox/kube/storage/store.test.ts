import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Change, HistoryExpired, Store } from '../../../../sandbox/kube/model/store.ts';

const object = (value: unknown = 0) => ({ metadata: {}, value });

test('every write has the next revision, over all buckets', () => {
  const store = new Store();
  const seen: Change[] = [];
  store.subscribe((change) => seen.push(change));
  store.put('a', 'x', object());
  store.put('b', 'y', object());
  store.put('a', 'x', object(1));
  store.delete('b', 'y');
  expect(store.delete('b', 'y')).toBeUndefined();
  expect(seen.map(({ revision, type, bucket }) => `${revision} ${type} ${bucket}`)).toEqual([
    '1 ADDED a',
    '2 ADDED b',
    '3 MODIFIED a',
    '4 DELETED b',
  ]);
  expect(seen[3]?.object['metadata'].resourceVersion).toBe('4');
});

test('any revision the history covers can be read again', () => {
  const write = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), remove: fc.boolean() });
  fc.assert(
    fc.property(fc.array(write, { maxLength: 40 }), (writes) => {
      const store = new Store();
      const states = new Map([[0, '[]']]);
      const show = (entries: [string, object][]) => JSON.stringify(entries);
      for (const [index, { key, remove }] of writes.entries()) {
        if (remove) store.delete('things', key);
        else store.put('things', key, object(index));
        states.set(store.revision, show(store.entries('things')));
      }
      for (const [revision, state] of states) expect(show(store.entriesAt('things', revision))).toBe(state);
    }),
  );
});

test('a position before the history is expired, one within it is not', () => {
  const store = new Store({ history: 8 });
  for (let index = 0; index < 30; index += 1) store.put('a', 'x', object(index));
  expect(() => store.changesSince(1)).toThrow(HistoryExpired);
  expect(() => store.entriesAt('a', 1)).toThrow(HistoryExpired);
  expect(store.changesSince(25).map(({ revision }) => revision)).toEqual([26, 27, 28, 29, 30]);
  store.compact();
  expect(() => store.changesSince(29)).toThrow(HistoryExpired);
  expect(store.changesSince(30)).toEqual([]);
});

test('entries come in the order of their keys', () => {
  const store = new Store();
  for (const key of ['b/x', 'a-b/x', 'a/x', 'a/w']) store.put('things', key, object());
  expect(store.entries('things').map(([key]) => key)).toEqual(['a-b/x', 'a/w', 'a/x', 'b/x']);
});
