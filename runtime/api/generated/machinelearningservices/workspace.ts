// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface WorkspaceSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  allowPublicAccessWhenBehindVnet?: boolean;
  /**
   * By construct or ARM id: Component.
   * @default Azure's own value
   */
  applicationInsightsReference?: ArmReference<'insights.azure.com/Component'>;
  /** @default Azure's own value */
  associatedWorkspaces?: string[];
  /**
   * By construct or ARM id: Registry.
   * @default Azure's own value
   */
  containerRegistryReference?: ArmReference<'containerregistry.azure.com/Registry'>;
  /** @default Azure's own value */
  description?: string;
  /** @default Azure's own value */
  discoveryUrl?: string;
  /** @default Azure's own value */
  enableDataIsolation?: boolean;
  /** @default Azure's own value */
  encryption?: {
    identity?: {
      /**
       * Only in v1api20210701.
       * @default Azure's own value
       */
      userAssignedIdentity?: string;
      /**
       * By construct or ARM id: UserAssignedIdentity.
       * @default Azure's own value
       */
      userAssignedIdentityReference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
    };
    keyVaultProperties: {
      identityClientId?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `identityClientId`.
       * @default Azure's own value
       */
      identityClientIdFromConfig?: ConfigMapKeyReference;
      keyIdentifier: string;
      /**
       * Only in v1api20210701.
       * @default Azure's own value
       */
      keyVaultArmId?: string;
      /** By construct or ARM id: Vault. */
      keyVaultArmReference: ArmReference<'keyvault.azure.com/Vault'>;
    };
  };
  /** @default Azure's own value */
  featureStoreSettings?: {
    computeRuntime?: {
      sparkRuntimeVersion?: string;
    };
    offlineStoreConnectionName?: string;
    onlineStoreConnectionName?: string;
  };
  /** @default Azure's own value */
  friendlyName?: string;
  /** @default Azure's own value */
  hbiWorkspace?: boolean;
  /**
   * By construct or ARM id: Workspace.
   * @default Azure's own value
   */
  hubResourceReference?: ArmReference<'machinelearningservices.azure.com/Workspace'>;
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /**
     * Which managed identities it uses: its own, user-assigned ones, or both.
     * @default Azure's own value
     */
    type?: 'None' | 'SystemAssigned' | 'SystemAssigned,UserAssigned' | 'UserAssigned';
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
  /** @default Azure's own value */
  imageBuildCompute?: string;
  /**
   * By construct or ARM id: Vault.
   * @default Azure's own value
   */
  keyVaultReference?: ArmReference<'keyvault.azure.com/Vault'>;
  /** @default Azure's own value */
  kind?: string;
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /** @default Azure's own value */
  managedNetwork?: {
    isolationMode?: 'AllowInternetOutbound' | 'AllowOnlyApprovedOutbound' | 'Disabled';
    outboundRules?: Record<string, {
      /**
       * The form whose `type` is `FQDN`.
       * @default Azure's own value
       */
      fqdn?: {
        category?: 'Dependency' | 'Recommended' | 'Required' | 'UserDefined';
        destination?: string;
        status?: 'Active' | 'Inactive';
        /** Always `FQDN`. */
        type: 'FQDN';
      };
      /**
       * The form whose `type` is `PrivateEndpoint`.
       * @default Azure's own value
       */
      privateEndpoint?: {
        category?: 'Dependency' | 'Recommended' | 'Required' | 'UserDefined';
        destination?: {
          /**
           * By construct or ARM id: any resource.
           * @default Azure's own value
           */
          serviceResourceReference?: ArmReference;
          sparkEnabled?: boolean;
          sparkStatus?: 'Active' | 'Inactive';
          /**
           * By construct or ARM id: any resource.
           * @default Azure's own value
           */
          subresourceTargetReference?: ArmReference;
        };
        status?: 'Active' | 'Inactive';
        /** Always `PrivateEndpoint`. */
        type: 'PrivateEndpoint';
      };
      /**
       * The form whose `type` is `ServiceTag`.
       * @default Azure's own value
       */
      serviceTag?: {
        category?: 'Dependency' | 'Recommended' | 'Required' | 'UserDefined';
        destination?: {
          action?: 'Allow' | 'Deny';
          portRanges?: string;
          protocol?: string;
          serviceTag?: string;
        };
        status?: 'Active' | 'Inactive';
        /** Always `ServiceTag`. */
        type: 'ServiceTag';
      };
    }>;
    status?: {
      sparkReady?: boolean;
      status?: 'Active' | 'Inactive';
    };
  };
  /**
   * By construct or ARM id: UserAssignedIdentity.
   * @default Azure's own value
   */
  primaryUserAssignedIdentityReference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
  /** @default Azure's own value */
  publicNetworkAccess?: 'Disabled' | 'Enabled';
  /** @default Azure's own value */
  serverlessComputeSettings?: {
    /**
     * By construct or ARM id: VirtualNetworksSubnet.
     * @default Azure's own value
     */
    serverlessComputeCustomSubnetReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
    serverlessComputeNoPublicIP?: boolean;
  };
  /** @default Azure's own value */
  serviceManagedResourcesSettings?: {
    cosmosDb?: {
      collectionsThroughput?: number;
    };
  };
  /** @default Azure's own value */
  sharedPrivateLinkResources?: ({
    groupId?: string;
    name?: string;
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    privateLinkResourceReference?: ArmReference;
    requestMessage?: string;
    status?: 'Approved' | 'Disconnected' | 'Pending' | 'Rejected' | 'Timeout';
  })[];
  /**
   * Pricing tier.
   * @default Azure's own value
   */
  sku?: {
    /**
     * Number of units.
     * @default Azure's own value
     */
    capacity?: number;
    /**
     * Family of the hardware, where the service has several.
     * @default Azure's own value
     */
    family?: string;
    /**
     * Name of the pricing tier.
     * @default Azure's own value
     */
    name?: string;
    /**
     * Size, where the name does not tell it.
     * @default Azure's own value
     */
    size?: string;
    /**
     * Tier, where the name does not tell it.
     * @default Azure's own value
     */
    tier?: string;
  };
  /**
   * By construct or ARM id: StorageAccount.
   * @default Azure's own value
   */
  storageAccountReference?: ArmReference<'storage.azure.com/StorageAccount'>;
  /**
   * Only in v1api20210701.
   * @default Azure's own value
   */
  systemData?: {
    createdAt?: string;
    createdBy?: string;
    createdByType?: 'Application' | 'Key' | 'ManagedIdentity' | 'User';
    lastModifiedAt?: string;
    lastModifiedBy?: string;
    lastModifiedByType?: 'Application' | 'Key' | 'ManagedIdentity' | 'User';
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  v1LegacyMode?: boolean;
  /** @default Azure's own value */
  workspaceHubConfig?: {
    additionalWorkspaceStorageAccounts?: string[];
    defaultWorkspaceResourceGroup?: string;
  };
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<'appInsightsInstrumentationKey' | 'containerRegistryPassword' | 'containerRegistryPassword2' | 'containerRegistryUserName' | 'primaryNotebookAccessKey' | 'secondaryNotebookAccessKey' | 'userStorageKey', never, 'appInsightsInstrumentationKey' | 'containerRegistryPassword' | 'containerRegistryPassword2' | 'containerRegistryUserName' | 'primaryNotebookAccessKey' | 'secondaryNotebookAccessKey' | 'userStorageKey'>;
}

export interface Workspace {
  spec: WorkspaceSpec;
  status?: ArmStatus;
}
