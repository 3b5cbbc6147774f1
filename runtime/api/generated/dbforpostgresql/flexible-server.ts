// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, CredentialsSpec, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface FlexibleServerSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  administratorLogin?: string;
  /**
   * A value of a Secret of this namespace: an export of another resource, or name and key.
   * @default Azure's own value
   */
  administratorLoginPassword?: SecretKeyReference;
  /** @default Azure's own value */
  authConfig?: {
    activeDirectoryAuth?: 'Disabled' | 'Enabled';
    passwordAuth?: 'Disabled' | 'Enabled';
    tenantId?: string;
    /**
     * A value of a ConfigMap of this namespace, in place of `tenantId`.
     * @default Azure's own value
     */
    tenantIdFromConfig?: ConfigMapKeyReference;
  };
  /** @default Azure's own value */
  availabilityZone?: string;
  /** @default Azure's own value */
  backup?: {
    backupRetentionDays?: number;
    geoRedundantBackup?: 'Disabled' | 'Enabled';
  };
  /** @default Azure's own value */
  cluster?: {
    clusterSize?: number;
    defaultDatabaseName?: string;
  };
  /** @default Azure's own value */
  createMode?: 'Create' | 'Default' | 'GeoRestore' | 'PointInTimeRestore' | 'Replica' | 'ReviveDropped' | 'Update';
  /** @default Azure's own value */
  dataEncryption?: {
    /**
     * Only in v1api20240801, v1api20230601preview.
     * @default Azure's own value
     */
    geoBackupEncryptionKeyStatus?: 'Invalid' | 'Valid';
    geoBackupKeyURI?: string;
    /**
     * A value of a ConfigMap of this namespace, in place of `geoBackupKeyURI`.
     * @default Azure's own value
     */
    geoBackupKeyURIFromConfig?: ConfigMapKeyReference;
    /**
     * By construct or ARM id: UserAssignedIdentity.
     * @default Azure's own value
     */
    geoBackupUserAssignedIdentityReference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
    /**
     * Only in v1api20240801, v1api20230601preview.
     * @default Azure's own value
     */
    primaryEncryptionKeyStatus?: 'Invalid' | 'Valid';
    primaryKeyURI?: string;
    /**
     * A value of a ConfigMap of this namespace, in place of `primaryKeyURI`.
     * @default Azure's own value
     */
    primaryKeyURIFromConfig?: ConfigMapKeyReference;
    /**
     * By construct or ARM id: UserAssignedIdentity.
     * @default Azure's own value
     */
    primaryUserAssignedIdentityReference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
    type?: 'AzureKeyVault' | 'SystemManaged';
  };
  /** @default Azure's own value */
  highAvailability?: {
    mode?: 'Disabled' | 'SameZone' | 'ZoneRedundant';
    standbyAvailabilityZone?: string;
  };
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    principalId?: string;
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
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  maintenanceWindow?: {
    customWindow?: string;
    dayOfWeek?: number;
    startHour?: number;
    startMinute?: number;
  };
  /** @default Azure's own value */
  network?: {
    /**
     * By construct or ARM id: VirtualNetworksSubnet.
     * @default Azure's own value
     */
    delegatedSubnetResourceReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
    /**
     * By construct or ARM id: PrivateDnsZone.
     * @default Azure's own value
     */
    privateDnsZoneArmResourceReference?: ArmReference<'network.azure.com/PrivateDnsZone'>;
    publicNetworkAccess?: 'Disabled' | 'Enabled';
  };
  /** @default Azure's own value */
  pointInTimeUTC?: string;
  /** @default Azure's own value */
  replica?: {
    promoteMode?: 'Standalone' | 'Switchover' | 'standalone' | 'switchover';
    promoteOption?: 'Forced' | 'Planned' | 'forced' | 'planned';
    role?: 'AsyncReplica' | 'GeoAsyncReplica' | 'None' | 'Primary';
  };
  /** @default Azure's own value */
  replicationRole?: 'AsyncReplica' | 'GeoAsyncReplica' | 'None' | 'Primary';
  /**
   * Pricing tier.
   * @default Azure's own value
   */
  sku?: {
    /** Name of the pricing tier. */
    name: string;
    /** Tier, where the name does not tell it. */
    tier: 'Burstable' | 'GeneralPurpose' | 'MemoryOptimized';
  };
  /**
   * By construct or ARM id: FlexibleServer or FlexibleServer.
   * @default Azure's own value
   */
  sourceServerResourceReference?: ArmReference<'dbformysql.azure.com/FlexibleServer' | 'dbforpostgresql.azure.com/FlexibleServer'>;
  /** @default Azure's own value */
  storage?: {
    autoGrow?: 'Disabled' | 'Enabled';
    iops?: number;
    storageSizeGB?: number;
    throughput?: number;
    tier?: 'P1' | 'P10' | 'P15' | 'P2' | 'P20' | 'P3' | 'P30' | 'P4' | 'P40' | 'P50' | 'P6' | 'P60' | 'P70' | 'P80';
    type?: 'PremiumV2_LRS' | 'Premium_LRS' | 'UltraSSD_LRS';
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  version?: '11' | '12' | '13' | '14' | '15' | '16' | '17' | '18';
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<'fullyQualifiedDomainName', 'fullyQualifiedDomainName', 'username' | 'password' | 'fullyQualifiedUsername' | 'postgreSqlServerName' | 'fullyQualifiedServerName'> & CredentialsSpec;
}

export interface FlexibleServer {
  spec: FlexibleServerSpec;
  status?: ArmStatus;
}
