import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { OpenApiSchema, Unstructured } from '../../../../../sandbox/kube/model/types.ts';
import { builtinTypes, compileSchema, serverSideApply, trackUpdate } from '../../../../../sandbox/kube/schema/index.ts';

/** What a real API server does with random sequences is compared in test/cluster/sandbox; here is what 1.20 does differently, and the rules by name. */
const leaf: OpenApiSchema = { type: 'string' };
const schema: OpenApiSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        a: leaf,
        m: { type: 'object', additionalProperties: leaf },
        atomic: { type: 'object', additionalProperties: leaf, 'x-kubernetes-map-type': 'atomic' },
        set: { type: 'array', items: leaf, 'x-kubernetes-list-type': 'set' },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        rows: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', properties: { name: leaf, v: leaf } },
        },
      },
    },
    status: { type: 'object', properties: { ok: { type: 'boolean' } } },
  },
};
const thing = (spec?: Unstructured, more: Unstructured = {}): Unstructured => ({
  apiVersion: 'g/v1',
  kind: 'Thing',
  metadata: { name: 'n', namespace: 'd' },
  ...(spec ? { spec } : {}),
  ...more,
});
const base = { apiVersion: 'g/v1', subresource: '', schema, now: '2026-01-01T00:00:00Z' };
const attempt = (live: Unstructured | undefined, manager: string, applied: Unstructured, more: object = {}) =>
  serverSideApply({ ...base, live, applied, manager, force: false, ...more });
const apply = (
  live: Unstructured | undefined,
  manager: string,
  applied: Unstructured,
  more: object = {},
): Unstructured => {
  const outcome = attempt(live, manager, applied, more);
  if (!('object' in outcome)) throw new Error(JSON.stringify(outcome));
  // As the server goes on: what an apply emptied is null until then.
  compileSchema(more && 'schema' in more ? {} : schema).applyDefaults(outcome.object);
  return outcome.object;
};
const update = (
  before: Unstructured | undefined,
  manager: string,
  after: Unstructured,
  more: object = {},
): Unstructured => ({
  ...after,
  metadata: {
    ...after['metadata'],
    managedFields: trackUpdate({ ...base, before, after, manager, operation: 'Update', ...more }),
  },
});
const owned = (object: Unstructured) =>
  Object.fromEntries(
    object['metadata'].managedFields.map((entry: Unstructured) => [
      `${entry['manager']}/${entry['operation']}`,
      entry['fieldsV1'],
    ]),
  );

test('an applier owns what it names and nothing of the identity', () => {
  const object = apply(undefined, 'a', thing({ a: '1', m: { k: 'v' }, set: ['x'], rows: [{ name: 'r', v: '1' }] }));
  expect(object['metadata'].managedFields).toEqual([
    {
      manager: 'a',
      operation: 'Apply',
      apiVersion: 'g/v1',
      time: base.now,
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:spec': {
          'f:a': {},
          'f:m': { 'f:k': {} },
          'f:rows': { 'k:{"name":"r"}': { '.': {}, 'f:name': {}, 'f:v': {} } },
          'f:set': { 'v:"x"': {} },
        },
      },
    },
  ]);
});

test('another value of an owned field is a conflict, force takes the field over', () => {
  const live = apply(undefined, 'a', thing({ a: '1' }));
  expect(attempt(live, 'b', thing({ a: '2' }))).toEqual({ conflicts: [{ manager: '"a"', field: '.spec.a' }] });
  const forced = apply(live, 'b', thing({ a: '2' }), { force: true });
  expect(owned(forced)).toEqual({ 'b/Apply': { 'f:spec': { 'f:a': {} } } });
});

test('a conflict with an updater names its version, list items are shown by key', () => {
  const live = update(undefined, 'u', thing({ rows: [{ name: 'r', v: '1' }], set: ['x'] }));
  expect(attempt(live, 'b', thing({ rows: [{ name: 'r', v: '2' }] }))).toEqual({
    conflicts: [{ manager: '"u" using g/v1', field: '.spec.rows[name="r"].v' }],
  });
});

test('the same value is shared; the field goes when the last of its owners drops it', () => {
  let live = apply(undefined, 'a', thing({ m: { k: '1', own: 'x' } }));
  live = apply(live, 'b', thing({ m: { k: '1' } }));
  live = apply(live, 'a', thing({ a: '1' }));
  expect(live['spec']).toEqual({ m: { k: '1' }, a: '1' });
  live = apply(live, 'b', thing({ a: '1' }));
  expect(live['spec']).toEqual({ a: '1' });
});

