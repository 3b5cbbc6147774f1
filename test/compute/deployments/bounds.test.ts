import { expect, test } from '@jest/globals';
import { expandLocation } from '../../../runtime/compute/deployments/expand-goal.ts';
import { goalOf, goalText, withoutTime } from '../../../runtime/compute/deployments/goal.ts';

const groupId = '/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg';
const schema = 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#';

/** So many addresses, and as many others that each wait for all of them. */
function expanded(count: number) {
  const loop = (name: string, dependsOn: readonly string[]) => ({
    type: 'Microsoft.Network/publicIPAddresses',
    apiVersion: '2024-05-01',
    name: `[concat('${name}', copyIndex())]`,
    location: 'westeurope',
    properties: {},
    copy: { name, count },
    dependsOn,
  });
  const resources = [loop('first', []), loop('second', ['first'])];
  const json = JSON.stringify({ $schema: schema, contentVersion: '1.0.0.0', resources });
  const template = { arm: { json, owner: { armId: groupId } } };
  const goal = goalOf({ template, locations: [{ name: 'westeurope' }] }, 0);
  return expandLocation(goal, { namespace: 'n', deployment: 'd', location: 'westeurope' }, { groupId, tenantId: 't' });
}

test('10,000 dependencies of a location are taken, and more are refused with their number', () => {
  expect(expanded(100)).toMatchObject({ problems: [], nodes: { length: 200 } });
  const message = '10201 of at most 10000 dependencies: let one resource stand for many in dependsOn';
  expect(expanded(101)).toEqual({ nodes: [], problems: [{ path: 'template', message }], undecided: [] });
});

test('two texts of one goal differ in their time alone', () => {
  const spec = { template: { manifests: [{ kind: 'x' }] }, locations: [{ name: 'east' }] };
  const [first, second] = [goalText(goalOf(spec, 1)), goalText(goalOf(spec, 2))];
  expect(second).not.toBe(first);
  expect(withoutTime(second)).toBe(withoutTime(first));
  const other = goalText(goalOf({ ...spec, parameters: { a: 1 } }, 1));
  expect(withoutTime(other)).not.toBe(withoutTime(first));
});
