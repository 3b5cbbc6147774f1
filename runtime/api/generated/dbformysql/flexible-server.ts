// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, CredentialsSpec, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

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
  availabilityZone?: string;
  /** @default Azure's own value */
  backup?: {
    backupIntervalHours?: number;
    backupRetentionDays?: number;
    geoRedundantBackup?: 'Disabled' | 'Enabled';
  };
  /** @default Azure's own value */
  createMode?: 'Default' | 'GeoRestore' | 'PointInTimeRestore' | 'Replica';
  /** @default Azure's own value */
  dataEncryption?: {
    geoBackupKeyURI?: string;
    /**
     * By construct or ARM id: UserAssignedIdentity.
     * @default Azure's own value
     */
    geoBackupUserAssignedIdentityReference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
    primaryKeyURI?: string;
    /**
     * By construct or ARM id: UserAssignedIdentity.
     * @default Azure's own value
     */
    primaryUserAssignedIdentityReference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
    type?: 'AzureKeyVault' | 'SystemManaged';
  };
  /**
   * TCP port of the server.
   * @default Azure's own value
   */
  databasePort?: number;
  /** @default Azure's own value */
  highAvailability?: {
    mode?: 'Disabled' | 'SameZone' | 'ZoneRedundant';
    /**
     * Only in v20250601preview.
     * @default Azure's own value
     */
    replicationMode?: 'BinaryLog' | 'RedoLog';
    standbyAvailabilityZone?: string;
  };
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /**
     * Always `UserAssigned`.
     * @default Azure's own value
     */
    type?: 'UserAssigned';
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
  importSourceProperties?: {
    dataDirPath?: string;
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    sasToken?: SecretKeyReference;
    /**
     * Always `AzureBlob`.
     * @default Azure's own value
     */
    storageType?: 'AzureBlob';
    storageUrl?: string;
  };
  /** Azure region, such as westeurope. */
  location: string;
  /**
   * Only in v20250601preview.
   * @default Azure's own value
   */
  lowerCaseTableNames?: number;
  /**
   * When the server gets new versions.
   * @default Azure's own value
   */
  maintenancePolicy?: {
    /**
     * Whether the server gets updates with all others, or earlier (VirtualCanary).
     * @default Azure's own value
     */
    patchStrategy?: 'Regular' | 'VirtualCanary';
  };
  /** @default Azure's own value */
  maintenanceWindow?: {
    /**
     * Batch of servers in which this one gets its maintenance.
     * @default Azure's own value
     */
    batchOfMaintenance?: 'Batch1' | 'Batch2' | 'Default';
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
    privateDnsZoneResourceReference?: ArmReference<'network.azure.com/PrivateDnsZone'>;
    publicNetworkAccess?: 'Disabled' | 'Enabled';
  };
  /** @default Azure's own value */
  replicationRole?: 'None' | 'Replica' | 'Source';
  /** @default Azure's own value */
  restorePointInTime?: string;
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
   * Only in v20210501, v1api20210501.
   * @default Azure's own value
   */
  sourceServerResourceId?: string;
  /**
   * By construct or ARM id: FlexibleServer or FlexibleServer.
   * @default Azure's own value
   */
  sourceServerResourceReference?: ArmReference<'dbformysql.azure.com/FlexibleServer' | 'dbforpostgresql.azure.com/FlexibleServer'>;
  /** @default Azure's own value */
  storage?: {
    autoGrow?: 'Disabled' | 'Enabled';
    autoIoScaling?: 'Disabled' | 'Enabled';
    iops?: number;
    logOnDisk?: 'Disabled' | 'Enabled';
    /**
     * Where the copies of the data are: in one zone, or in several.
     * @default Azure's own value
     */
    storageRedundancy?: 'LocalRedundancy' | 'ZoneRedundancy';
    storageSizeGB?: number;
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  version?: string;
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<'fullyQualifiedDomainName', 'administratorLogin' | 'fullyQualifiedDomainName', 'username' | 'password' | 'fullyQualifiedUsername' | 'mySqlServerName' | 'fullyQualifiedServerName'> & CredentialsSpec;
}

export interface FlexibleServer {
  spec: FlexibleServerSpec;
  status?: ArmStatus;
}
