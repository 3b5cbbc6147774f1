import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { OpenApiSchema, Unstructured } from '../../../../../sandbox/kube/model/types.ts';
import { applyPatch } from '../../../../../sandbox/kube/schema/index.ts';

const json = (live: Unstructured, ...operations: unknown[]) => applyPatch('json', live, operations);

test('every operation of RFC 6902 works, escapes and list ends included', () => {
  expect(
    json(
      { a: { 'x/y': 1, 'm~n': 2 }, l: [1, 2, 3] },
      { op: 'replace', path: '/a/x~1y', value: 5 },
      { op: 'remove', path: '/a/m~0n' },
    ),
  ).toEqual({ a: { 'x/y': 5 }, l: [1, 2, 3] });
  expect(json({ l: [1, 2] }, { op: 'add', path: '/l/-', value: 9 }, { op: 'add', path: '/l/0', value: 0 })).toEqual({
    l: [0, 1, 2, 9],
  });
  expect(json({ a: { b: 1 } }, { op: 'move', from: '/a/b', path: '/c' })).toEqual({ a: {}, c: 1 });
  expect(
    json({ a: { b: [1] } }, { op: 'copy', from: '/a/b', path: '/c' }, { op: 'add', path: '/c/-', value: 2 }),
  ).toEqual({ a: { b: [1] }, c: [1, 2] });
  expect(json({ a: 1 }, { op: 'test', path: '/a', value: 1 })).toEqual({ a: 1 });
});

test.each<[string, unknown, string]>([
  ['a failed test', { op: 'test', path: '/a', value: 2 }, 'unprocessable'],
  ['a missing parent', { op: 'add', path: '/x/y', value: 2 }, 'unprocessable'],
  ['removing what is not there', { op: 'remove', path: '/x' }, 'unprocessable'],
  ['replacing what is not there', { op: 'replace', path: '/x', value: 1 }, 'unprocessable'],
  ['an index beyond the end', { op: 'add', path: '/l/5', value: 1 }, 'unprocessable'],
  ['an index with a leading zero', { op: 'replace', path: '/l/00', value: 1 }, 'unprocessable'],
  ['an unknown operation', { op: 'zork', path: '/a' }, 'malformed'],
  ['a pointer without a slash', { op: 'remove', path: 'a' }, 'malformed'],
  ['an add without a value', { op: 'add', path: '/a' }, 'malformed'],
  ['a move into itself', { op: 'move', from: '/o', path: '/o/b' }, 'unprocessable'],
])('%s is a PatchError', (_, operation, problem) => {
  expect(() => json({ a: 1, l: [1], o: {} }, operation)).toThrow(
    expect.objectContaining({ name: 'PatchError', problem }),
  );
});

test('the live object is never touched', () => {
  const live = { a: { b: [1] } };
  json(live, { op: 'add', path: '/a/b/-', value: 2 });
  applyPatch('merge', live, { a: null });
  applyPatch('strategic', live, { a: { b: null } }, {});
  expect(live).toEqual({ a: { b: [1] } });
});

test('a merge patch follows RFC 7386', () => {
  expect(
    applyPatch(
      'merge',
      { a: { b: 1, c: 2 }, l: [1], k: 1 },
      { a: { b: null, d: { e: 1, f: null } }, l: [2], k: { x: null } },
    ),
  ).toEqual({ a: { c: 2, d: { e: 1 } }, l: [2], k: {} });
});

test('a merge patch applied twice gives the same as once', () => {
  const tree = fc.dictionary(
    fc.string({ maxLength: 3 }),
    fc.oneof(
      fc.constant(null),
      fc.integer(),
      fc.dictionary(fc.string({ maxLength: 3 }), fc.oneof(fc.integer(), fc.constant(null))),
    ),
  );
  fc.assert(
    fc.property(tree, tree, (live, patch) => {
      const once = applyPatch('merge', live, patch);
      expect(applyPatch('merge', once, patch)).toEqual(once);
    }),
  );
});

