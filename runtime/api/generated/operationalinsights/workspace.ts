// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface WorkspaceSpec {
  /**
   * Name in Azure. 4 to 63 characters. Pattern: `^[A-Za-z0-9][A-Za-z0-9-]+[A-Za-z0-9]$`.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * By construct or ARM id: DataCollectionRule.
   * @default Azure's own value
   */
  defaultDataCollectionRuleResourceReference?: ArmReference<'insights.azure.com/DataCollectionRule'>;
  /** @default Azure's own value */
  etag?: string;
  /** @default Azure's own value */
  features?: {
    additionalProperties?: Record<string, unknown>;
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    clusterResourceReference?: ArmReference;
    disableLocalAuth?: boolean;
    enableDataExport?: boolean;
    enableLogAccessUsingOnlyResourcePermissions?: boolean;
    immediatePurgeDataOn30Days?: boolean;
  };
  /** @default Azure's own value */
  forceCmkForQuery?: boolean;
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /** Which managed identities it uses: its own, user-assigned ones, or both. */
    type: 'None' | 'SystemAssigned' | 'UserAssigned';
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
  /**
   * Only in v1api20210601.
   * @default Azure's own value
   */
  provisioningState?: 'Canceled' | 'Creating' | 'Deleting' | 'Failed' | 'ProvisioningAccount' | 'Succeeded' | 'Updating';
  /** @default Azure's own value */
  publicNetworkAccessForIngestion?: 'Disabled' | 'Enabled' | 'SecuredByPerimeter';
  /** @default Azure's own value */
  publicNetworkAccessForQuery?: 'Disabled' | 'Enabled' | 'SecuredByPerimeter';
  /** @default Azure's own value */
  replication?: {
    enabled?: boolean;
    location?: string;
  };
  /** @default Azure's own value */
  retentionInDays?: number;
  /**
   * Pricing tier.
   * @default Azure's own value
   */
  sku?: {
    capacityReservationLevel?: number;
    /** Name of the pricing tier. */
    name: 'CapacityReservation' | 'Free' | 'LACluster' | 'PerGB2018' | 'PerNode' | 'Premium' | 'Standalone' | 'Standard';
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  workspaceCapping?: {
    dailyQuotaGb?: number;
  };
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<'primarySharedKey' | 'secondarySharedKey', never, 'primarySharedKey' | 'secondarySharedKey'>;
}

export interface Workspace {
  spec: WorkspaceSpec;
  status?: ArmStatus;
}
