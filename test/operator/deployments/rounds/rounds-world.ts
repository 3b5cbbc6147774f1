/** A world with the kinds of a role assignment for an identity, and deployments of these. */
import { kindOf, resourceOf } from '../../../../runtime/api/kinds.ts';
import { identityModule, roleModule, textOf } from '../../../compute/deployments/rounds/azd-template.ts';
import { ScaledClock } from '../../../fakes/scaled-clock.ts';
import { startWorld, types, type World } from '../../support.ts';

export const assignmentType = resourceOf(kindOf('authorization.azure.com', 'RoleAssignment'));
export const identityType = resourceOf(kindOf('managedidentity.azure.com', 'UserAssignedIdentity'));

export const startRoundsWorld = (clock = new ScaledClock(10)): Promise<World> =>
  startWorld({
    deployments: true,
    clock,
    kinds: [types.group, types.network, assignmentType, identityType]
      .map(({ group, kind }) => `${group}/${kind}`)
      .join(';'),
  });

/** A deployment of an identity and its assignment for each name. */
export const specOf = (names: readonly string[], more: object = {}) => ({
  locations: [{ name: 'westeurope' }],
  template: {
    arm: { json: textOf(names.flatMap((name) => [roleModule(name), identityModule(name)])), owner: { name: 'azd' } },
  },
  ...more,
});
