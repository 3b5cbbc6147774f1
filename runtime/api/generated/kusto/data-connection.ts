// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface DataConnectionSpec {
  /**
   * Name in Azure. Pattern: `^.*$`.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * The form whose `kind` is `CosmosDb`.
   * @default Azure's own value
   */
  cosmosDbDataConnection?: {
    /** By construct or ARM id: DatabaseAccount. */
    cosmosDbAccountResourceReference: ArmReference<'documentdb.azure.com/DatabaseAccount'>;
    cosmosDbContainer: string;
    cosmosDbDatabase: string;
    /** Always `CosmosDb`. */
    kind: 'CosmosDb';
    location?: string;
    /** By construct or ARM id: Cluster or UserAssignedIdentity. */
    managedIdentityResourceReference: ArmReference<'kusto.azure.com/Cluster' | 'managedidentity.azure.com/UserAssignedIdentity'>;
    mappingRuleName?: string;
    retrievalStartDate?: string;
    tableName: string;
  };
  /**
   * The form whose `kind` is `EventGrid`.
   * @default Azure's own value
   */
  eventGridDataConnection?: {
    blobStorageEventType?: 'Microsoft.Storage.BlobCreated' | 'Microsoft.Storage.BlobRenamed';
    consumerGroup: string;
    dataFormat?: 'APACHEAVRO' | 'AVRO' | 'CSV' | 'JSON' | 'MULTIJSON' | 'ORC' | 'PARQUET' | 'PSV' | 'RAW' | 'SCSV' | 'SINGLEJSON' | 'SOHSV' | 'TSV' | 'TSVE' | 'TXT' | 'W3CLOGFILE';
    databaseRouting?: 'Multi' | 'Single';
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    eventGridResourceReference?: ArmReference;
    /** By construct or ARM id: NamespacesEventhub. */
    eventHubResourceReference: ArmReference<'eventhub.azure.com/NamespacesEventhub'>;
    ignoreFirstRecord?: boolean;
    /** Always `EventGrid`. */
    kind: 'EventGrid';
    location?: string;
    /**
     * By construct or ARM id: Cluster or UserAssignedIdentity.
     * @default Azure's own value
     */
    managedIdentityResourceReference?: ArmReference<'kusto.azure.com/Cluster' | 'managedidentity.azure.com/UserAssignedIdentity'>;
    mappingRuleName?: string;
    /** By construct or ARM id: StorageAccount. */
    storageAccountResourceReference: ArmReference<'storage.azure.com/StorageAccount'>;
    tableName?: string;
  };
  /**
   * The form whose `kind` is `EventHub`.
   * @default Azure's own value
   */
  eventHubDataConnection?: {
    compression?: 'GZip' | 'None';
    consumerGroup: string;
    dataFormat?: 'APACHEAVRO' | 'AVRO' | 'CSV' | 'JSON' | 'MULTIJSON' | 'ORC' | 'PARQUET' | 'PSV' | 'RAW' | 'SCSV' | 'SINGLEJSON' | 'SOHSV' | 'TSV' | 'TSVE' | 'TXT' | 'W3CLOGFILE';
    databaseRouting?: 'Multi' | 'Single';
    /** By construct or ARM id: NamespacesEventhub. */
    eventHubResourceReference: ArmReference<'eventhub.azure.com/NamespacesEventhub'>;
    eventSystemProperties?: string[];
    /** Always `EventHub`. */
    kind: 'EventHub';
    location?: string;
    /**
     * By construct or ARM id: Cluster or UserAssignedIdentity.
     * @default Azure's own value
     */
    managedIdentityResourceReference?: ArmReference<'kusto.azure.com/Cluster' | 'managedidentity.azure.com/UserAssignedIdentity'>;
    mappingRuleName?: string;
    retrievalStartDate?: string;
    tableName?: string;
  };
  /**
   * The form whose `kind` is `IotHub`.
   * @default Azure's own value
   */
  iotHubDataConnection?: {
    consumerGroup: string;
    dataFormat?: 'APACHEAVRO' | 'AVRO' | 'CSV' | 'JSON' | 'MULTIJSON' | 'ORC' | 'PARQUET' | 'PSV' | 'RAW' | 'SCSV' | 'SINGLEJSON' | 'SOHSV' | 'TSV' | 'TSVE' | 'TXT' | 'W3CLOGFILE';
    databaseRouting?: 'Multi' | 'Single';
    eventSystemProperties?: string[];
    /** By construct or ARM id: IotHub. */
    iotHubResourceReference: ArmReference<'devices.azure.com/IotHub'>;
    /** Always `IotHub`. */
    kind: 'IotHub';
    location?: string;
    mappingRuleName?: string;
    retrievalStartDate?: string;
    sharedAccessPolicyName: string;
    tableName?: string;
  };
  /** The Database that it is in, by construct or ARM id. */
  owner: KnownOwner<'kusto.azure.com/Database'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface DataConnection {
  spec: DataConnectionSpec;
  status?: ArmStatus;
}
