import { expect, test } from '@jest/globals';
import type { OpenApiSchema, Unstructured } from '../../../../sandbox/kube/model/types.ts';
import { compileSchema } from '../../../../sandbox/kube/schema/index.ts';
import { spec } from './object-schema.ts';

const pruned = (schema: OpenApiSchema, object: Unstructured) => ({
  paths: compileSchema(schema).prune(object),
  object,
});

test('unknown members go and are named; apiVersion, kind and metadata stay', () => {
  const schema = spec({
    a: { type: 'string' },
    l: { type: 'array', items: { type: 'object', properties: { k: { type: 'string' } } } },
  });
  expect(
    pruned(schema, {
      apiVersion: 'v',
      kind: 'K',
      metadata: { name: 'n' },
      zork: 1,
      spec: { a: 'x', b: 1, l: [{ k: 'v', q: 1 }] },
    }),
  ).toEqual({
    paths: ['zork', 'spec.b', 'spec.l[0].q'],
    object: { apiVersion: 'v', kind: 'K', metadata: { name: 'n' }, spec: { a: 'x', l: [{ k: 'v' }] } },
  });
});

test('preserve-unknown-fields keeps the unknown but prunes inside declared members', () => {
  const schema = spec({
    p: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { k: { type: 'object', properties: { z: { type: 'string' } } } },
    },
  });
  expect(pruned(schema, { spec: { p: { k: { z: 'q', y: 1 }, w: { a: 1 } } } }).object).toEqual({
    spec: { p: { k: { z: 'q' }, w: { a: 1 } } },
  });
});

test('embedded resources keep their type and metadata, maps keep their keys', () => {
  const schema = spec({
    e: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: { type: 'object' } } },
    m: { type: 'object', additionalProperties: { type: 'string' } },
    t: { type: 'object', additionalProperties: true },
  });
  const object = {
    spec: {
      e: { apiVersion: 'v1', kind: 'X', metadata: { name: 'x' }, spec: {} },
      m: { any: 'x' },
      t: { any: { deep: 1 } },
    },
  };
  expect(pruned(schema, structuredClone(object))).toEqual({ paths: [], object });
});

test('defaults fill absent members and those that are null without being nullable, at any depth', () => {
  const schema = spec({
    obj: {
      type: 'object',
      properties: {
        d: { type: 'string', default: 'dd' },
        nd: { type: 'string' },
        nn: { type: 'string', nullable: true, default: 'x' },
        deep: { type: 'object', default: {}, properties: { x: { type: 'integer', default: 5 } } },
      },
    },
    list: { type: 'array', items: { type: 'object', properties: { p: { type: 'string', default: 'TCP' } } } },
    map: {
      type: 'object',
      additionalProperties: { type: 'object', properties: { q: { type: 'boolean', default: false } } },
    },
  });
  const object: Unstructured = {
    spec: { obj: { d: null, nd: null, nn: null, deep: null }, list: [{}], map: { k: {} } },
  };
  compileSchema(schema).applyDefaults(object);
  expect(object).toEqual({
    spec: { obj: { d: 'dd', nn: null, deep: { x: 5 } }, list: [{ p: 'TCP' }], map: { k: { q: false } } },
  });
});

test('a default is copied, never shared between objects', () => {
  const compiled = compileSchema(
    spec({
      o: { type: 'object', default: { l: [] }, properties: { l: { type: 'array', items: { type: 'string' } } } },
    }),
  );
  const first: Unstructured = { spec: {} };
  const second: Unstructured = { spec: {} };
  compiled.applyDefaults(first);
  first['spec'].o.l.push('x');
  compiled.applyDefaults(second);
  expect(second['spec'].o.l).toEqual([]);
});

test('a built-in kind keeps what its schema does not know and drops nulls', () => {
  const gvk = { group: '', version: 'v1', kind: 'K' };
  const compiled = compileSchema(
    { type: 'object', properties: {}, 'x-kubernetes-group-version-kind': [gvk] },
    { preserveUnknown: true },
  );
  const object: Unstructured = { metadata: { creationTimestamp: null }, spec: { newer: 1 } };
  expect(compiled.prune(object)).toEqual([]);
  compiled.applyDefaults(object);
  expect(object).toEqual({ metadata: {}, spec: { newer: 1 } });
});

test('a member named __proto__ is an ordinary member', () => {
  const compiled = compileSchema(spec({ m: { type: 'object', additionalProperties: { type: 'integer' } } }));
  expect(compiled.validate(JSON.parse('{"spec":{"m":{"__proto__":"x"}}}')).map((cause) => cause.field)).toEqual([
    'spec.m.__proto__',
  ]);
});
