import { expect, test } from '@jest/globals';
import { roundOf } from '../../../../runtime/compute/deployments/rounds/expand-round.ts';
import { clientOf, identityModule, moduleOf, networkAfter } from './azd-template.ts';
import { answer, idOf, kinds, round } from './expanded-round.ts';

const networkId = (name: string) => `resourceId('Microsoft.Network/virtualNetworks', '${name}')`;
const network = (name: string, dependsOn: unknown = []) => ({ ...networkAfter(name, ''), dependsOn });

/** A module that gets the client of an identity, with a network of these dependencies and one that comes after it. */
const users = (dependsOn: unknown) =>
  moduleOf(
    'users',
    {
      parameters: { client: { type: 'string' } },
      resources: [network('held', dependsOn), network('behind', [`[${networkId('held')}]`]), network('other')],
    },
    { client: { value: clientOf('app') } },
  );

test.each([
  ['an element', [`[if(empty(parameters('client')), ${networkId('behind')}, ${networkId('other')})]`]],
  ['all of it', `[if(empty(parameters('client')), createArray(), createArray(${networkId('other')}))]`],
])('dependsOn of which an answer decides %s holds the resource until the next round', (_, dependsOn) => {
  const template = [identityModule('app'), users(dependsOn)];
  const first = round(template);
  expect([first.problems, kinds(first)]).toEqual([
    [],
    ['UserAssignedIdentity westeurope-app', 'VirtualNetwork westeurope-other'],
  ]);
  expect(first.decision?.needed.map(({ id }) => id)).toEqual([idOf('app')]);
  expect(first.decision?.text).toContain('dependency of a resource');
  const second = round(template, { [idOf('app')]: answer('p1') });
  expect([second.problems, second.decision]).toEqual([[], undefined]);
  const [held, other] = ['held', 'other'].map((name) =>
    second.nodes.find((each) => each.name === `westeurope-${name}`),
  );
  expect(kinds(second)).toContain('VirtualNetwork westeurope-behind');
  expect(held?.dependsOn).toContain(other?.key);
});

test('a resource that waits although no part of the template is open is a problem, and is not left out', () => {
  const { nodes } = round([network('one'), network('two')]);
  const held = nodes.map((node, index) => (index === 0 ? { ...node, isHeld: true as const } : node));
  expect(roundOf({ nodes: held, undecided: [] }, {})).toEqual({
    nodes: [],
    problems: [
      { path: 'template.arm.json', message: `${nodes[0]?.key} waits for a resource about which no answer decides` },
    ],
  });
  expect(roundOf({ nodes, undecided: [] }, {})).toEqual({ nodes, problems: [] });
});
