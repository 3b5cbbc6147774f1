// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface ServersDatabaseSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  autoPauseDelay?: number;
  /** @default Azure's own value */
  availabilityZone?: '1' | '2' | '3' | 'NoPreference';
  /** @default Azure's own value */
  catalogCollation?: 'DATABASE_DEFAULT' | 'SQL_Latin1_General_CP1_CI_AS';
  /** @default Azure's own value */
  collation?: string;
  /** @default Azure's own value */
  createMode?: 'Copy' | 'Default' | 'OnlineSecondary' | 'PointInTimeRestore' | 'Recovery' | 'Restore' | 'RestoreExternalBackup' | 'RestoreExternalBackupSecondary' | 'RestoreLongTermRetentionBackup' | 'Secondary';
  /**
   * By construct or ARM id: ServersElasticPool.
   * @default Azure's own value
   */
  elasticPoolReference?: ArmReference<'sql.azure.com/ServersElasticPool'>;
  /** @default Azure's own value */
  encryptionProtector?: string;
  /**
   * Whether the database follows new versions of its encryption key.
   * @default Azure's own value
   */
  encryptionProtectorAutoRotation?: boolean;
  /**
   * Pattern: `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
   * @default Azure's own value
   */
  federatedClientId?: string;
  /**
   * What happens when the free monthly amount is used up: the database pauses, or is billed.
   * @default Azure's own value
   */
  freeLimitExhaustionBehavior?: 'AutoPause' | 'BillOverUsage';
  /** @default Azure's own value */
  highAvailabilityReplicaCount?: number;
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /**
     * Which managed identities it uses: its own, user-assigned ones, or both.
     * @default Azure's own value
     */
    type?: 'None' | 'UserAssigned';
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
  isLedgerOn?: boolean;
  /** @default Azure's own value */
  licenseType?: 'BasePrice' | 'LicenseIncluded';
  /** Azure region, such as westeurope. */
  location: string;
  /**
   * By construct or ARM id: any resource.
   * @default Azure's own value
   */
  longTermRetentionBackupResourceReference?: ArmReference;
  /** @default Azure's own value */
  maintenanceConfigurationId?: string;
  /** @default Azure's own value */
  manualCutover?: boolean;
  /** @default Azure's own value */
  maxSizeBytes?: number;
  /** @default Azure's own value */
  minCapacity?: number;
  /** @default Azure's own value */
  performCutover?: boolean;
  /** @default Azure's own value */
  preferredEnclaveType?: 'Default' | 'VBS';
  /** @default Azure's own value */
  readScale?: 'Disabled' | 'Enabled';
  /**
   * By construct or ARM id: any resource.
   * @default Azure's own value
   */
  recoverableDatabaseReference?: ArmReference;
  /**
   * By construct or ARM id: any resource.
   * @default Azure's own value
   */
  recoveryServicesRecoveryPointReference?: ArmReference;
  /** @default Azure's own value */
  requestedBackupStorageRedundancy?: 'Geo' | 'GeoZone' | 'Local' | 'Zone';
  /**
   * By construct or ARM id: any resource.
   * @default Azure's own value
   */
  restorableDroppedDatabaseReference?: ArmReference;
  /** @default Azure's own value */
  restorePointInTime?: string;
  /** @default Azure's own value */
  sampleName?: 'AdventureWorksLT' | 'WideWorldImportersFull' | 'WideWorldImportersStd';
  /** @default Azure's own value */
  secondaryType?: 'Geo' | 'Named' | 'Standby';
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
    tier?: string;
  };
  /** @default Azure's own value */
  sourceDatabaseDeletionDate?: string;
  /**
   * By construct or ARM id: ServersDatabase.
   * @default Azure's own value
   */
  sourceDatabaseReference?: ArmReference<'sql.azure.com/ServersDatabase'>;
  /**
   * By construct or ARM id: any resource.
   * @default Azure's own value
   */
  sourceResourceReference?: ArmReference;
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /**
   * Whether the database uses the free monthly amount.
   * @default Azure's own value
   */
  useFreeLimit?: boolean;
  /** @default Azure's own value */
  zoneRedundant?: boolean;
  /** The Server that it is in, by construct or ARM id. */
  owner: KnownOwner<'sql.azure.com/Server'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ServersDatabase {
  spec: ServersDatabaseSpec;
  status?: ArmStatus;
}