test('items of a list map and a set are merged and removed one by one', () => {
  let live = apply(undefined, 'a', thing({ rows: [{ name: 'r1' }, { name: 'r2', v: '1' }], set: ['x', 'y'] }));
  live = apply(live, 'b', thing({ rows: [{ name: 'r3' }], set: ['z'] }));
  live = apply(live, 'a', thing({ rows: [{ name: 'r2', v: '1' }], set: ['y'] }));
  expect(live['spec']).toEqual({ rows: [{ name: 'r2', v: '1' }, { name: 'r3' }], set: ['y', 'z'] });
});

test('shared items follow the applied order, those of others keep their place', () => {
  const live = update(undefined, 'u', thing({ set: ['a', 'server', 'b'] }));
  expect(apply(live, 'x', thing({ set: ['b', 'a', 'new'] }))['spec'].set).toEqual(['server', 'b', 'a', 'new']);
});

test('an atomic map is owned as a whole', () => {
  const live = apply(undefined, 'a', thing({ atomic: { k: '1' } }));
  expect(owned(live)).toEqual({ 'a/Apply': { 'f:spec': { 'f:atomic': {} } } });
  expect(attempt(live, 'b', thing({ atomic: { l: '1' } }))).toHaveProperty('conflicts.0.field', '.spec.atomic');
});

test('an empty map can be owned, and beneath preserve-unknown-fields maps are granular', () => {
  expect(owned(apply(undefined, 'a', thing({ m: {}, free: { x: { y: [1] } } })))).toEqual({
    'a/Apply': { 'f:spec': { 'f:m': {}, 'f:free': { 'f:x': { '.': {}, 'f:y': {} } } } },
  });
});

test('an update takes what it changes, loses nothing else, and drops what it removes', () => {
  let live = apply(undefined, 'a', thing({ a: '1', m: { k: '1' } }));
  live = update(live, 'u', { ...live, spec: { a: '2', m: { k: '1', l: '1' } } });
  expect(owned(live)).toEqual({
    'a/Apply': { 'f:spec': { 'f:m': { 'f:k': {} } } },
    'u/Update': { 'f:spec': { 'f:a': {}, 'f:m': { 'f:l': {} } } },
  });
  live = update(live, 'v', { ...live, spec: { m: { l: '1' } } });
  expect(owned(live)).toEqual({ 'u/Update': { 'f:spec': { 'f:m': { 'f:l': {} } } } });
});

test('[{}] resets the managed fields; an object without them is tracked again from the first apply', () => {
  let live = apply(undefined, 'a', thing({ a: '1' }));
  live = update(live, 'u', { ...live, metadata: { ...live['metadata'], managedFields: [{}] } });
  expect(live['metadata'].managedFields).toEqual([]);
  live = update(live, 'u', { ...live, spec: { a: '2' } });
  expect(live['metadata'].managedFields).toEqual([]);
  live = apply(live, 'b', thing({ a: '2' }));
  expect(Object.keys(owned(live))).toEqual(['b/Apply', 'before-first-apply/Update']);
});

test('a client that knows nothing of managed fields cannot delete them, one that does may write them', () => {
  const live = apply(undefined, 'a', thing({ a: '1' }));
  const plain = update(live, 'u', thing({ a: '1' }));
  expect(owned(plain)).toEqual({ 'a/Apply': { 'f:spec': { 'f:a': {} } } });
  const [entry] = live['metadata'].managedFields;
  const renamed = update(live, 'u', {
    ...live,
    metadata: { ...live['metadata'], managedFields: [{ ...entry, manager: 'c' }] },
  });
  expect(Object.keys(owned(renamed))).toEqual(['c/Apply']);
});

