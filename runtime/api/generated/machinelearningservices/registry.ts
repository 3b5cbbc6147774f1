// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface RegistrySpec {
  /**
   * Name in Azure. Pattern: `^[a-zA-Z0-9][a-zA-Z0-9\-_]{2,32}$`.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * Address at which clients find the endpoints of the registry.
   * @default Azure's own value
   */
  discoveryUrl?: string;
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /** Which managed identities it uses: its own, user-assigned ones, or both. */
    type: 'None' | 'SystemAssigned' | 'SystemAssigned,UserAssigned' | 'UserAssigned';
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
  /**
   * Publisher whose models the registry protects.
   * @default Azure's own value
   */
  intellectualPropertyPublisher?: string;
  /**
   * Kind of the registry in Azure.
   * @default Azure's own value
   */
  kind?: string;
  /** Azure region, such as westeurope. */
  location: string;
  /**
   * The resource group in which Azure puts the registry's own resources.
   * @default Azure's own value
   */
  managedResourceGroup?: {
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    resourceReference?: ArmReference;
  };
  /**
   * Address of the registry for MLflow.
   * @default Azure's own value
   */
  mlFlowRegistryUri?: string;
  /**
   * Whether clients reach the registry other than by a private endpoint: Enabled or Disabled.
   * @default Azure's own value
   */
  publicNetworkAccess?: string;
  /**
   * The regions of the registry, and its resources in each.
   * @default Azure's own value
   */
  regionDetails?: ({
    /**
     * Container registries in the region.
     * @default Azure's own value
     */
    acrDetails?: ({
      /**
       * A container registry that Azure creates.
       * @default Azure's own value
       */
      systemCreatedAcrAccount?: {
        /**
         * Name of the container registry.
         * @default Azure's own value
         */
        acrAccountName?: string;
        /**
         * Pricing tier of the container registry.
         * @default Azure's own value
         */
        acrAccountSku?: string;
      };
    })[];
    /**
     * Azure region, such as westeurope.
     * @default Azure's own value
     */
    location?: string;
    /**
     * Storage accounts in the region.
     * @default Azure's own value
     */
    storageAccountDetails?: ({
      /**
       * A storage account that Azure creates.
       * @default Azure's own value
       */
      systemCreatedStorageAccount?: {
        /**
         * Whether containers of the storage account can be public.
         * @default Azure's own value
         */
        allowBlobPublicAccess?: boolean;
        /**
         * Whether the storage account has a hierarchical namespace.
         * @default Azure's own value
         */
        storageAccountHnsEnabled?: boolean;
        /**
         * Name of the storage account.
         * @default Azure's own value
         */
        storageAccountName?: string;
        /**
         * Redundancy of the storage account, such as Standard_LRS.
         * @default Azure's own value
         */
        storageAccountType?: string;
      };
    })[];
  })[];
  /**
   * Connections of private endpoints to the registry.
   * @default Azure's own value
   */
  registryPrivateEndpointConnections?: ({
    /**
     * Subresources to which the private endpoint leads.
     * @default Azure's own value
     */
    groupIds?: string[];
    /**
     * Azure region of the private endpoint.
     * @default Azure's own value
     */
    location?: string;
    /**
     * The private endpoint.
     * @default Azure's own value
     */
    privateEndpoint?: {
      /**
       * By construct or ARM id: VirtualNetworksSubnet.
       * @default Azure's own value
       */
      subnetArmReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
    };
    /**
     * How far Azure is with the last change.
     * @default Azure's own value
     */
    provisioningState?: string;
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
    /**
     * Whether the connection is approved.
     * @default Azure's own value
     */
    registryPrivateLinkServiceConnectionState?: {
      /**
       * What the owner of the private endpoint must do.
       * @default Azure's own value
       */
      actionsRequired?: string;
      /**
       * Why the connection has this status, for people.
       * @default Azure's own value
       */
      description?: string;
      /**
       * Status of the connection.
       * @default Azure's own value
       */
      status?: 'Approved' | 'Disconnected' | 'Pending' | 'Rejected';
    };
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
    /** Name of the pricing tier. */
    name: string;
    /**
     * Size, where the name does not tell it.
     * @default Azure's own value
     */
    size?: string;
    /**
     * Tier, where the name does not tell it.
     * @default Azure's own value
     */
    tier?: 'Basic' | 'Free' | 'Premium' | 'Standard';
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, 'discoveryUrl' | 'mlFlowRegistryUri'>;
}

export interface Registry {
  spec: RegistrySpec;
  status?: ArmStatus;
}
