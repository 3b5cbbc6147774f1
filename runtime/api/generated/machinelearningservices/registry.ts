// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface RegistrySpec {
  /**
   * Name in Azure. Pattern: `^[a-zA-Z0-9][a-zA-Z0-9\-_]{2,32}$`.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
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
  /** @default Azure's own value */
  intellectualPropertyPublisher?: string;
  /** @default Azure's own value */
  kind?: string;
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  managedResourceGroup?: {
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    resourceReference?: ArmReference;
  };
  /** @default Azure's own value */
  mlFlowRegistryUri?: string;
  /** @default Azure's own value */
  publicNetworkAccess?: string;
  /** @default Azure's own value */
  regionDetails?: ({
    acrDetails?: ({
      systemCreatedAcrAccount?: {
        acrAccountName?: string;
        acrAccountSku?: string;
      };
    })[];
    location?: string;
    storageAccountDetails?: ({
      systemCreatedStorageAccount?: {
        allowBlobPublicAccess?: boolean;
        storageAccountHnsEnabled?: boolean;
        storageAccountName?: string;
        storageAccountType?: string;
      };
    })[];
  })[];
  /** @default Azure's own value */
  registryPrivateEndpointConnections?: ({
    groupIds?: string[];
    location?: string;
    privateEndpoint?: {
      /**
       * By construct or ARM id: VirtualNetworksSubnet.
       * @default Azure's own value
       */
      subnetArmReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
    };
    provisioningState?: string;
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
    registryPrivateLinkServiceConnectionState?: {
      actionsRequired?: string;
      description?: string;
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
