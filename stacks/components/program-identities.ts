import { RoleDefinition } from '@pulumi/azure-native/authorization/index.js';
import * as pulumi from '@pulumi/pulumi';
import { azureActions } from '../../runtime/api/arm/azure-actions.ts';
import { everyKind, selectKinds } from '../../runtime/api/kind-pattern.ts';
import { operatorKinds } from '../../runtime/api/kinds.ts';
import { FederatedIdentity, type FederatedIdentityArgs } from './federated-identity.ts';
import type { RoleGrant } from './role-grant.ts';

/** Arguments that the identities of all programs share. */
export interface ProgramIdentityArgs extends Pick<FederatedIdentityArgs, 'resourceGroupName' | 'oidcIssuerUrl'> {
  /** The namespace of the programs. */
  readonly namespace: string;
}

/** Properties of `OperatorIdentity`. */
export interface OperatorIdentityArgs extends ProgramIdentityArgs {
  /** The subscription whose resources the operator manages. */
  readonly subscriptionId: string;
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
  readonly assignableRoles?: readonly string[] | undefined;
  /**
   * ARM ids of the vaults whose secrets objects may write (`operatorSpec.keyVault`, ManagedSecrets), by a key that names
   * the role assignment.
   *
   * @default none
   */
  readonly keyVaultIds?: Readonly<Record<string, pulumi.Input<string>>> | undefined;
  /**
   * Whether it makes the secrets of machines and rolls scale sets.
   *
   * @default false
   */
  readonly machineSecrets?: boolean | undefined;
}

/** Actions beyond those of the kinds: rolls of scale sets, their maintenance, quotas, registrations of features. */
const machineActions = [
  'Microsoft.Compute/locations/usages/read',
  'Microsoft.Compute/virtualMachineScaleSets/manualUpgrade/action',
  'Microsoft.Compute/virtualMachineScaleSets/rollingUpgrades/cancel/action',
  'Microsoft.Compute/virtualMachineScaleSets/rollingUpgrades/read',
  'Microsoft.Compute/virtualMachineScaleSets/virtualMachines/read',
  'Microsoft.Features/providers/features/read',
  'Microsoft.Features/providers/features/register/action',
  'Microsoft.Maintenance/configurationAssignments/read',
  'Microsoft.Maintenance/maintenanceConfigurations/read',
];

/** The operator's identity: a role with exactly the actions of the kinds served, and the vaults it may write. */
export class OperatorIdentity extends pulumi.ComponentResource {
  readonly identity: FederatedIdentity;

  constructor(name: string, args: OperatorIdentityArgs, options?: pulumi.ComponentResourceOptions) {
    super('azimuth:index:OperatorIdentity', name, {}, options);
    const scope = `/subscriptions/${args.subscriptionId}`;
    const role = new RoleDefinition(
      name,
      {
        scope,
        roleName: `Azimuth operator (${name})`,
        roleType: 'CustomRole',
        description: 'Reads, writes and deletes the resource types that the Azimuth operator serves, and nothing else.',
        assignableScopes: [scope],
        permissions: [{ actions: operatorActions(args), notActions: [] }],
      },
      { parent: this },
    );
    const roles = operatorRoles(role.id, scope, args);
    this.identity = new FederatedIdentity(
      name,
      { ...args, serviceAccounts: [account('operator', args)], roles },
      { parent: this },
    );
    const { clientId, principalId, resourceId } = this.identity;
    this.registerOutputs({ clientId, principalId, resourceId });
  }
}

/** Properties of `ControllerIdentity`. */
export interface ControllerIdentityArgs extends ProgramIdentityArgs {
  /** ARM id of the group of the nodes' machines. */
  readonly nodeResourceGroupId: pulumi.Input<string>;
  /** ARM ids of the identities of pods, or of their groups, by a key that names the role assignment. */
  readonly identityScopes: Readonly<Record<string, pulumi.Input<string>>>;
}

