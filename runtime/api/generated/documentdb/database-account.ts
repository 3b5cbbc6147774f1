// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface DatabaseAccountSpec {
  /**
   * Name in Azure. 3 to 50 characters. Pattern: `^[a-z0-9]+(-[a-z0-9]+)*`.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  analyticalStorageConfiguration?: {
    schemaType?: 'FullFidelity' | 'WellDefined';
  };
  /** @default Azure's own value */
  apiProperties?: {
    serverVersion?: '3.2' | '3.6' | '4.0' | '4.2' | '5.0' | '6.0' | '7.0';
  };
  /** @default Azure's own value */
  backupPolicy?: {
    /**
     * The form whose `type` is `Continuous`.
     * @default Azure's own value
     */
    continuous?: {
      continuousModeProperties?: {
        tier?: 'Continuous30Days' | 'Continuous7Days';
      };
      migrationState?: {
        startTime?: string;
        status?: 'Completed' | 'Failed' | 'InProgress' | 'Invalid';
        targetType?: 'Continuous' | 'Periodic';
      };
      /** Always `Continuous`. */
      type: 'Continuous';
    };
    /**
     * The form whose `type` is `Periodic`.
     * @default Azure's own value
     */
    periodic?: {
      migrationState?: {
        startTime?: string;
        status?: 'Completed' | 'Failed' | 'InProgress' | 'Invalid';
        targetType?: 'Continuous' | 'Periodic';
      };
      periodicModeProperties?: {
        /**
         * At least 0.
         * @default Azure's own value
         */
        backupIntervalInMinutes?: number;
        /**
         * At least 0.
         * @default Azure's own value
         */
        backupRetentionIntervalInHours?: number;
        backupStorageRedundancy?: 'Geo' | 'Local' | 'Zone';
      };
      /** Always `Periodic`. */
      type: 'Periodic';
    };
  };
  /** @default Azure's own value */
  capabilities?: ({
    name?: string;
  })[];
  /** @default Azure's own value */
  capacity?: {
    /**
     * At least -1.
     * @default Azure's own value
     */
    totalThroughputLimit?: number;
  };
  /**
   * Always `Small`.
   * @default Azure's own value
   */
  connectorOffer?: 'Small';
  /** @default Azure's own value */
  consistencyPolicy?: {
    defaultConsistencyLevel: 'BoundedStaleness' | 'ConsistentPrefix' | 'Eventual' | 'Session' | 'Strong';
    /**
     * 5 to 86400.
     * @default Azure's own value
     */
    maxIntervalInSeconds?: number;
    /**
     * 1 to 2147483647.
     * @default Azure's own value
     */
    maxStalenessPrefix?: number;
  };
  /** @default Azure's own value */
  cors?: ({
    allowedHeaders?: string;
    allowedMethods?: string;
    allowedOrigins: string;
    exposedHeaders?: string;
    /**
     * 1 to 2147483647.
     * @default Azure's own value
     */
    maxAgeInSeconds?: number;
  })[];
  /** @default Azure's own value */
  createMode?: 'Default' | 'Restore';
  /** Always `Standard`. */
  databaseAccountOfferType: 'Standard';
  /** @default Azure's own value */
  defaultIdentity?: string;
  /** @default Azure's own value */
  disableKeyBasedMetadataWriteAccess?: boolean;
  /** @default Azure's own value */
  disableLocalAuth?: boolean;
  /** @default Azure's own value */
  enableAnalyticalStorage?: boolean;
  /** @default Azure's own value */
  enableAutomaticFailover?: boolean;
  /** @default Azure's own value */
  enableBurstCapacity?: boolean;
  /** @default Azure's own value */
  enableCassandraConnector?: boolean;
  /** @default Azure's own value */
  enableFreeTier?: boolean;
  /** @default Azure's own value */
  enableMultipleWriteLocations?: boolean;
  /** @default Azure's own value */
  enablePartitionMerge?: boolean;
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
  ipRules?: ({
    ipAddressOrRange?: string;
  })[];
  /** @default Azure's own value */
  isVirtualNetworkFilterEnabled?: boolean;
  /** @default Azure's own value */
  keyVaultKeyUri?: string;
  /** @default Azure's own value */
  kind?: 'GlobalDocumentDB' | 'MongoDB' | 'Parse';
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  locations: ({
    /**
     * At least 0.
     * @default Azure's own value
     */
    failoverPriority?: number;
    isZoneRedundant?: boolean;
    locationName?: string;
  })[];
  /** @default Azure's own value */
  minimalTlsVersion?: 'Tls' | 'Tls11' | 'Tls12';
  /** @default Azure's own value */
  networkAclBypass?: 'AzureServices' | 'None';
  /**
   * Only in v1api20210515.
   * @default Azure's own value
   */
  networkAclBypassResourceIds?: string[];
  /** @default Azure's own value */
  networkAclBypassResourceReferences?: ArmReference[];
  /** @default Azure's own value */
  publicNetworkAccess?: 'Disabled' | 'Enabled' | 'SecuredByPerimeter';
  /** @default Azure's own value */
  restoreParameters?: {
    databasesToRestore?: ({
      collectionNames?: string[];
      databaseName?: string;
    })[];
    gremlinDatabasesToRestore?: ({
      databaseName?: string;
      graphNames?: string[];
    })[];
    /**
     * Always `PointInTime`.
     * @default Azure's own value
     */
    restoreMode?: 'PointInTime';
    restoreSource?: string;
    restoreTimestampInUtc?: string;
    restoreWithTtlDisabled?: boolean;
    tablesToRestore?: string[];
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  virtualNetworkRules?: ({
    ignoreMissingVNetServiceEndpoint?: boolean;
    /**
     * By construct or ARM id: VirtualNetworksSubnet.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
  })[];
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<'documentEndpoint' | 'primaryMasterKey' | 'primaryReadonlyMasterKey' | 'secondaryMasterKey' | 'secondaryReadonlyMasterKey', never, 'primaryEndpoint' | 'primaryMasterKey' | 'secondaryMasterKey' | 'primaryReadonlyMasterKey' | 'secondaryReadonlyMasterKey' | 'connectionStrings' | 'locationEndpoints'>;
}

export interface DatabaseAccount {
  spec: DatabaseAccountSpec;
  status?: ArmStatus;
}
