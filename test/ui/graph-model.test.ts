import { expect, test } from '@jest/globals';
import { drawnFirst, mostNodes } from '../../runtime/ui/page/graph/graph-model.ts';
import { account, notReady, ready, rowOf } from '../view/support.ts';

test('where a graph has no room for all objects, those that need a person are drawn', () => {
  const states = (count: number) =>
    Array.from({ length: count }, (_each, index) =>
      rowOf(account(`a${index}`, 'g', index === count - 1 ? notReady('Conflict', 'Error') : ready)),
    );
  const many = states(mostNodes + 1);
  expect(drawnFirst(many)[0]?.name).toBe(`a${mostNodes}`);
  expect(drawnFirst(many)).toHaveLength(mostNodes + 1);
  const few = states(mostNodes);
  expect(drawnFirst(few)).toEqual(few);
});
