/** Deployments of an identity and its role assignment. */
import { kindOf, resourceOf } from '../../../../runtime/api/kinds.ts';
import { identityModule, roleModule, textOf } from '../../../compute/deployments/rounds/azd-template.ts';

export const assignmentType = resourceOf(kindOf('authorization.azure.com', 'RoleAssignment'));
export const identityType = resourceOf(kindOf('managedidentity.azure.com', 'UserAssignedIdentity'));

/** A deployment of an identity and its assignment for each name. */
export const specOf = (names: readonly string[], more: object = {}) => ({
  locations: [{ name: 'westeurope' }],
  template: {
    arm: { json: textOf(names.flatMap((name) => [roleModule(name), identityModule(name)])), owner: { name: 'azd' } },
  },
  ...more,
});
