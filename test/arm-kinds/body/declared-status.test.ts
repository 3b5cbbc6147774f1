import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type StatusMembers, statusSchema } from '../../../runtime/api/schema/status-schema.ts';
import { structuralProblems } from '../../../runtime/api/schema/structural-rules.ts';
import { declaredStatus } from '../../../runtime/arm-kinds/body/declared-status.ts';

const members: StatusMembers = {
  id: 'string',
  count: 'integer',
  ratio: 'number',
  enabled: 'boolean',
  zones: ['string'],
  tags: { '*': 'string' },
  sku: { name: 'string', any: 'any', rules: [{ port: 'integer' }] },
};

test.each([
  ['values of their types', { id: 'x', count: 1, ratio: 0.5, enabled: true, zones: ['1'], tags: { a: 'b' } }],
  ['members that are not declared', { more: null, sku: { name: 'x', more: [null, 1], any: null } }],
])('%s stay', (_, status) => {
  expect(declaredStatus(status, members)).toEqual(status);
});

test.each([
  [{ id: null, sku: null, zones: null, tags: { a: null, b: 'c' } }, { tags: { b: 'c' } }],
  [
    { id: 5, zones: [1, true, null, 'a'] },
    { id: '5', zones: ['1', 'true', 'a'] },
  ],
  [
    { count: '12', ratio: '1.5', enabled: 'True' },
    { count: 12, ratio: 1.5, enabled: true },
  ],
  [{ enabled: { toString: {} }, count: ['1'] }, {}],
  [{ count: 1.5, ratio: 'x', enabled: 'yes', id: {} }, {}],
  [{ zones: 'a', tags: [], sku: 'x' }, {}],
  [{ sku: { rules: [{ port: '80' }, { port: null }] } }, { sku: { rules: [{ port: 80 }, {}] } }],
  [{ sku: { rules: [{ port: 1 }, 'x'] } }, { sku: {} }],
])('%j becomes %j', (status, expected) => {
  expect(declaredStatus(status, members)).toEqual(expected);
});

test('whatever Azure shows fits the schema then, and fitting it again changes nothing', () => {
  const schema = statusSchema(members);
  const some = fc.record(
    Object.fromEntries(Object.keys(members).map((name) => [name, fc.oneof(fc.jsonValue(), fc.constant(null))])),
  );
  fc.assert(
    fc.property(some, (status) => {
      const fitted = declaredStatus(status, members);
      expect(structuralProblems(schema, fitted, { strict: true })).toEqual([]);
      expect(declaredStatus(fitted, members)).toEqual(fitted);
    }),
  );
});
