// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface WorkspaceSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  azureADOnlyAuthentication?: boolean;
  /** @default Azure's own value */
  cspWorkspaceAdminProperties?: {
    initialWorkspaceAdminObjectId?: string;
  };
  /** @default Azure's own value */
  defaultDataLakeStorage?: {
    accountUrl?: string;
    /**
     * A value of a ConfigMap of this namespace, in place of `accountUrl`.
     * @default Azure's own value
     */
    accountUrlFromConfig?: ConfigMapKeyReference;
    createManagedPrivateEndpoint?: boolean;
    filesystem?: string;
    /**
     * By construct or ARM id: StorageAccount.
     * @default Azure's own value
     */
    resourceReference?: ArmReference<'storage.azure.com/StorageAccount'>;
  };
  /** @default Azure's own value */
  encryption?: {
    cmk?: {
      kekIdentity?: {
        useSystemAssignedIdentity?: boolean;
        /**
         * By construct or ARM id: UserAssignedIdentity.
         * @default Azure's own value
         */
        userAssignedIdentityReference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
      };
      key?: {
        keyVaultUrl?: string;
        name?: string;
      };
    };
  };
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /**
     * Which managed identities it uses: its own, user-assigned ones, or both.
     * @default Azure's own value
     */
    type?: 'None' | 'SystemAssigned' | 'SystemAssigned,UserAssigned';
    /**
     * The user-assigned identities that it uses.
     * @default Azure's own value
     */
    userAssignedIdentities?: ({
      /**
       * By construct or ARM id: UserAssignedIdentity.
       * @default Azure's own value
       */
      reference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
    })[];
  };
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  managedResourceGroupName?: string;
  /** @default Azure's own value */
  managedVirtualNetwork?: string;
  /** @default Azure's own value */
  managedVirtualNetworkSettings?: {
    allowedAadTenantIdsForLinking?: string[];
    linkedAccessCheckOnTargetResource?: boolean;
    preventDataExfiltration?: boolean;
  };
  /** @default Azure's own value */
  publicNetworkAccess?: 'Disabled' | 'Enabled';
  /** @default Azure's own value */
  purviewConfiguration?: {
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    purviewResourceReference?: ArmReference;
  };
  /** @default Azure's own value */
  sqlAdministratorLogin?: string;
  /**
   * A value of a Secret of this namespace: an export of another resource, or name and key.
   * @default Azure's own value
   */
  sqlAdministratorLoginPassword?: SecretKeyReference;
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  trustedServiceBypassEnabled?: boolean;
  /** @default Azure's own value */
  virtualNetworkProfile?: {
    computeSubnetId?: string;
  };
  /** @default Azure's own value */
  workspaceRepositoryConfiguration?: {
    accountName?: string;
    collaborationBranch?: string;
    hostName?: string;
    lastCommitId?: string;
    projectName?: string;
    repositoryName?: string;
    rootFolder?: string;
    /**
     * Pattern: `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
     * @default Azure's own value
     */
    tenantId?: string;
    type?: string;
  };
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Workspace {
  spec: WorkspaceSpec;
  status?: ArmStatus;
}
