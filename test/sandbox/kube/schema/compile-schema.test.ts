/** The texts were compared with the CRD server of Kubernetes 1.36. */
import { expect, test } from '@jest/globals';
import type { OpenApiSchema, Unstructured } from '../../../../sandbox/kube/model/types.ts';
import { compileSchema } from '../../../../sandbox/kube/schema/index.ts';
import { spec } from './object-schema.ts';

const causes = (schema: OpenApiSchema, value: Unstructured | unknown) =>
  compileSchema(schema)
    .validate({ spec: value } as Unstructured)
    .map(({ reason, field, message }) => `${reason} ${field}: ${message}`);

test.each<[string, OpenApiSchema, unknown, string[]]>([
  [
    'minLength',
    { type: 'string', minLength: 3 },
    'bc',
    ['FieldValueInvalid spec.x: Invalid value: "bc": spec.x in body should be at least 3 chars long'],
  ],
  [
    'maxLength',
    { type: 'string', maxLength: 3 },
    'abcd',
    ['FieldValueTooLong spec.x: Too long: may not be more than 3 bytes'],
  ],
  [
    'pattern',
    { type: 'string', pattern: '^a' },
    'b',
    ['FieldValueInvalid spec.x: Invalid value: "b": spec.x in body should match \'^a\''],
  ],
  [
    'minimum',
    { type: 'integer', minimum: 2 },
    1,
    ['FieldValueInvalid spec.x: Invalid value: 1: spec.x in body should be greater than or equal to 2'],
  ],
  [
    'exclusiveMaximum',
    { type: 'number', maximum: 10, exclusiveMaximum: true },
    10,
    ['FieldValueInvalid spec.x: Invalid value: 10: spec.x in body should be less than 10'],
  ],
  [
    'multipleOf',
    { type: 'integer', multipleOf: 3 },
    4,
    ['FieldValueInvalid spec.x: Invalid value: 4: spec.x in body should be a multiple of 3'],
  ],
  [
    'type',
    { type: 'integer' },
    'q',
    ['FieldValueTypeInvalid spec.x: Invalid value: "string": spec.x in body must be of type integer: "string"'],
  ],
  [
    'array for an object',
    { type: 'object' },
    [],
    ['FieldValueTypeInvalid spec.x: Invalid value: "array": spec.x in body must be of type object: "array"'],
  ],
  [
    'fraction for an integer',
    { type: 'integer' },
    1.5,
    ['FieldValueTypeInvalid spec.x: Invalid value: "number": spec.x in body must be of type integer: "number"'],
  ],
  [
    'int-or-string',
    { 'x-kubernetes-int-or-string': true },
    true,
    [
      'FieldValueTypeInvalid spec.x: Invalid value: "boolean": spec.x in body must be of type integer,string: "boolean"',
    ],
  ],
  [
    'enum of strings',
    { type: 'string', enum: ['x', 'y'] },
    'z',
    ['FieldValueNotSupported spec.x: Unsupported value: "z": supported values: "x", "y"'],
  ],
  [
    'enum of integers',
    { type: 'integer', enum: [1, 2] },
    3,
    ['FieldValueNotSupported spec.x: Unsupported value: 3: supported values: "1", "2"'],
  ],
  [
    'minItems',
    { type: 'array', minItems: 2, items: { type: 'string' } },
    ['x'],
    ['FieldValueInvalid spec.x: Invalid value: 1: spec.x in body should have at least 2 items'],
  ],
  [
    'maxItems',
    { type: 'array', maxItems: 1, items: { type: 'string' } },
    ['x', 'y'],
    ['FieldValueTooMany spec.x: Too many: 2: must have at most 1 item'],
  ],
  [
    'minProperties',
    { type: 'object', minProperties: 1, additionalProperties: { type: 'string' } },
    {},
    ['FieldValueInvalid spec.x: Invalid value: 0: spec.x in body should have at least 1 properties'],
  ],
  [
    'items',
    { type: 'array', items: { type: 'object', properties: { y: { type: 'integer' } } } },
    [{ y: 1 }, { y: 'q' }],
    [
      'FieldValueTypeInvalid spec.x[1].y: Invalid value: "string": spec.x[1].y in body must be of type integer: "string"',
    ],
  ],
  [
    'null in a list',
    { type: 'array', items: { type: 'object' } },
    [null],
    ['FieldValueTypeInvalid spec.x[0]: Invalid value: "null": spec.x[0] in body must be of type object: "null"'],
  ],
  [
    'additionalProperties',
    { type: 'object', additionalProperties: { type: 'integer' } },
    { b: 'x' },
    ['FieldValueTypeInvalid spec.x.b: Invalid value: "string": spec.x.b in body must be of type integer: "string"'],
  ],
  [
    'format',
    { type: 'string', format: 'ipv4' },
    'x',
    ['FieldValueTypeInvalid spec.x: Invalid value: "x": spec.x in body must be of type ipv4: "x"'],
  ],
  [
    'list-type set',
    { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    ['a', 'a'],
    ['FieldValueDuplicate spec.x[1]: Duplicate value: "a"'],
  ],
  [
    'list-type map',
    {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', properties: { name: { type: 'string' } } },
    },
    [{ name: 'a' }, { name: 'a' }],
    ['FieldValueDuplicate spec.x[1]: Duplicate value: {"name":"a"}'],
  ],
  [
    'required',
    { type: 'object', required: ['y'], properties: { y: { type: 'string' } } },
    {},
    ['FieldValueRequired spec.x.y: Required value'],
  ],
  [
    'oneOf without a match',
    { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    {},
    [
      'FieldValueInvalid <nil>: Invalid value: "": "spec.x" must validate one and only one schema (oneOf). Found none valid',
      'FieldValueRequired spec.x.a: Required value',
    ],
  ],
  [
    'oneOf with two',
    { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    { a: 1, b: 1 },
    [
      'FieldValueInvalid <nil>: Invalid value: "": "spec.x" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
  ],
  [
    'not',
    { type: 'object', not: { required: ['a'] } },
    { a: 1 },
    ['FieldValueInvalid <nil>: Invalid value: "": "spec.x" must not validate the schema (not)'],
  ],
  [
    'embedded resource',
    { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    {},
    [
      'FieldValueRequired spec.x.apiVersion: Required value: must not be empty',
      'FieldValueRequired spec.x.kind: Required value: must not be empty',
    ],
  ],
])('%s is refused with the field and the wording of the API server', (_, schema, value, wanted) => {
  expect(causes(spec({ x: schema }), { x: value })).toEqual(wanted);
});

test.each<[string, OpenApiSchema, unknown]>([
  ['a whole number where a number is asked for', { type: 'number' }, 1],
  ['null for a nullable member', { type: 'string', nullable: true }, null],
  ['a string for int-or-string', { 'x-kubernetes-int-or-string': true }, '50%'],
  ['a format nobody knows', { type: 'string', format: 'zork' }, 'x'],
  ['a pattern with RE2 flags and classes', { type: 'string', pattern: '(?i)^[[:alpha:]_-]+\\z' }, 'aB-_'],
  ['a date-time with a fraction', { type: 'string', format: 'date-time' }, '2026-11-21T10:00:00.5+01:00'],
])('%s is accepted', (_, schema, value) => {
  expect(causes(spec({ x: schema }), { x: value })).toEqual([]);
});
