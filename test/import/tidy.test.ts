import { expect, test } from '@jest/globals';
import type { FieldTree } from '../../runtime/api/types.ts';
import { withoutEmpty } from '../../runtime/import/tidy.ts';

const text: FieldTree = { type: 'string' };
const item: FieldTree = { type: 'object', properties: { name: text } };
const list: FieldTree = { type: 'array', items: item };

test('what declares nothing is left out: empty objects, and lists of nothing else', () => {
  const tree: FieldTree = {
    type: 'object',
    properties: { list, other: list, needed: item, must: list },
    required: ['needed', 'must'],
  };
  const spec = { list: [{}, {}], other: [{ name: 'a' }, {}], needed: {}, must: [{}] };
  expect(withoutEmpty(tree, spec)).toEqual({ other: [{ name: 'a' }, {}], needed: {}, must: [{}] });
});
