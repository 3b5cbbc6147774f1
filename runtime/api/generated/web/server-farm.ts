// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface ServerFarmSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  asyncScalingEnabled?: boolean;
  /** @default Azure's own value */
  elasticScaleEnabled?: boolean;
  /** @default Azure's own value */
  extendedLocation?: {
    name?: string;
  };
  /** @default Azure's own value */
  freeOfferExpirationTime?: string;
  /** @default Azure's own value */
  hostingEnvironmentProfile?: {
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
  };
  /** @default Azure's own value */
  hyperV?: boolean;
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /**
     * Which managed identities it uses: its own, user-assigned ones, or both.
     * @default Azure's own value
     */
    type?: 'None' | 'SystemAssigned' | 'SystemAssigned, UserAssigned' | 'UserAssigned';
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
  installScripts?: ({
    name?: string;
    source?: {
      sourceUri?: string;
      type?: 'PlatformStorage' | 'RemoteAzureBlob';
    };
  })[];
  /** @default Azure's own value */
  isCustomMode?: boolean;
  /** @default Azure's own value */
  isSpot?: boolean;
  /** @default Azure's own value */
  isXenon?: boolean;
  /** @default Azure's own value */
  kind?: string;
  /** @default Azure's own value */
  kubeEnvironmentProfile?: {
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
  };
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  maximumElasticWorkerCount?: number;
  /** @default Azure's own value */
  network?: {
    /**
     * By construct or ARM id: VirtualNetworksSubnet.
     * @default Azure's own value
     */
    virtualNetworkSubnetReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
  };
  /** @default Azure's own value */
  perSiteScaling?: boolean;
  /** @default Azure's own value */
  planDefaultIdentity?: {
    identityType?: 'None' | 'SystemAssigned' | 'SystemAssigned, UserAssigned' | 'UserAssigned';
    /**
     * By construct or ARM id: UserAssignedIdentity.
     * @default Azure's own value
     */
    userAssignedIdentityResourceReference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
  };
  /** @default Azure's own value */
  rdpEnabled?: boolean;
  /** @default Azure's own value */
  registryAdapters?: ({
    keyVaultSecretReference?: {
      referenceStatus?: string;
      secretUri?: string;
    };
    registryKey?: string;
    type?: 'Binary' | 'DWord' | 'Expand_String' | 'Multi_String' | 'QWord' | 'String';
  })[];
  /** @default Azure's own value */
  reserved?: boolean;
  /**
   * Pricing tier.
   * @default Azure's own value
   */
  sku?: {
    capabilities?: ({
      name?: string;
      reason?: string;
      value?: string;
    })[];
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
    locations?: string[];
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
    skuCapacity?: {
      default?: number;
      elasticMaximum?: number;
      maximum?: number;
      minimum?: number;
      scaleType?: string;
    };
    /**
     * Tier, where the name does not tell it.
     * @default Azure's own value
     */
    tier?: string;
  };
  /** @default Azure's own value */
  spotExpirationTime?: string;
  /** @default Azure's own value */
  storageMounts?: ({
    credentialsKeyVaultReference?: {
      referenceStatus?: string;
      secretUri?: string;
    };
    destinationPath?: string;
    name?: string;
    source?: string;
    type?: 'AzureFiles' | 'FileShare' | 'LocalStorage';
  })[];
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  targetWorkerCount?: number;
  /** @default Azure's own value */
  targetWorkerSizeId?: number;
  /** @default Azure's own value */
  workerTierName?: string;
  /** @default Azure's own value */
  zoneRedundant?: boolean;
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ServerFarm {
  spec: ServerFarmSpec;
  status?: ArmStatus;
}
