import { expect, test } from '@jest/globals';
import type { OpenApiSchema } from '../../../../../sandbox/kube/model/types.ts';
import { causes, problems, rules, spec, text } from './rule-schema.ts';

test('a rule that does not hold is refused at its place, with its message or itself', () => {
  const schema = spec(
    { min: { type: 'integer' }, max: { type: 'integer' } },
    rules({ rule: 'self.min <= self.max', message: 'min is above max' }),
  );
  expect(causes(schema, { min: 1, max: 2 })).toEqual([]);
  expect(causes(schema, { min: 3, max: 2 })).toEqual(['FieldValueInvalid spec: Invalid value: min is above max']);
  expect(causes(spec({ n: { type: 'integer', ...rules('self > 3') } }), { n: 2 })).toEqual([
    'FieldValueInvalid spec.n: Invalid value: 2: failed rule: self > 3',
  ]);
});

test('rules run on list items and map values, absent members are passed over', () => {
  const schema = spec({
    l: { type: 'array', items: { ...text, ...rules("self.startsWith('a')") } },
    m: { type: 'object', additionalProperties: { type: 'integer', ...rules('self < 5') } },
  });
  expect(causes(schema, { l: ['a', 'b'], m: { x: 1, y: 9 } })).toEqual([
    'FieldValueInvalid spec.l[1]: Invalid value: "b": failed rule: self.startsWith(\'a\')',
    'FieldValueInvalid spec.m[y]: Invalid value: 9: failed rule: self < 5',
  ]);
  expect(causes(schema, {})).toEqual([]);
});

test('reason, fieldPath and messageExpression shape the cause', () => {
  const rule = {
    rule: 'has(self.a)',
    message: 'plain',
    messageExpression: '"needs a beside " + self.b',
    reason: 'FieldValueRequired',
    fieldPath: '.a',
  };
  expect(causes(spec({ a: text, b: text }, rules(rule)), { b: 'x' })).toEqual([
    'FieldValueRequired spec.a: Required value: needs a beside x',
  ]);
  expect(causes(spec({ a: text, b: text }, rules(rule)), {})).toEqual([
    'FieldValueRequired spec.a: Required value: plain',
  ]);
  expect(causes(spec({ a: text }, rules({ rule: 'false', message: 'no', reason: 'FieldValueForbidden' })), {})).toEqual(
    ['FieldValueForbidden spec: Forbidden: no'],
  );
});

test('a transition rule needs both values; list maps are matched by key', () => {
  const schema = spec({
    fixed: { ...text, ...rules({ rule: 'self == oldSelf', message: 'fixed is immutable' }) },
    rows: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: text, v: { type: 'integer', ...rules('self >= oldSelf') } },
      },
    },
  });
  expect(causes(schema, { fixed: 'a', rows: [{ name: 'x', v: 1 }] })).toEqual([]);
  expect(causes(schema, { fixed: 'b' }, { fixed: 'a' })).toEqual([
    'FieldValueInvalid spec.fixed: Invalid value: "b": fixed is immutable',
  ]);
  expect(causes(schema, { fixed: 'b' }, {})).toEqual([]);
  expect(
    causes(
      schema,
      {
        rows: [
          { name: 'new', v: 0 },
          { name: 'x', v: 1 },
        ],
      },
      { rows: [{ name: 'x', v: 2 }] },
    ),
  ).toEqual(['FieldValueInvalid spec.rows[1].v: Invalid value: 1: failed rule: self >= oldSelf']);
});

test('optionalOldSelf runs on create too', () => {
  const schema = spec({
    a: { ...text, ...rules({ rule: "oldSelf.hasValue() || self == 'start'", optionalOldSelf: true }) },
  });
  expect(causes(schema, { a: 'start' })).toEqual([]);
  expect(causes(schema, { a: 'x' })).toHaveLength(1);
  expect(causes(schema, { a: 'x' }, { a: 'start' })).toEqual([]);
});

