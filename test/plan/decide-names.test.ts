import { expect, test } from '@jest/globals';
import { offline } from '../../runtime/compute/plan/observation.ts';
import { planChanges } from '../../runtime/compute/plan/plan-changes.ts';
import type { PlanUnits } from '../../runtime/compute/plan/plan-units.ts';
import { decideNames } from '../../runtime/plan/azure/decide-names.ts';

/** Units of one location, of which each answer needs as many others. */
const unitsOf = (answered: number, count: number): PlanUnits => {
  const needed = Array.from({ length: count }, (_, index) => ({
    id: `/${answered}/${index}`,
    key: '',
    apiVersion: '1',
  }));
  const undecided = [{ path: 'p', id: '/x', message: 'undecided', needed }];
  const strategy = { waves: [['west']] };
  const deployment = { name: 'd', path: 'd', manifest: {}, strategy, undecided };
  const units = [{ namespace: 'team', nodes: [], paths: new Map(), deployment }];
  return { units, problems: [], others: new Set(), otherObjects: [], isDefined: () => false } as unknown as PlanUnits;
};

test.each([
  ['rounds', 1, 20, 'more than 20 rounds of answers'],
  ['answers', 201, 0, '201 of at most 200 answers'],
])('at the limit of %s of a run the plan reads no further, and says so', async (_, count, reads, why) => {
  let asked = 0;
  const reader = { tryGet: async () => ({ asked: asked++ }) };
  const units = await decideNames((decided) => unitsOf(Object.keys(decided).length, count), reader);
  expect([asked, units.notes]).toEqual([reads, [expect.stringContaining(why)]]);
  const { notes } = planChanges({ ...units, units: [] }, offline);
  expect(notes).toEqual(units.notes);
});
