import { expect, test } from '@jest/globals';
import type { OpenApiSchema } from '../../../../sandbox/kube/model/types.ts';
import { validateCrdSchema } from '../../../../sandbox/kube/schema/index.ts';

const text: OpenApiSchema = { type: 'string' };
const spec = (a: OpenApiSchema): OpenApiSchema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: { a } } },
});
const rows = (
  more: OpenApiSchema,
  items: OpenApiSchema = { type: 'object', properties: { n: text } },
): OpenApiSchema => ({ type: 'array', items, ...more });
const texts = (schema: OpenApiSchema) =>
  validateCrdSchema(schema, 'S').map(
    ({ field, message }) => `${field.replace('S.properties[spec].properties[a]', 'A')}: ${message}`,
  );

/** Recorded from kube-apiserver 1.20 and the CRD server of 1.36. */
test.each<[string, OpenApiSchema, string[]]>([
  ['no type at the root', { properties: {} }, ['S.type: Required value: must not be empty at the root']],
  ['another type at the root', { type: 'string' }, ['S.type: Invalid value: "string": must be object at the root']],
  [
    'a nullable root',
    { type: 'object', nullable: true },
    ['S.nullable: Forbidden: nullable cannot be true at the root'],
  ],
  ['a member without type', spec({}), ['A.type: Required value: must not be empty for specified object fields']],
  ['a list without items', spec({ type: 'array' }), ['A.items: Required value: must be specified']],
  [
    'items without type',
    spec({ type: 'array', items: {} }),
    ['A.items.type: Required value: must not be empty for specified array items'],
  ],
  [
    'an unknown type',
    spec({ type: 'foo' }),
    ['A.type: Unsupported value: "foo": supported values: "array", "boolean", "integer", "number", "object", "string"'],
  ],
  [
    'uniqueItems',
    spec({ type: 'array', uniqueItems: true, items: text }),
    ['A.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic'],
  ],
  [
    'properties beside additionalProperties',
    spec({ type: 'object', additionalProperties: text, properties: { b: text } }),
    ['A.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive'],
  ],
  [
    'structure beneath anyOf',
    spec({ type: 'string', anyOf: [{ type: 'string', description: 'x', default: 'q', nullable: true, title: 't' }] }),
    [
      'A.anyOf[0].default: Forbidden: must be undefined to be structural',
      'A.anyOf[0].description: Forbidden: must be empty to be structural',
      'A.anyOf[0].nullable: Forbidden: must be false to be structural',
      'A.anyOf[0].title: Forbidden: must be empty to be structural',
      'A.anyOf[0].type: Forbidden: must be empty to be structural',
    ],
  ],
  [
    'a pattern RE2 does not know',
    spec({ type: 'string', pattern: '(?=x)' }),
    [
      'A.pattern: Invalid value: "(?=x)": must be a valid regular expression, but isn\'t: error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
    ],
  ],
  [
    'a broken pattern',
    spec({ type: 'string', pattern: '[' }),
    [
      'A.pattern: Invalid value: "[": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ]: `[`',
    ],
  ],
  [
    'a default of another type',
    spec({ type: 'string', default: 5 }),
    ['A.default: Invalid value: "integer":  in body must be of type string: "integer"'],
  ],
  [
    'a default out of range',
    spec({ type: 'integer', minimum: 3, default: 1 }),
    ['A.default: Invalid value: 1:  in body should be greater than or equal to 3'],
  ],
  [
    'a default with unknown members',
    spec({ type: 'object', default: { x: 1 }, properties: { b: text } }),
    ['A.default: Invalid value: {"x":1}: must not have unknown fields'],
  ],
  [
    'a list map without keys',
    spec(rows({ 'x-kubernetes-list-type': 'map' })),
    ['A.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map'],
  ],
  [
    'keys that are no members',
    spec(rows({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['n', 'zz'] })),
    [
      'A.x-kubernetes-list-map-keys: Invalid value: []string{"n", "zz"}: entries must all be names of item properties',
      'A.items.properties[n].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
    ],
  ],
  [
    'a set of granular objects',
    spec(rows({ 'x-kubernetes-list-type': 'set' })),
    [
      'A.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set',
    ],
  ],
  [
    'an unknown list type',
    spec(rows({ 'x-kubernetes-list-type': 'bag' })),
    ['A.x-kubernetes-list-type: Unsupported value: "bag": supported values: "atomic", "set", "map"'],
  ],
  [
    'keys without list type',
    spec(rows({ 'x-kubernetes-list-map-keys': ['n'] })),
    ['A.x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty'],
  ],
  [
    'preserve-unknown-fields: false',
    spec({ type: 'object', 'x-kubernetes-preserve-unknown-fields': false }),
    ['A.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined'],
  ],
  [
    'an embedded resource nobody can fill',
    spec({ type: 'object', 'x-kubernetes-embedded-resource': true }),
    [
      'A.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
    ],
  ],
  [
    'restricted metadata',
    { type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } },
    [
      'S.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
    ],
  ],
  [
    'a definition',
    spec({ type: 'object', definitions: {} }),
    ['A.definitions: Forbidden: definitions is not supported'],
  ],
  [
    'a rule that does not compile',
    spec({ type: 'string', 'x-kubernetes-validations': [{ rule: 'self.b' }] }),
    [
      expect.stringMatching(
        /^A\.x-kubernetes-validations\[0\]\.rule: Invalid value: .*compilation failed: /,
      ) as unknown as string,
    ],
  ],
])('%s is refused in the wording of the API server', (_, schema, wanted) => {
  expect(texts(schema)).toEqual(wanted);
});

test.each<[string, OpenApiSchema]>([
  [
    'int-or-string with its usual anyOf',
    spec({ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }),
  ],
  ['a member that is only preserved', spec({ 'x-kubernetes-preserve-unknown-fields': true })],
  ['a null default', spec({ type: 'string', default: null })],
  ['additionalProperties: true', spec({ type: 'object', additionalProperties: true })],
  [
    'value validation beneath oneOf',
    spec({
      type: 'object',
      properties: { b: text },
      oneOf: [{ required: ['b'], properties: { b: { minLength: 2 } } }, { not: { required: ['b'] } }],
    }),
  ],
  [
    'a metadata.name pattern',
    {
      type: 'object',
      properties: { metadata: { type: 'object', properties: { name: { type: 'string', pattern: '^x' } } } },
    },
  ],
])('%s is fine', (_, schema) => {
  expect(texts(schema)).toEqual([]);
});
