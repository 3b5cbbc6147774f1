// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface WatcherSpec {
  /**
   * Name in Azure. Pattern: `^[a-zA-Z0-9]{1}[a-zA-Z0-9-_]{3,60}$`.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * Where the watcher writes what it collects.
   * @default Azure's own value
   */
  datastore?: {
    /**
     * By construct or ARM id: Cluster.
     * @default Azure's own value
     */
    adxClusterResourceReference?: ArmReference<'kusto.azure.com/Cluster'>;
    /**
     * Name of the Kusto cluster, for people.
     * @default Azure's own value
     */
    kustoClusterDisplayName?: string;
    /**
     * Address of the Kusto cluster for queries.
     * @default Azure's own value
     */
    kustoClusterUri?: string;
    /**
     * A value of a ConfigMap of this namespace, in place of `kustoClusterUri`.
     * @default Azure's own value
     */
    kustoClusterUriFromConfig?: ConfigMapKeyReference;
    /**
     * Address of the Kusto cluster for ingestion.
     * @default Azure's own value
     */
    kustoDataIngestionUri?: string;
    /**
     * A value of a ConfigMap of this namespace, in place of `kustoDataIngestionUri`.
     * @default Azure's own value
     */
    kustoDataIngestionUriFromConfig?: ConfigMapKeyReference;
    /** Name of the Kusto database. */
    kustoDatabaseName: string;
    /**
     * Address of the page on which people manage the Kusto cluster.
     * @default Azure's own value
     */
    kustoManagementUrl?: string;
    /**
     * A value of a ConfigMap of this namespace, in place of `kustoManagementUrl`.
     * @default Azure's own value
     */
    kustoManagementUrlFromConfig?: ConfigMapKeyReference;
    /** Kind of the Kusto cluster: Azure Data Explorer, a free one, or Real-Time Intelligence of Microsoft Fabric. */
    kustoOfferingType: 'adx' | 'fabric' | 'free';
  };
  /**
   * By construct or ARM id: UserAssignedIdentity.
   * @default Azure's own value
   */
  defaultAlertRuleIdentityResourceReference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
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
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Watcher {
  spec: WatcherSpec;
  status?: ArmStatus;
}
