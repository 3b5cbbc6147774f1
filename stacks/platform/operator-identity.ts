import { RoleAssignment, RoleDefinition } from '@pulumi/azure-native/authorization/index.js';
import { FederatedIdentityCredential, UserAssignedIdentity } from '@pulumi/azure-native/managedidentity/index.js';
import * as pulumi from '@pulumi/pulumi';
import { everyKind, selectKinds } from '../../runtime/api/kind-pattern.ts';
import { operatorKinds } from '../../runtime/api/kinds.ts';
import { azureActions } from '../../runtime/api/permissions.ts';

/** The operator's identity and the roles it gets. */
export interface OperatorIdentityArgs {
  readonly resourceGroupName: pulumi.Input<string>;
  /** The subscription whose resources the operator manages. */
  readonly subscriptionId: string;
  /** The cluster's service account issuer. */
  readonly oidcIssuerUrl: pulumi.Input<string>;
  readonly serviceAccount: { readonly namespace: string; readonly name: string };
  /**
   * The kinds it may manage, as in `PlatformProps`.
   *
   * @default every kind
   */
  readonly kinds?: string | undefined;
  /**
   * Role definition GUIDs that RoleAssignment objects may assign.
   *
   * @default none: the operator cannot assign roles
   */
  readonly assignableRoles?: readonly string[];
  /**
   * Resource ids of the vaults whose secrets objects may write (`operatorSpec.keyVault`).
   *
   * @default none
   */
  readonly keyVaultIds?: readonly string[];
}

/** Built-in roles: https://learn.microsoft.com/azure/role-based-access-control/built-in-roles */
const RBAC_ADMINISTRATOR = 'f58310d9-a9f6-439a-9e8d-f62e7b41a168';
const KEY_VAULT_SECRETS_OFFICER = 'b86a8fe4-44ce-4948-aee5-eccb2c155cd7';
const FEDERATION_AUDIENCE = 'api://AzureADTokenExchange';

/**
 * The operator's identity: a user-assigned identity that trusts the operator's service account, and a role with exactly
 * the actions of the served kinds. It needs no secret.
 */
export class OperatorIdentity extends pulumi.ComponentResource {
  readonly clientId: pulumi.Output<string>;
  readonly principalId: pulumi.Output<string>;

  constructor(name: string, args: OperatorIdentityArgs, options?: pulumi.ComponentResourceOptions) {
    super('azimuth:index:OperatorIdentity', name, {}, options);
    const parent = { parent: this };
    const scope = `/subscriptions/${args.subscriptionId}`;
    const { resourceGroupName } = args;

    const identity = new UserAssignedIdentity(name, { resourceGroupName, resourceName: name }, parent);
    this.clientId = identity.clientId;
    this.principalId = identity.principalId;

    new FederatedIdentityCredential(
      name,
      {
        resourceGroupName,
        resourceName: identity.name,
        federatedIdentityCredentialResourceName: name,
        issuer: args.oidcIssuerUrl,
        subject: `system:serviceaccount:${args.serviceAccount.namespace}:${args.serviceAccount.name}`,
        audiences: [FEDERATION_AUDIENCE],
      },
      parent,
    );

    const role = new RoleDefinition(
      name,
      {
        scope,
        roleName: `Azimuth operator (${name})`,
        roleType: 'CustomRole',
        description: 'Reads, writes and deletes the resource types that the Azimuth operator serves, and nothing else.',
        assignableScopes: [scope],
        permissions: [{ actions: azureActions(selectKinds(args.kinds ?? everyKind, operatorKinds)), notActions: [] }],
      },
      parent,
    );
    const principal = { principalId: identity.principalId, principalType: 'ServicePrincipal', scope };
    new RoleAssignment(name, { ...principal, roleDefinitionId: role.id }, parent);
    const builtIn = (guid: string) => `${scope}/providers/Microsoft.Authorization/roleDefinitions/${guid}`;
    for (const vaultId of args.keyVaultIds ?? []) {
      new RoleAssignment(
        `${name}-${vaultId.split('/').at(-1)}`,
        { ...principal, scope: vaultId, roleDefinitionId: builtIn(KEY_VAULT_SECRETS_OFFICER) },
        parent,
      );
    }
    if (args.assignableRoles?.length) {
      new RoleAssignment(
        `${name}-roles`,
        {
          ...principal,
          roleDefinitionId: builtIn(RBAC_ADMINISTRATOR),
          conditionVersion: '2.0',
          condition: onlyRoles(args.assignableRoles),
        },
        parent,
      );
    }
    this.registerOutputs({ clientId: this.clientId, principalId: this.principalId });
  }
}

/** Limits writes and deletes of role assignments to these roles (the condition format of Azure RBAC, version 2.0). */
function onlyRoles(roles: readonly string[]): string {
  const rule = (action: string, attribute: string) =>
    `((!(ActionMatches{'Microsoft.Authorization/roleAssignments/${action}'})) OR ` +
    `(@${attribute}[Microsoft.Authorization/roleAssignments:RoleDefinitionId] ForAnyOfAnyValues:GuidEquals {${roles.join(', ')}}))`;
  return `${rule('write', 'Request')} AND ${rule('delete', 'Resource')}`;
}