const schema: OpenApiSchema = {
  type: 'object',
  properties: {
    containers: {
      type: 'array',
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
      items: { type: 'object', properties: { args: { type: 'array', items: { type: 'string' } } } },
    },
    finalizers: { type: 'array', 'x-kubernetes-patch-strategy': 'merge', items: { type: 'string' } },
    strategy: { type: 'object', 'x-kubernetes-patch-strategy': 'retainKeys' },
    plain: { type: 'array', items: { type: 'object' } },
    map: { type: 'object', additionalProperties: { type: 'string' } },
  },
};
const strategic = (live: Unstructured, patch: Unstructured) => applyPatch('strategic', live, patch, schema);

test('lists with a merge key merge by it and keep their order', () => {
  expect(
    strategic(
      { containers: [{ name: 'a', image: '1', args: ['x'] }, { name: 'b' }] },
      { containers: [{ name: 'b', image: '2' }, { name: 'c' }, { name: 'a', args: ['y'] }] },
    ),
  ).toEqual({ containers: [{ name: 'a', image: '1', args: ['y'] }, { name: 'b', image: '2' }, { name: 'c' }] });
});

test('$patch deletes an item, replaces a list, replaces or deletes an object', () => {
  expect(
    strategic({ containers: [{ name: 'a' }, { name: 'b' }] }, { containers: [{ $patch: 'delete', name: 'a' }] }),
  ).toEqual({ containers: [{ name: 'b' }] });
  expect(
    strategic({ containers: [{ name: 'a' }, { name: 'b' }] }, { containers: [{ $patch: 'replace' }, { name: 'c' }] }),
  ).toEqual({ containers: [{ name: 'c' }] });
  expect(strategic({ map: { a: '1' } }, { map: { $patch: 'replace', b: '2' } })).toEqual({ map: { b: '2' } });
  expect(strategic({ map: { a: '1' }, k: 1 }, { map: { $patch: 'delete' } })).toEqual({ k: 1 });
  expect(strategic({ map: { a: '1' } }, { map: { $patch: 'merge', b: '2' } })).toEqual({ map: { a: '1', b: '2' } });
});

test('$retainKeys clears what it does not name, as switching a strategy needs', () => {
  expect(
    strategic(
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } },
      { strategy: { $retainKeys: ['type'], type: 'Recreate' } },
    ),
  ).toEqual({ strategy: { type: 'Recreate' } });
});

test('primitive lists with the merge strategy are sets with deletions and an order', () => {
  expect(strategic({ finalizers: ['a', 'b'] }, { finalizers: ['b', 'c'] })).toEqual({ finalizers: ['a', 'b', 'c'] });
  expect(strategic({ finalizers: ['a', 'b'] }, { '$deleteFromPrimitiveList/finalizers': ['a'] })).toEqual({
    finalizers: ['b'],
  });
  expect(strategic({ finalizers: ['a', 'b'] }, { '$setElementOrder/finalizers': ['b', 'a'] })).toEqual({
    finalizers: ['b', 'a'],
  });
});

test('$setElementOrder orders the named items and leaves the others where they were', () => {
  expect(
    strategic(
      { containers: [{ name: 'a' }, { name: 'server' }, { name: 'b' }] },
      { '$setElementOrder/containers': [{ name: 'c' }, { name: 'a' }, { name: 'b' }], containers: [{ name: 'c' }] },
    ),
  ).toEqual({ containers: [{ name: 'c' }, { name: 'a' }, { name: 'server' }, { name: 'b' }] });
});

test('other lists are replaced, empty objects in them included', () => {
  expect(strategic({ plain: [{ a: 1 }] }, { plain: [{}] })).toEqual({ plain: [{}] });
});

test('a strategic patch without a schema, a missing merge key and an unknown directive are refused', () => {
  expect(() => applyPatch('strategic', {}, {})).toThrow(expect.objectContaining({ problem: 'unsupported' }));
  expect(() => strategic({}, { containers: [{ image: 'x' }] })).toThrow('does not contain declared merge key: name');
  expect(() => strategic({}, { map: { $patch: 'zork' } })).toThrow('Unknown patch type: "zork"');
});