test('status is a world of its own: other identity, other fields', () => {
  let live = apply(undefined, 'a', thing({ a: '1' }, { status: { ok: true } }), { ignored: ['status'] });
  expect(live['status']).toBeUndefined();
  live = apply(live, 'a', thing({ a: '9' }, { status: { ok: true } }), { subresource: 'status' });
  expect(live['spec']).toEqual({ a: '1' });
  expect(
    live['metadata'].managedFields.map(({ subresource, fieldsV1 }: Unstructured) => [subresource, fieldsV1]),
  ).toEqual([
    [undefined, { 'f:spec': { 'f:a': {} } }],
    ['status', { 'f:status': { 'f:ok': {} } }],
  ]);
  const live2 = update(live, 'u', { ...live, status: { ok: false } }, { subresource: 'status' });
  expect(attempt(live2, 'a', thing(undefined, { status: { ok: true } }), { subresource: 'status' })).toEqual({
    conflicts: [{ manager: '"u" with subresource "status" using g/v1', field: '.status.ok' }],
  });
});

test('applying the same again changes nothing, not even the time', () => {
  const live = apply(undefined, 'a', thing({ a: '1', set: ['x'] }));
  expect(apply(live, 'a', thing({ a: '1', set: ['x'] }), { now: '2027-01-01T00:00:00Z' })).toEqual(live);
});

test('a configuration with managed fields, doubled keys or missing keys is refused', () => {
  expect(() =>
    apply(undefined, 'a', { ...thing(), metadata: { name: 'n', managedFields: [{ manager: 'x' }] } }),
  ).toThrow('metadata.managedFields must be nil');
  expect(() => apply(undefined, 'a', thing({ rows: [{ name: 'r' }, { name: 'r' }] }))).toThrow(
    'duplicate entries for key [name="r"]',
  );
  expect(() => apply(undefined, 'a', thing({ rows: [{ v: '1' }] }))).toThrow('omits key field "name"');
});

test('kubectl takes over what its client-side annotation says it applied', () => {
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(thing({ a: '1' })) };
  const created = thing({ a: '1' });
  const live = update(undefined, 'kubectl-client-side-apply', {
    ...created,
    metadata: { ...created['metadata'], annotations },
  });
  expect(apply(live, 'kubectl', thing({ a: '2' }))['spec'].a).toBe('2');
  expect(attempt(live, 'other', thing({ a: '2' }))).toHaveProperty('conflicts');
});

test('more than ten updaters share an entry for ancient changes', () => {
  let live = update(undefined, 'u0', thing({ m: { k0: '1' } }));
  for (let i = 1; i <= 12; i += 1) {
    const now = `2026-01-01T00:00:${String(i).padStart(2, '0')}Z`;
    live = update(live, `u${i}`, { ...live, spec: { m: { ...live['spec'].m, [`k${i}`]: '1' } } }, { now });
  }
  const updaters = live['metadata'].managedFields.map((entry: Unstructured) => entry['manager']);
  expect(updaters).toHaveLength(10);
  expect(updaters[0]).toBe('ancient-changes');
});

test('ports of a built-in kind are distinguished by their default protocol', () => {
  const service = builtinTypes.find((type) => type.kind === 'Service')?.schema;
  const applied = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's' },
    spec: { ports: [{ port: 80 }, { port: 80, protocol: 'UDP' }] },
  };
  const object = apply(undefined, 'a', applied, { schema: service, apiVersion: 'v1' });
  expect(Object.keys(owned(object)['a/Apply']['f:spec']['f:ports'])).toEqual([
    'k:{"port":80,"protocol":"TCP"}',
    'k:{"port":80,"protocol":"UDP"}',
  ]);
});

test('whatever two appliers do, a forced apply makes every applied field true and leaves no field without reason', () => {
  const value = fc.constantFrom('1', '2');
  const config = fc.record(
    {
      a: value,
      m: fc.dictionary(fc.constantFrom('p', 'q'), value),
      set: fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1 }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b'), config), { minLength: 1, maxLength: 8 }), (steps) => {
      let live: Unstructured | undefined;
      for (const [manager, spec] of steps) live = apply(live, manager, thing(spec), { force: true });
      const [, last] = steps.at(-1) ?? [];
      expect(live?.['spec'] ?? {}).toMatchObject({
        ...(last?.a ? { a: last.a } : {}),
        ...(last?.m && Object.keys(last.m).length > 0 ? { m: last.m } : {}),
      });
      expect(live?.['spec']?.set ?? []).toEqual(expect.arrayContaining(last?.set ?? []));
      // Both leave: nothing that was applied stays.
      for (const manager of ['a', 'b']) live = apply(live, manager, thing(), { force: true });
      expect(JSON.stringify(live?.['spec'] ?? {})).not.toMatch(/"[12xyz]"/);
    }),
  );
});
