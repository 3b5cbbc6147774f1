// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface NetworkWatchersFlowLogSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  enabled?: boolean;
  /** @default Azure's own value */
  enabledFilteringCriteria?: string;
  /** @default Azure's own value */
  flowAnalyticsConfiguration?: {
    networkWatcherFlowAnalyticsConfiguration?: {
      enabled?: boolean;
      trafficAnalyticsInterval?: number;
      workspaceRegion?: string;
      /**
       * By construct or ARM id: Workspace.
       * @default Azure's own value
       */
      workspaceResourceReference?: ArmReference<'operationalinsights.azure.com/Workspace'>;
    };
  };
  /** @default Azure's own value */
  format?: {
    /**
     * Always `JSON`.
     * @default Azure's own value
     */
    type?: 'JSON';
    version?: number;
  };
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
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /** @default Azure's own value */
  retentionPolicy?: {
    days?: number;
    enabled?: boolean;
  };
  /** By construct or ARM id: StorageAccount. */
  storageReference: ArmReference<'storage.azure.com/StorageAccount'>;
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** By construct or ARM id: any resource. */
  targetResourceReference: ArmReference;
  /** The NetworkWatcher that it is in, by construct or ARM id. */
  owner: KnownOwner<'network.azure.com/NetworkWatcher'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface NetworkWatchersFlowLog {
  spec: NetworkWatchersFlowLogSpec;
  status?: ArmStatus;
}
