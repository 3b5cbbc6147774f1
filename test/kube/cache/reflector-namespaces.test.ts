import { expect, test } from '@jest/globals';
import { eventually } from '../../fakes/eventually.ts';
import { garbled, status } from '../../fakes/kube-failures.ts';
import { widget, widgets } from '../../fakes/kube-objects.ts';

import { kube, names, start, useLocalKube } from './reflector-support.ts';

useLocalKube();

test('several namespaces are one cache, synced when all are, and a relist of one leaves the other alone', async () => {
  await kube.create(widgets, widget('a', {}, { namespace: 'one' }));
  await kube.create(widgets, widget('b', {}, { namespace: 'two' }));
  await kube.create(widgets, widget('c', {}, { namespace: 'three' }));
  const { reflector, changes } = start({ namespaces: ['one', 'two'] });
  await reflector.whenSynced();
  expect(names(reflector.list())).toEqual(['a', 'b']);
  expect(names(reflector.list('two'))).toEqual(['b']);
  expect(reflector.get({ namespace: 'one', name: 'a' })?.metadata.name).toBe('a');
  await eventually('both watches are open', () => kube.watches === 2);
  kube.endWatches(garbled());
  await eventually('both are listed anew', () => kube.count('list') === 4 && kube.watches === 2);
  expect(changes.filter((change) => change.startsWith('deleted'))).toEqual([]);
});

const many = Array.from({ length: 124 }, (_, index) => `tenant-${index}`);
const inNamespace = (namespace: string, name: string) => {
  const object = widget(name, { size: 1 });
  return { ...object, metadata: { ...object.metadata, namespace } };
};

test('124 namespaces are one list and one watch, and no object of another namespace is kept', async () => {
  for (const namespace of ['tenant-0', 'tenant-123', 'other']) {
    await kube.create(widgets, inNamespace(namespace, `in-${namespace}`));
  }
  const { reflector, changes } = start({ namespaces: many });
  await reflector.whenSynced();
  await eventually('the watch is open', () => kube.watches > 0);
  expect([kube.count('list'), kube.watches]).toEqual([1, 1]);
  expect(names(reflector.list())).toEqual(['in-tenant-0', 'in-tenant-123']);
  await kube.create(widgets, inNamespace('other', 'late'));
  await kube.create(widgets, inNamespace('tenant-7', 'in-tenant-7'));
  await eventually('the new object is seen', () => changes.includes('added in-tenant-7'));
  expect(names(reflector.list())).toEqual(['in-tenant-0', 'in-tenant-123', 'in-tenant-7']);
});

test('many namespaces are watched one by one where the collection may not be listed as a whole', async () => {
  await kube.create(widgets, inNamespace('tenant-5', 'a'));
  kube.failNext('list', status('list', widgets, 403, 'Forbidden'), 1);
  const { reflector } = start({ namespaces: many });
  await reflector.whenSynced();
  expect(names(reflector.list())).toEqual(['a']);
  expect(kube.count('list')).toBe(1 + many.length);
});
