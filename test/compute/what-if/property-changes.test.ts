import { expect, test } from '@jest/globals';
import { propertyChanges } from '../../../runtime/compute/what-if/property-changes.ts';

const rule = (name: string, priority: number) => ({ name, properties: { priority } });

test.each<[string, object, object]>([
  ['a member that Azure adds', { sku: { name: 'A' } }, { sku: { name: 'A', tier: 'Standard' }, etag: '1' }],
  ['the spelling of a region and of an id', { location: 'westeurope' }, { location: 'West Europe' }],
  ['the order of a list', { rules: [rule('a', 1), rule('b', 2)] }, { rules: [rule('b', 2), rule('a', 1)] }],
  ['an empty list where there is none', { tags: {}, rules: [] }, {}],
])('%s is no change', (_, after, before) => {
  expect(propertyChanges({ ...before }, { ...after })).toEqual([]);
});

test('values that are new, others, or gone have their paths', () => {
  const before = { sku: { name: 'A' }, tags: { 'a.b': 'x' }, identity: { type: 'None' } };
  const after = { sku: { name: 'B' }, tags: { 'a.b': 'y', c: 'z' }, identity: null };
  expect(propertyChanges(before, after)).toEqual([
    { path: 'sku.name', propertyChangeType: 'Modify', before: 'A', after: 'B' },
    { path: 'tags.a.b', propertyChangeType: 'Modify', before: 'x', after: 'y' },
    { path: 'tags.c', propertyChangeType: 'Create', after: 'z' },
    { path: 'identity', propertyChangeType: 'Delete', before: { type: 'None' } },
  ]);
});

test('a list shows its items: those with a name are the same ones at any index', () => {
  const before = { rules: [rule('a', 1), rule('b', 2), rule('c', 3)] };
  const after = { rules: [rule('new', 9), rule('B', 5), rule('a', 1)] };
  expect(propertyChanges(before, after)).toEqual([
    {
      path: 'rules',
      propertyChangeType: 'Array',
      children: [
        { path: '0', propertyChangeType: 'Create', after: rule('new', 9) },
        {
          path: '1',
          propertyChangeType: 'Modify',
          children: [
            { path: 'name', propertyChangeType: 'Modify', before: 'b', after: 'B' },
            { path: 'properties.priority', propertyChangeType: 'Modify', before: 2, after: 5 },
          ],
        },
        { path: '2', propertyChangeType: 'Delete', before: rule('c', 3) },
      ],
    },
  ]);
});

test('items without names are compared by their indexes', () => {
  expect(propertyChanges({ prefixes: ['10.0.0.0/16', '10.1.0.0/16'] }, { prefixes: ['10.0.0.0/16'] })).toEqual([
    {
      path: 'prefixes',
      propertyChangeType: 'Array',
      children: [{ path: '1', propertyChangeType: 'Delete', before: '10.1.0.0/16' }],
    },
  ]);
});
