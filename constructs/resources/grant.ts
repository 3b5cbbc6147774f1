import type { Construct, IConstruct } from 'constructs';
import { AzureResource } from '../azure-resource.ts';
import { checkName } from '../private/unique-names.ts';
import type { GrantedRole } from './built-in-roles.ts';
import type { ResourceOf } from './typed-spec.ts';

/** The principal that gets a role. */
export type Grantee =
  /** An identity of the same namespace; its principal id comes from Azure. */
  | AzureResource<'managedidentity.azure.com/UserAssignedIdentity'>
  /** A principal by its object id in Microsoft Entra ID. */
  | { readonly principalId: string; readonly principalType?: 'Group' | 'ServicePrincipal' | 'User' };

/** The role and the principal of each grant. */
const grants = new WeakMap<IConstruct, string>();

/** The object that gives a role. */
export type RoleGrant = AzureResource<'authorization.azure.com/RoleAssignment'>;

/**
 * Gives the principal the role on the resource: a RoleAssignment below the resource. A second grant of the same role to
 * the same principal gives the same object.
 */
export function grantRole(
  resource: Construct & ResourceOf & { readonly spec: object },
  grantee: Grantee,
  { role, id, allows }: GrantedRole,
): RoleGrant {
  const isObject = grantee instanceof AzureResource;
  const who = isObject ? grantee.name : grantee.principalId;
  const words = `${resource.name}-${who}-${role}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const name = words.slice(0, 253).replace(/-$/, '');
  const known = resource.node.tryFindChild(name);
  const grant = `${role} for ${who}`;
  if (known) {
    const first = grants.get(known);
    if (first !== grant)
      refuseName(resource, `${name} would be both ${first} and ${grant}: rename one of the identities`);
    return known as RoleGrant;
  }
  if (resource.resourceType === 'keyvault.azure.com/Vault') checkVault(resource);
  const made = new AzureResource(resource, name, {
    kind: 'authorization.azure.com/RoleAssignment',
    metadata: { name, ...(resource.namespace !== undefined && { namespace: resource.namespace }) },
    spec: {
      owner: resource,
      description: `${role}: ${allows}`,
      roleDefinitionReference: { wellKnownName: id },
      ...(isObject
        ? { principalIdFromConfig: grantee.export('principalId'), principalType: 'ServicePrincipal' }
        : { principalId: grantee.principalId, ...(grantee.principalType && { principalType: grantee.principalType }) }),
    },
  });
  grants.set(made, grant);
  checkName(made, '`metadata.name` of the resource or the identity');
  return made;
}

function refuseName(resource: Construct, problem: string): void {
  resource.node.addValidation({ validate: () => [`The RoleAssignment ${problem}`] });
}

/** A vault with access policies ignores roles. */
function checkVault(vault: Construct & { readonly spec: object }): void {
  const { properties } = vault.spec as { readonly properties?: { readonly enableRbacAuthorization?: boolean } };
  if (properties?.enableRbacAuthorization === true) return;
  const problem =
    'spec.properties.enableRbacAuthorization: set it to true, because a vault with access policies ignores the roles ' +
    'that this app grants';
  // One problem, however many grants.
  if (!vault.node.validate().includes(problem)) vault.node.addValidation({ validate: () => [problem] });
}
