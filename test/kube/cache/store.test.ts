import { expect, test } from '@jest/globals';
import { ObjectCache } from '../../../runtime/kube/cache/store.ts';
import { widget } from '../../fakes/kube-objects.ts';

const spec = () => ({ template: { image: 'registry.example.org/app:1' } });
const object = (name: string, version = '1') => widget(name, spec(), { uid: name, resourceVersion: version });
const fail = (error: unknown) => {
  throw error;
};
const specOf = (cache: ObjectCache, name: string) => cache.get({ namespace: 'default', name })?.['spec'];

test('objects share what they have in common with the one before, updates with the state before', () => {
  const cache = new ObjectCache(fail);
  for (const name of ['a', 'b']) cache.put(object(name));
  expect(specOf(cache, 'b')).toBe(specOf(cache, 'a'));
  const before = specOf(cache, 'a');
  cache.put(object('a', '2'));
  expect(specOf(cache, 'a')).toBe(before);
});
