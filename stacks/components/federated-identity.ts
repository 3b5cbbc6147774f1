import { FederatedIdentityCredential, UserAssignedIdentity } from '@pulumi/azure-native/managedidentity/index.js';
import * as pulumi from '@pulumi/pulumi';
import { assignRoles, type RoleGrant } from './role-grant.ts';

/** Properties of `FederatedIdentity`. */
export interface FederatedIdentityArgs {
  /** The group of the identity. */
  readonly resourceGroupName: pulumi.Input<string>;
  /** The cluster's service account issuer. */
  readonly oidcIssuerUrl: pulumi.Input<string>;
  /** The service accounts that may sign in as the identity; Azure takes at most 20. */
  readonly serviceAccounts: readonly ServiceAccount[];
  /**
   * Roles by a key that names the role assignment.
   *
   * @default none
   */
  readonly roles?: Readonly<Record<string, RoleGrant>>;
}

/** A service account of the cluster. */
export interface ServiceAccount {
  readonly namespace: string;
  readonly name: string;
}

/** The audience of tokens for Entra: https://learn.microsoft.com/entra/workload-id/workload-identity-federation */
const federationAudience = 'api://AzureADTokenExchange';

/** Most credentials of one identity: https://learn.microsoft.com/entra/workload-id/workload-identity-federation-considerations */
const mostCredentials = 20;

/**
 * A user-assigned identity that trusts service accounts of a cluster, and the roles it has. It needs no secret.
 *
 * @throws where it has no service account, one of them twice, or more than 20
 */
export class FederatedIdentity extends pulumi.ComponentResource {
  /** ARM id of the identity. */
  readonly resourceId: pulumi.Output<string>;
  readonly clientId: pulumi.Output<string>;
  /** Object id of the identity's service principal, for further role assignments. */
  readonly principalId: pulumi.Output<string>;

  constructor(name: string, args: FederatedIdentityArgs, options?: pulumi.ComponentResourceOptions) {
    super('azimuth:index:FederatedIdentity', name, {}, options);
    const { resourceGroupName, serviceAccounts } = args;
    check(name, serviceAccounts);
    const parent = { parent: this };
    const identity = new UserAssignedIdentity(name, { resourceGroupName, resourceName: name }, parent);
    this.resourceId = identity.id;
    this.clientId = identity.clientId;
    this.principalId = identity.principalId;

    let before: pulumi.Resource[] = [];
    for (const { namespace, name: account } of serviceAccounts) {
      const credential = new FederatedIdentityCredential(
        `${name}-${namespace}-${account}`,
        {
          resourceGroupName,
          resourceName: identity.name,
          federatedIdentityCredentialResourceName: `${namespace}-${account}`,
          issuer: args.oidcIssuerUrl,
          subject: `system:serviceaccount:${namespace}:${account}`,
          audiences: [federationAudience],
        },
        // Azure refuses to write two credentials of one identity at the same time.
        { ...parent, dependsOn: before },
      );
      before = [credential];
    }
    assignRoles(name, identity.principalId, args.roles ?? {}, parent);
    this.registerOutputs({ resourceId: this.resourceId, clientId: this.clientId, principalId: this.principalId });
  }
}

function check(name: string, accounts: readonly ServiceAccount[]): void {
  const subjects = accounts.map(({ namespace, name: account }) => `${namespace}/${account}`);
  const repeated = subjects.find((subject, index) => subjects.indexOf(subject) < index);
  if (subjects.length === 0 || subjects.length > mostCredentials || repeated !== undefined) {
    const found = repeated === undefined ? `${subjects.length}` : `\`${repeated}\` twice`;
    throw new Error(`Expected identity \`${name}\` to have 1 to ${mostCredentials} service accounts, got ${found}`);
  }
}
