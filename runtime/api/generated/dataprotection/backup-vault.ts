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
    /** @default Azure's own value */
    featureSettings?: {
      crossRegionRestoreSettings?: {
        state?: 'Disabled' | 'Enabled';
      };
      crossSubscriptionRestoreSettings?: {
        state?: 'Disabled' | 'Enabled' | 'PermanentlyDisabled';
      };
    };
    /** @default Azure's own value */
    monitoringSettings?: {
      azureMonitorAlertSettings?: {
        alertsForAllJobFailures?: 'Disabled' | 'Enabled';
      };
    };
    /** @default Azure's own value */
    replicatedRegions?: string[];
    /** @default Azure's own value */
    securitySettings?: {
      immutabilitySettings?: {
        state?: 'Disabled' | 'Locked' | 'Unlocked';
      };
      softDeleteSettings?: {
        retentionDurationInDays?: number;
        state?: 'AlwaysOn' | 'Off' | 'On';
      };
    };
    storageSettings: ({
      datastoreType?: 'ArchiveStore' | 'OperationalStore' | 'VaultStore';
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
