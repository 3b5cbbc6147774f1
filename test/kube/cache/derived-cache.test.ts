import { expect, test } from '@jest/globals';
import { DerivedCache } from '../../../runtime/kube/cache/derived-cache.ts';
import { ObjectCache } from '../../../runtime/kube/cache/store.ts';
import type { CacheChange, WatchedCache } from '../../../runtime/kube/cache/types.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';

const errors: unknown[] = [];
function store(): { readonly cache: ObjectCache; readonly watched: WatchedCache } {
  const cache = new ObjectCache((error) => errors.push(error));
  const extra = { type: { kind: 'Thing' }, synced: true, trouble: () => undefined, whenSynced: async () => undefined };
  return { cache, watched: Object.assign(cache, extra) as unknown as WatchedCache };
}
let version = 0;
const object = (name: string, more: object): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { namespace: 'n', name, uid: name, resourceVersion: `${++version}` },
  ...more,
});

function setup() {
  const things = store();
  const values = store();
  const derived = new DerivedCache(things.watched, values.watched, {
    dependency: ({ metadata, from }) => from && { namespace: metadata.namespace ?? '', name: from },
    derive: (each, value) => ({ ...each, value: value?.['value'] ?? 'none' }),
  });
  const changes: string[] = [];
  const text = (each: KubeObject) => `${each.metadata.name}=${each['value']}`;
  derived.onChange((change: CacheChange) => {
    const { type } = change;
    changes.push(
      type === 'added'
        ? `+ ${text(change.object)}`
        : type === 'deleted'
          ? `- ${text(change.old)}`
          : `${text(change.old)} > ${text(change.object)}`,
    );
  });
  return { things: things.cache, values: values.cache, derived, changes };
}

test('an object shows its dependency, and a change of either one is a change of the object', () => {
  const { things, values, derived, changes } = setup();
  things.put(object('a', { from: 'x' }));
  things.put(object('plain', { value: 'own' }));
  values.put(object('x', { value: 1 }));
  values.put(object('unused', { value: 9 }));
  values.put(object('x', { value: 2 }));
  expect(derived.get({ namespace: 'n', name: 'a' })).toMatchObject({ value: 2 });
  expect(derived.list('n').map((each) => each['value'])).toEqual([2, 'own']);
  values.remove({ namespace: 'n', name: 'x' });
  expect(changes).toEqual(['+ a=none', '+ plain=own', 'a=none > a=1', 'a=1 > a=2', 'a=2 > a=none']);
});

test('an object that changes its dependency follows the new one only, and a deleted one none', () => {
  const { things, values, changes } = setup();
  values.put(object('x', { value: 'x' }));
  values.put(object('y', { value: 'y' }));
  things.put(object('a', { from: 'x' }));
  things.put(object('a', { from: 'y' }));
  values.put(object('x', { value: 'x2' }));
  values.put(object('y', { value: 'y2' }));
  things.remove({ namespace: 'n', name: 'a' });
  values.put(object('y', { value: 'y3' }));
  expect(changes).toEqual(['+ a=x', 'a=x > a=y', 'a=y > a=y2', '- a=y2']);
});

test('a handler that comes later sees what is there, and one that throws keeps no other from the change', () => {
  const { things, values, derived, changes } = setup();
  values.put(object('x', { value: 1 }));
  things.put(object('a', { from: 'x' }));
  const seen: unknown[] = [];
  const stop = derived.onChange((change) => {
    seen.push(change.type === 'deleted' ? 'deleted' : change.object['value']);
    if (seen.length > 1) throw new Error('of a handler');
  });
  values.put(object('x', { value: 2 }));
  expect(seen).toEqual([1, 2]);
  expect(changes.at(-1)).toBe('a=1 > a=2');
  expect(errors.splice(0).map(String)).toEqual(['Error: of a handler']);
  stop();
  values.put(object('x', { value: 3 }));
  expect(seen).toHaveLength(2);
});
