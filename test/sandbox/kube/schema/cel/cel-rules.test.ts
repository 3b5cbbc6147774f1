import { expect, test } from '@jest/globals';
import { CelRules } from '../../../../../sandbox/kube/schema/cel/cel-rules.ts';
import { compileSchema } from '../../../../../sandbox/kube/schema/index.ts';
import type { OpenApiSchema, Unstructured } from '../../../../../sandbox/kube/types.ts';

const text: OpenApiSchema = { type: 'string' };
const rules = (...list: (string | OpenApiSchema)[]): OpenApiSchema => ({
  'x-kubernetes-validations': list.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
});
const spec = (properties: Record<string, OpenApiSchema>, more: OpenApiSchema = {}): OpenApiSchema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties, ...more } },
});
const causes = (schema: OpenApiSchema, value: unknown, old?: unknown) =>
  compileSchema(schema)
    .validate(
      { metadata: { name: 'n' }, spec: value } as Unstructured,
      old === undefined ? undefined : ({ metadata: { name: 'n' }, spec: old } as Unstructured),
    )
    .map(({ reason, field, message }) => `${reason} ${field}: ${message}`);
const problems = (schema: OpenApiSchema) => new CelRules(schema).problems;

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

test.each<[string, OpenApiSchema, unknown]>([
  [
    'has on optional members, nulls count as absent',
    spec({ a: { ...text, nullable: true } }, rules('!has(self.a)')),
    { a: null },
  ],
  [
    'macros',
    spec(
      { l: { type: 'array', items: { type: 'object', properties: { n: text, v: { type: 'integer' } } } } },
      rules(
        "self.l.all(x, x.v > 0) && self.l.exists_one(x, x.n == 'b') && self.l.filter(x, x.v > 1).map(x, x.n) == ['b']",
      ),
    ),
    {
      l: [
        { n: 'a', v: 1 },
        { n: 'b', v: 2 },
      ],
    },
  ],
  [
    'maps',
    spec(
      { m: { type: 'object', additionalProperties: { type: 'integer' } } },
      rules("'a' in self.m && self.m['a'] == 1 && self.m.all(k, self.m[k] > 0)"),
    ),
    { m: { a: 1 } },
  ],
  [
    'numbers of both kinds',
    spec({ i: { type: 'integer' }, d: { type: 'number' } }, rules('self.i + 1 == 3 && self.d > 1.4 && self.d < 2')),
    { i: 2, d: 1.5 },
  ],
  [
    'int-or-string',
    spec(
      { p: { 'x-kubernetes-int-or-string': true } },
      rules("type(self.p) == int ? self.p < 100 : self.p.endsWith('%')"),
    ),
    { p: '50%' },
  ],
  [
    'timestamps and durations',
    spec(
      { t: { type: 'string', format: 'date-time' }, d: { type: 'string', format: 'duration' } },
      rules("self.t < timestamp('2030-01-01T00:00:00Z') && self.d >= duration('1h')"),
    ),
    { t: '2026-01-01T00:00:00Z', d: '90m' },
  ],
  [
    'the list library',
    spec(
      { l: { type: 'array', items: { type: 'integer' } } },
      rules(
        'self.l.isSorted() && self.l.sum() == 6 && self.l.min() == 1 && self.l.max() == 3 && self.l.indexOf(2) == 1',
      ),
    ),
    { l: [1, 2, 3] },
  ],
  [
    'the string and regex library',
    spec(
      { s: text },
      rules(
        "self.s.find('[0-9]+') == '12' && self.s.findAll('[a-z]').size() == 2 && self.s.replace('a', 'x').charAt(0) == 'x' && self.s.matches('^a[0-9]+b$') && self.s.upperAscii() == 'A12B'",
      ),
    ),
    { s: 'a12b' },
  ],
  [
    'the URL library',
    spec(
      { u: text },
      rules(
        "isURL(self.u) && url(self.u).getScheme() == 'https' && url(self.u).getHostname() == 'a.b' && url(self.u).getPort() == '81'",
      ),
    ),
    { u: 'https://a.b:81/x' },
  ],
  [
    'the quantity library',
    spec(
      { q: text },
      rules(
        "isQuantity(self.q) && quantity(self.q).isGreaterThan(quantity('1Gi')) && quantity('1500m').compareTo(quantity('1.5')) == 0",
      ),
    ),
    { q: '2Gi' },
  ],
  [
    'optional access',
    spec({ o: { type: 'object', properties: { a: text } } }, rules("self.?o.?a.orValue('none') == 'none'")),
    {},
  ],
])('%s work in rules', (_, schema, value) => {
  expect(problems(schema)).toEqual([]);
  expect(causes(schema, value)).toEqual([]);
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

// Values of cel-go's own tests.
test.each([
  ["'ta©o©α𐀓'.replace('', '_') == '_t_a_©_o_©_α_𐀓_'", []],
  [
    "'hello hello'.replace('he', 'we', 1) == 'wello hello' && 'hello hello'.replace('he', 'we', -1) == 'wello wello'",
    [],
  ],
  ["'©αT'.charAt(1) == 'α' && 'tacocat'.charAt(7) == ''", []],
  ["'tacocat'.charAt(8) == ''", ['index out of range']],
  ["'tacocat'.charAt(-1) == ''", ['index out of range']],
])('replace and charAt count characters, and a position outside is an error: %s', (rule, errors) => {
  expect(causes(spec({ a: text }, rules(rule)), { a: 'x' })).toEqual(
    errors.map((each) => expect.stringContaining(each)),
  );
});
