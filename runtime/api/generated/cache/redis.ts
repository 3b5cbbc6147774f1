// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface RedisSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  disableAccessKeyAuthentication?: boolean;
  /** @default Azure's own value */
  enableNonSslPort?: boolean;
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /** Which managed identities it uses: its own, user-assigned ones, or both. */
    type: 'None' | 'SystemAssigned' | 'SystemAssigned, UserAssigned' | 'UserAssigned';
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
  minimumTlsVersion?: '1.0' | '1.1' | '1.2';
  /** @default Azure's own value */
  publicNetworkAccess?: 'Disabled' | 'Enabled';
  /** @default Azure's own value */
  redisConfiguration?: {
    'aad-enabled'?: string;
    /**
     * Settings of Redis that have no field of their own, by name.
     * @default Azure's own value
     */
    additionalProperties?: Record<string, unknown>;
    'aof-backup-enabled'?: string;
    'aof-storage-connection-string-0'?: string;
    'aof-storage-connection-string-1'?: string;
    authnotrequired?: string;
    'maxfragmentationmemory-reserved'?: string;
    'maxmemory-delta'?: string;
    'maxmemory-policy'?: string;
    'maxmemory-reserved'?: string;
    'notify-keyspace-events'?: string;
    'preferred-data-persistence-auth-method'?: string;
    'rdb-backup-enabled'?: string;
    'rdb-backup-frequency'?: string;
    'rdb-backup-max-snapshot-count'?: string;
    'rdb-storage-connection-string'?: string;
    'storage-subscription-id'?: string;
  };
  /** @default Azure's own value */
  redisVersion?: string;
  /** @default Azure's own value */
  replicasPerMaster?: number;
  /** @default Azure's own value */
  replicasPerPrimary?: number;
  /** @default Azure's own value */
  shardCount?: number;
  /** Pricing tier. */
  sku: {
    /** Number of units. */
    capacity: number;
    /** Family of the hardware, where the service has several. */
    family: 'C' | 'P';
    /** Name of the pricing tier. */
    name: 'Basic' | 'Premium' | 'Standard';
  };
  /**
   * Pattern: `^\d+\.\d+\.\d+\.\d+$`.
   * @default Azure's own value
   */
  staticIP?: string;
  /**
   * By construct or ARM id: VirtualNetworksSubnet.
   * @default Azure's own value
   */
  subnetReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  tenantSettings?: Record<string, string>;
  /** @default Azure's own value */
  updateChannel?: 'Preview' | 'Stable';
  /** @default Azure's own value */
  zonalAllocationPolicy?: 'Automatic' | 'NoZones' | 'UserDefined';
  /** @default Azure's own value */
  zones?: string[];
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<'hostName' | 'port' | 'primaryKey' | 'secondaryKey' | 'sslPort', never, 'primaryKey' | 'secondaryKey'>;
}

export interface Redis {
  spec: RedisSpec;
  status?: ArmStatus;
}