test('whole objects, lists and maps can be compared with their old value', () => {
  const same = rules('self == oldSelf');
  const schema = spec({
    o: {
      type: 'object',
      properties: { a: text, l: { type: 'array', items: { type: 'object', properties: { b: text } } } },
      ...same,
    },
    m: { type: 'object', additionalProperties: text, ...same },
    l: { type: 'array', items: { type: 'object', properties: { b: text } }, ...same },
  });
  const value = { o: { a: '1', l: [{ b: '1' }] }, m: { k: 'v' }, l: [{ b: '1' }] };
  expect(causes(schema, value, structuredClone(value))).toEqual([]);
  expect(
    causes(schema, { o: { a: '1', l: [{ b: '2' }] }, m: { k: 'w' }, l: [{ b: '2' }] }, value).map(
      (cause) => cause.split(':')[0],
    ),
  ).toEqual(['FieldValueInvalid spec.o', 'FieldValueInvalid spec.m', 'FieldValueInvalid spec.l']);
});

test('member names that are no identifiers are escaped', () => {
  const schema = spec(
    { namespace: text, 'x-y': text, a__b: text, 'c.d/e': text },
    rules('self.__namespace__ == self.x__dash__y && self.a__underscores__b == self.c__dot__d__slash__e'),
  );
  expect(causes(schema, { namespace: '1', 'x-y': '1', a__b: '2', 'c.d/e': '2' })).toEqual([]);
  expect(causes(schema, { namespace: '1', 'x-y': '2', a__b: '2', 'c.d/e': '2' })).toHaveLength(1);
});

test('the root sees kind and metadata.name and nothing else of the metadata', () => {
  const root = (rule: string): OpenApiSchema => ({ ...spec({ a: text }), ...rules(rule) });
  expect(causes(root("self.metadata.name == 'n'"), {})).toEqual([]);
  expect(causes(root('self.metadata.name.size() > 5'), {})).toEqual([
    'FieldValueInvalid : Invalid value: failed rule: self.metadata.name.size() > 5',
  ]);
  expect(problems(root('has(self.metadata.labels)'))).toHaveLength(1);
});

test.each<[string, OpenApiSchema, string, RegExp]>([
  [
    'an unknown member',
    spec({ a: text }, rules('self.b == 1')),
    '.properties[spec].x-kubernetes-validations[0].rule',
    /compilation failed: .*b/,
  ],
  [
    'types that do not fit',
    spec({ a: text }, rules('self.a > 1')),
    '.properties[spec].x-kubernetes-validations[0].rule',
    /compilation failed/,
  ],
  [
    'a syntax error',
    spec({ a: text }, rules('self.a ==')),
    '.properties[spec].x-kubernetes-validations[0].rule',
    /compilation failed/,
  ],
  [
    'a rule that is no truth value',
    spec({ a: text }, rules('self.a')),
    '.properties[spec].x-kubernetes-validations[0].rule',
    /must evaluate to a bool/,
  ],
  [
    'a message that is no text',
    spec({ a: text }, rules({ rule: 'true', messageExpression: '1' })),
    '.properties[spec].x-kubernetes-validations[0].messageExpression',
    /must evaluate to a string/,
  ],
  [
    'oldSelf in a list without keys',
    spec({ l: { type: 'array', items: { ...text, ...rules('self == oldSelf') } } }),
    '.properties[spec].properties[l].items.x-kubernetes-validations[0].rule',
    /uncorrelatable portion/,
  ],
])('%s is a problem of the schema', (_, schema, path, detail) => {
  expect(problems(schema)).toEqual([expect.objectContaining({ field: path, message: expect.stringMatching(detail) })]);
});

test('rules are not run on an object of the wrong shape, and it says so', () => {
  const schema = spec({ n: { type: 'integer' } }, rules('self.n > 1'));
  expect(causes(schema, { n: 'x' })).toEqual([
    expect.stringContaining('FieldValueTypeInvalid spec.n'),
    expect.stringContaining('<nil>: Invalid value: null: some validation rules were not checked'),
  ]);
});

test('a rule that fails while it runs refuses the object', () => {
  expect(causes(spec({ a: text, b: text }, rules('self.a == self.b')), { a: 'x' })).toEqual([
    expect.stringMatching(/^FieldValueInvalid spec: Invalid value: "object": .*b.* evaluating rule: self.a == self.b$/),
  ]);
});
