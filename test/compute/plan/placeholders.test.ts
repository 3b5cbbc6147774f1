import { expect, test } from '@jest/globals';
import { placeholderProblems } from '../../../runtime/compute/plan/problems/placeholders.ts';

test('placeholders of documentation are problems with their paths', () => {
  const spec = {
    location: '<region>',
    owner: { armId: '/subscriptions/<subscription id>/resourceGroups/rg' },
    tags: { fine: 'a <b> c', also: '<html><b>x</b></html>', list: ['x', '<name>'] },
  };
  expect(placeholderProblems(spec, 'a.yaml:3 documents[0].spec')).toEqual([
    { path: 'a.yaml:3 documents[0].spec.location', message: expect.stringContaining('<region> is a placeholder') },
    { path: 'a.yaml:3 documents[0].spec.owner.armId', message: expect.stringContaining('<subscription id>') },
    { path: 'a.yaml:3 documents[0].spec.tags.list[1]', message: expect.stringContaining('<name>') },
  ]);
});
