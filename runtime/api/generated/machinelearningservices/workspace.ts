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
  /**
   * Workspaces that belong to this hub.
   * @default Azure's own value
   */
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
  /**
   * Whether the data of the hub's projects are kept apart; fixed at creation.
   * @default Azure's own value
   */
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
  /**
   * Settings of a workspace of the kind FeatureStore.
   * @default Azure's own value
   */
  featureStoreSettings?: {
    /**
     * Runtime that computes the features.
     * @default Azure's own value
     */
    computeRuntime?: {
      /**
       * Version of Spark.
       * @default Azure's own value
       */
      sparkRuntimeVersion?: string;
    };
    /**
     * Name of the connection to the offline store.
     * @default Azure's own value
     */
    offlineStoreConnectionName?: string;
    /**
     * Name of the connection to the online store.
     * @default Azure's own value
     */
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
  /**
   * Kind of the workspace: Default, Hub, Project or FeatureStore.
   * @default Azure's own value
   */
  kind?: string;
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /**
   * The virtual network that Azure manages for the workspace.
   * @default Azure's own value
   */
  managedNetwork?: {
    /**
     * What the network lets out: all of the internet, only approved targets, or no managed network at all.
     * @default Azure's own value
     */
    isolationMode?: 'AllowInternetOutbound' | 'AllowOnlyApprovedOutbound' | 'Disabled';
    /**
     * Targets that the network lets out, by the name of the rule.
     * @default Azure's own value
     */
    outboundRules?: Record<string, {
      /**
       * The form whose `type` is `FQDN`.
       * @default Azure's own value
       */
      fqdn?: {
        /**
         * Who made the rule: you (UserDefined), or Azure for the workspace.
         * @default Azure's own value
         */
        category?: 'Dependency' | 'Recommended' | 'Required' | 'UserDefined';
        /**
         * Host name of the target.
         * @default Azure's own value
         */
        destination?: string;
        /**
         * Whether the rule is in force.
         * @default Azure's own value
         */
        status?: 'Active' | 'Inactive';
        /** Always `FQDN`. */
        type: 'FQDN';
      };
      /**
       * The form whose `type` is `PrivateEndpoint`.
       * @default Azure's own value
       */
      privateEndpoint?: {
        /**
         * Who made the rule: you (UserDefined), or Azure for the workspace.
         * @default Azure's own value
         */
        category?: 'Dependency' | 'Recommended' | 'Required' | 'UserDefined';
        /**
         * The resource to which the private endpoint leads.
         * @default Azure's own value
         */
        destination?: {
          /**
           * By construct or ARM id: any resource.
           * @default Azure's own value
           */
          serviceResourceReference?: ArmReference;
          /**
           * Whether Spark jobs can use the private endpoint.
           * @default Azure's own value
           */
          sparkEnabled?: boolean;
          /**
           * Whether the private endpoint is in force for Spark jobs.
           * @default Azure's own value
           */
          sparkStatus?: 'Active' | 'Inactive';
          /**
           * By construct or ARM id: any resource.
           * @default Azure's own value
           */
          subresourceTargetReference?: ArmReference;
        };
        /**
         * Whether the rule is in force.
         * @default Azure's own value
         */
        status?: 'Active' | 'Inactive';
        /** Always `PrivateEndpoint`. */
        type: 'PrivateEndpoint';
      };
      /**
       * The form whose `type` is `ServiceTag`.
       * @default Azure's own value
       */
      serviceTag?: {
        /**
         * Who made the rule: you (UserDefined), or Azure for the workspace.
         * @default Azure's own value
         */
        category?: 'Dependency' | 'Recommended' | 'Required' | 'UserDefined';
        /**
         * The service tag that is the target.
         * @default Azure's own value
         */
        destination?: {
          /**
           * Whether the traffic is allowed.
           * @default Azure's own value
           */
          action?: 'Allow' | 'Deny';
          /**
           * Ports of the target, such as 80,8080-8089.
           * @default Azure's own value
           */
          portRanges?: string;
          /**
           * Protocol of the traffic, such as TCP.
           * @default Azure's own value
           */
          protocol?: string;
          /**
           * Name of the service tag.
           * @default Azure's own value
           */
          serviceTag?: string;
        };
        /**
         * Whether the rule is in force.
         * @default Azure's own value
         */
        status?: 'Active' | 'Inactive';
        /** Always `ServiceTag`. */
        type: 'ServiceTag';
      };
    }>;
    /**
     * State of the managed network.
     * @default Azure's own value
     */
    status?: {
      /**
       * Whether Spark jobs can use the network.
       * @default Azure's own value
       */
      sparkReady?: boolean;
      /**
       * Whether the network exists.
       * @default Azure's own value
       */
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
  /**
   * Settings of serverless compute in the workspace.
   * @default Azure's own value
   */
  serverlessComputeSettings?: {
    /**
     * By construct or ARM id: VirtualNetworksSubnet.
     * @default Azure's own value
     */
    serverlessComputeCustomSubnetReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
    /**
     * Whether serverless compute has no public IP address.
     * @default Azure's own value
     */
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
    /**
     * Further storage accounts of the hub.
     * @default Azure's own value
     */
    additionalWorkspaceStorageAccounts?: string[];
    /**
     * Resource group of the hub's projects where none is given.
     * @default Azure's own value
     */
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