/** The identity of the pod identity controller, which attaches identities to machines. */
export class ControllerIdentity extends FederatedIdentity {
  constructor(name: string, args: ControllerIdentityArgs, options?: pulumi.ComponentResourceOptions) {
    const roles: Record<string, RoleGrant> = {
      nodes: {
        role: 'Virtual Machine Contributor',
        scope: args.nodeResourceGroupId,
        reason: 'Attaches identities of pods to the machines and scale sets of the nodes, and detaches them.',
      },
      'nodes-identities': {
        role: 'Managed Identity Operator',
        scope: args.nodeResourceGroupId,
        reason: 'Azure checks each identity that a machine has when the machine is written.',
      },
    };
    for (const [key, scope] of Object.entries(args.identityScopes)) {
      const reason = 'Attaches these identities to the machines whose pods use them.';
      roles[`identities-${key}`] = { role: 'Managed Identity Operator', scope, reason };
    }
    super(name, { ...args, serviceAccounts: [account('identity', args)], roles }, options);
  }
}

/** Properties of `SecretEndpointIdentity`. */
export interface SecretEndpointIdentityArgs extends ProgramIdentityArgs {
  /** ARM ids of the vaults that it reads, by a key that names the role assignment. */
  readonly keyVaultIds: Readonly<Record<string, pulumi.Input<string>>>;
  /** The subscription of the machines and identities that poll it. */
  readonly subscriptionId: string;
}

/** The identity of the secret endpoint, which reads vaults and identifies its callers. */
export class SecretEndpointIdentity extends FederatedIdentity {
  constructor(name: string, args: SecretEndpointIdentityArgs, options?: pulumi.ComponentResourceOptions) {
    const reason = 'Reads the principal ids of the machines and identities that may have a secret.';
    const roles: Record<string, RoleGrant> = {
      machines: { role: 'Reader', scope: `/subscriptions/${args.subscriptionId}`, reason },
    };
    for (const [key, scope] of Object.entries(args.keyVaultIds)) {
      roles[`vault-${key}`] = { role: 'Key Vault Secrets User', scope, reason: 'Reads the values that machines poll.' };
    }
    super(name, { ...args, serviceAccounts: [account('secrets', args)], roles }, options);
  }
}

const account = (program: string, { namespace }: ProgramIdentityArgs) => ({ namespace, name: `azimuth-${program}` });

function operatorActions({ kinds, machineSecrets }: OperatorIdentityArgs): string[] {
  const actions = azureActions(selectKinds(kinds ?? everyKind, operatorKinds));
  if (machineSecrets) actions.push(...machineActions);
  const providers = new Set(actions.map((action) => action.split('/')[0] ?? ''));
  for (const provider of ['Microsoft.Resources', 'Microsoft.Maintenance']) providers.delete(provider);
  // The first resource of a type needs its provider registered in the subscription.
  const registrations = [...providers].map((provider) => `${provider}/register/action`);
  return [...new Set([...actions, ...registrations, 'Microsoft.Resources/subscriptions/providers/read'])].sort();
}

function operatorRoles(
  role: pulumi.Input<string>,
  scope: string,
  { keyVaultIds = {}, assignableRoles = [], machineSecrets }: OperatorIdentityArgs,
): Record<string, RoleGrant> {
  const roles: Record<string, RoleGrant> = {
    kinds: { role, scope, reason: 'Manages the Azure resources of the kinds that the operator serves.' },
  };
  for (const [key, vault] of Object.entries(keyVaultIds)) {
    const reason = 'Writes the secrets that objects name this vault for.';
    roles[`vault-${key}`] = { role: 'Key Vault Secrets Officer', scope: vault, reason };
    if (!machineSecrets) continue;
    const certificates = 'Makes and renews the certificates of ManagedSecrets.';
    roles[`vault-${key}-certificates`] = { role: 'Key Vault Certificates Officer', scope: vault, reason: certificates };
  }
  if (assignableRoles.length > 0) {
    roles['assignments'] = {
      role: 'Role Based Access Control Administrator',
      scope,
      reason: 'Assigns the roles that RoleAssignment objects may assign, and no other.',
      condition: onlyRoles(assignableRoles),
    };
  }
  return roles;
}

/** Limits writes and deletes of role assignments to these roles (the condition format of Azure RBAC, version 2.0). */
function onlyRoles(roles: readonly string[]): string {
  const rule = (action: string, attribute: string) =>
    `((!(ActionMatches{'Microsoft.Authorization/roleAssignments/${action}'})) OR ` +
    `(@${attribute}[Microsoft.Authorization/roleAssignments:RoleDefinitionId] ForAnyOfAnyValues:GuidEquals {${roles.join(', ')}}))`;
  return `${rule('write', 'Request')} AND ${rule('delete', 'Resource')}`;
}
