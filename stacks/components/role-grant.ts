import { RoleAssignment } from '@pulumi/azure-native/authorization/index.js';
import * as pulumi from '@pulumi/pulumi';

/** Built-in roles of Azure by name: https://learn.microsoft.com/azure/role-based-access-control/built-in-roles */
export const builtInRoles = {
  'Key Vault Certificates Officer': 'a4417e6f-fecd-4de8-b567-7b0420556985',
  'Key Vault Secrets Officer': 'b86a8fe4-44ce-4948-aee5-eccb2c155cd7',
  'Key Vault Secrets User': '4633458b-17de-408a-b874-0445c86b69e6',
  'Managed Identity Operator': 'f1a07417-d97a-45cb-824c-7a7467783830',
  Reader: 'acdd72a7-3385-48ef-bd42-f606fba81ae7',
  'Role Based Access Control Administrator': 'f58310d9-a9f6-439a-9e8d-f62e7b41a168',
  'Virtual Machine Contributor': '9980e02c-c2be-4d73-94e8-173b1dc7cf3c',
} as const;

/** One role that an identity gets. */
export interface RoleGrant {
  /** A built-in role by its name or GUID, or the ARM id of a role definition. */
  readonly role: pulumi.Input<string>;
  /** ARM id below which the role holds. */
  readonly scope: pulumi.Input<string>;
  /** Why the identity needs it; it becomes the description of the role assignment. */
  readonly reason: string;
  /**
   * Condition of Azure RBAC, version 2.0, that limits the role further.
   *
   * @default none
   */
  readonly condition?: string;
}

/**
 * Assigns roles to an identity. The resources are named after `name` and the key of each grant, so that a change of order
 * replaces nothing.
 */
export function assignRoles(
  name: string,
  principalId: pulumi.Input<string>,
  grants: Readonly<Record<string, RoleGrant>>,
  options: pulumi.CustomResourceOptions,
): RoleAssignment[] {
  return Object.entries(grants).map(
    ([key, { role, scope, reason, condition }]) =>
      new RoleAssignment(
        `${name}-${key}`,
        {
          principalId,
          principalType: 'ServicePrincipal',
          scope,
          roleDefinitionId: pulumi.all([role, scope]).apply(([named, at]) => roleId(named, at)),
          description: reason,
          ...(condition !== undefined && { condition, conditionVersion: '2.0' }),
        },
        options,
      ),
  );
}

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The ARM id of a role definition.
 *
 * @throws if `role` is neither the name of a role in `builtInRoles`, a GUID, nor an ARM id; or `scope` is in no subscription
 */
export function roleId(role: string, scope: string): string {
  if (role.startsWith('/')) return role;
  const id = guid.test(role) ? role : Object.entries(builtInRoles).find(([name]) => name === role)?.[1];
  if (id === undefined) {
    const names = Object.keys(builtInRoles).join(', ');
    throw new Error(`Expected a role to be one of ${names}, a GUID or the id of a role definition, got \`${role}\``);
  }
  const [subscription] = scope.match(/^\/subscriptions\/[^/]+/i) ?? [];
  if (subscription === undefined) {
    throw new Error(`Expected the scope of a role to be in a subscription, got \`${scope}\``);
  }
  return `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${id}`;
}
