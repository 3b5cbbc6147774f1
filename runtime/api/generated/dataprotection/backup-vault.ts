// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface BackupVaultSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /**
     * Which managed identities it uses: its own, user-assigned ones, or both.
     * @default Azure's own value
     */
    type?: string;
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
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /** Properties of the resource. */
  properties: {
    /**
     * Optional features of the vault.
     * @default Azure's own value
     */
    featureSettings?: {
      /**
       * Restore into the paired region.
       * @default Azure's own value
       */
      crossRegionRestoreSettings?: {
        /**
         * Whether backups can be restored into the paired region; once on, it stays on.
         * @default Azure's own value
         */
        state?: 'Disabled' | 'Enabled';
      };
      /**
       * Restore into other subscriptions.
       * @default Azure's own value
       */
      crossSubscriptionRestoreSettings?: {
        /**
         * Whether backups can be restored into another subscription; PermanentlyDisabled cannot be taken back.
         * @default Azure's own value
         */
        state?: 'Disabled' | 'Enabled' | 'PermanentlyDisabled';
      };
    };
    /**
     * Monitoring of the vault.
     * @default Azure's own value
     */
    monitoringSettings?: {
      /**
       * Alerts of Azure Monitor.
       * @default Azure's own value
       */
      azureMonitorAlertSettings?: {
        /**
         * Whether each failed job raises an alert.
         * @default Azure's own value
         */
        alertsForAllJobFailures?: 'Disabled' | 'Enabled';
      };
    };
    /**
     * Regions that have copies of the vault's data.
     * @default Azure's own value
     */
    replicatedRegions?: string[];
    /**
     * Protection of the backups against deletion.
     * @default Azure's own value
     */
    securitySettings?: {
      /**
       * Immutability: recovery points cannot be deleted before they expire.
       * @default Azure's own value
       */
      immutabilitySettings?: {
        /**
         * Whether the vault is immutable; Locked cannot be taken back.
         * @default Azure's own value
         */
        state?: 'Disabled' | 'Locked' | 'Unlocked';
      };
      /**
       * Soft delete: deleted backups stay for some days.
       * @default Azure's own value
       */
      softDeleteSettings?: {
        /**
         * How long deleted backups stay, in days.
         * @default Azure's own value
         */
        retentionDurationInDays?: number;
        /**
         * Whether soft delete is on; AlwaysOn cannot be taken back.
         * @default Azure's own value
         */
        state?: 'AlwaysOn' | 'Off' | 'On';
      };
    };
    /** Kind and redundancy of each store of the vault. */
    storageSettings: ({
      /**
       * Which store the setting is for.
       * @default Azure's own value
       */
      datastoreType?: 'ArchiveStore' | 'OperationalStore' | 'VaultStore';
      /**
       * Where the copies of the data are: in one datacenter, in the zones of the region, or in the paired region too.
       * @default Azure's own value
       */
      type?: 'GeoRedundant' | 'LocallyRedundant' | 'ZoneRedundant';
    })[];
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
  operatorSpec?: OperatorSpec<never, 'principalId'>;
}

export interface BackupVault {
  spec: BackupVaultSpec;
  status?: ArmStatus;
}
