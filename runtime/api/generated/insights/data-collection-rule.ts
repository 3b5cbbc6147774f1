// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface DataCollectionRuleSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  agentSettings?: {
    logs?: ({
      name?: 'MaxDiskQuotaInMB' | 'Tags' | 'UseTimeReceivedForForwardedEvents';
      value?: string;
    })[];
  };
  /**
   * By construct or ARM id: DataCollectionEndpoint.
   * @default Azure's own value
   */
  dataCollectionEndpointReference?: ArmReference<'insights.azure.com/DataCollectionEndpoint'>;
  /** @default Azure's own value */
  dataFlows?: ({
    builtInTransform?: string;
    captureOverflow?: boolean;
    destinations?: string[];
    outputStream?: string;
    streams?: string[];
    transformKql?: string;
  })[];
  /** @default Azure's own value */
  dataSources?: {
    dataImports?: {
      eventHub?: {
        consumerGroup?: string;
        name?: string;
        stream?: string;
      };
    };
    etwProviders?: ({
      eventIds?: string[];
      keyword?: string;
      logLevel?: 'Critical' | 'Error' | 'Informational' | 'Verbose' | 'Warning';
      name?: string;
      provider: string;
      providerType: 'EventSource' | 'Manifest';
      streams: string[];
    })[];
    extensions?: ({
      extensionName: string;
      extensionSettings?: Record<string, unknown>;
      inputDataSources?: string[];
      name?: string;
      streams?: string[];
    })[];
    iisLogs?: ({
      logDirectories?: string[];
      name?: string;
      streams: string[];
      transformKql?: string;
    })[];
    logFiles?: ({
      filePatterns: string[];
      format: 'json' | 'text';
      name?: string;
      settings?: {
        text?: {
          recordStartTimestampFormat: 'dd/MMM/yyyy:HH:mm:ss zzz' | 'ddMMyy HH:mm:ss' | 'ISO 8601' | 'M/D/YYYY HH:MM:SS AM/PM' | 'MMM d hh:mm:ss' | 'Mon DD, YYYY HH:MM:SS' | 'YYYY-MM-DD HH:MM:SS' | 'yyMMdd HH:mm:ss' | 'yyyy-MM-ddTHH:mm:ssK';
        };
      };
      streams: string[];
      transformKql?: string;
    })[];
    otelLogs?: ({
      enrichWithReference?: string;
      enrichWithResourceAttributes?: string[];
      name?: string;
      replaceResourceIdWithReference?: boolean;
      resourceAttributeRouting?: {
        attributeName?: string;
        attributeValue?: string;
      };
      streams: ('Microsoft-OTel-Logs')[];
    })[];
    otelMetrics?: ({
      enrichWithReference?: string;
      enrichWithResourceAttributes?: string[];
      name?: string;
      resourceAttributeRouting?: {
        attributeName?: string;
        attributeValue?: string;
      };
      streams: string[];
    })[];
    otelTraces?: ({
      enrichWithReference?: string;
      enrichWithResourceAttributes?: string[];
      name?: string;
      replaceResourceIdWithReference?: boolean;
      resourceAttributeRouting?: {
        attributeName?: string;
        attributeValue?: string;
      };
      streams: ('Microsoft-OTel-Traces-Events' | 'Microsoft-OTel-Traces-Resources' | 'Microsoft-OTel-Traces-Spans')[];
    })[];
    performanceCounters?: ({
      counterSpecifiers?: string[];
      name?: string;
      samplingFrequencyInSeconds?: number;
      streams?: string[];
      transformKql?: string;
    })[];
    performanceCountersOTel?: ({
      counterSpecifiers?: string[];
      name?: string;
      samplingFrequencyInSeconds?: number;
      streams?: ('Microsoft-OtelPerfMetrics')[];
    })[];
    platformTelemetry?: ({
      name?: string;
      streams: string[];
    })[];
    prometheusForwarder?: ({
      customVMScrapeConfig?: (Record<string, unknown>)[];
      labelIncludeFilter?: Record<string, string>;
      name?: string;
      streams?: string[];
    })[];
    syslog?: ({
      facilityNames?: ('alert' | 'audit' | 'auth' | 'authpriv' | 'clock' | 'cron' | 'daemon' | 'ftp' | 'kern' | 'local0' | 'local1' | 'local2' | 'local3' | 'local4' | 'local5' | 'local6' | 'local7' | 'lpr' | 'mail' | 'mark' | 'news' | 'nopri' | 'ntp' | '*' | 'syslog' | 'user' | 'uucp')[];
      logLevels?: ('Alert' | 'Critical' | 'Debug' | 'Emergency' | 'Error' | 'Info' | 'Notice' | '*' | 'Warning')[];
      name?: string;
      streams?: string[];
      transformKql?: string;
    })[];
    windowsEventLogs?: ({
      name?: string;
      streams?: string[];
      transformKql?: string;
      xPathQueries?: string[];
    })[];
    windowsFirewallLogs?: ({
      name?: string;
      profileFilter?: ('Domain' | 'Private' | 'Public')[];
      streams: string[];
    })[];
  };
  /** @default Azure's own value */
  description?: string;
  /** @default Azure's own value */
  destinations?: {
    azureDataExplorer?: ({
      databaseName?: string;
      name?: string;
      /**
       * By construct or ARM id: Cluster.
       * @default Azure's own value
       */
      resourceReference?: ArmReference<'kusto.azure.com/Cluster'>;
    })[];
    azureMonitorMetrics?: {
      name?: string;
    };
    eventHubs?: ({
      /**
       * By construct or ARM id: NamespacesEventhub.
       * @default Azure's own value
       */
      eventHubResourceReference?: ArmReference<'eventhub.azure.com/NamespacesEventhub'>;
      name?: string;
    })[];
    eventHubsDirect?: ({
      /**
       * By construct or ARM id: NamespacesEventhub.
       * @default Azure's own value
       */
      eventHubResourceReference?: ArmReference<'eventhub.azure.com/NamespacesEventhub'>;
      name?: string;
    })[];
    logAnalytics?: ({
      name?: string;
      /**
       * By construct or ARM id: Workspace.
       * @default Azure's own value
       */
      workspaceResourceReference?: ArmReference<'operationalinsights.azure.com/Workspace'>;
    })[];
    microsoftFabric?: ({
      artifactId?: string;
      databaseName?: string;
      ingestionUri?: string;
      name?: string;
      tenantId?: string;
    })[];
    monitoringAccounts?: ({
      /**
       * By construct or ARM id: Account.
       * @default Azure's own value
       */
      accountResourceReference?: ArmReference<'monitor.azure.com/Account'>;
      name?: string;
    })[];
    storageAccounts?: ({
      containerName?: string;
      name?: string;
      /**
       * By construct or ARM id: StorageAccount.
       * @default Azure's own value
       */
      storageAccountResourceReference?: ArmReference<'storage.azure.com/StorageAccount'>;
    })[];
    storageBlobsDirect?: ({
      containerName?: string;
      name?: string;
      /**
       * By construct or ARM id: StorageAccount.
       * @default Azure's own value
       */
      storageAccountResourceReference?: ArmReference<'storage.azure.com/StorageAccount'>;
    })[];
    storageTablesDirect?: ({
      name?: string;
      /**
       * By construct or ARM id: StorageAccount.
       * @default Azure's own value
       */
      storageAccountResourceReference?: ArmReference<'storage.azure.com/StorageAccount'>;
      tableName?: string;
    })[];
  };
  /** @default Azure's own value */
  directDataSources?: {
    otelLogs?: ({
      enrichWithReference?: string;
      enrichWithResourceAttributes?: string[];
      name?: string;
      replaceResourceIdWithReference?: boolean;
      streams: ('Microsoft-OTel-Logs')[];
    })[];
    otelMetrics?: ({
      enrichWithReference?: string;
      enrichWithResourceAttributes?: string[];
      name?: string;
      streams: string[];
    })[];
    otelTraces?: ({
      enrichWithReference?: string;
      enrichWithResourceAttributes?: string[];
      name?: string;
      replaceResourceIdWithReference?: boolean;
      streams: ('Microsoft-OTel-Traces-Events' | 'Microsoft-OTel-Traces-Resources' | 'Microsoft-OTel-Traces-Spans')[];
    })[];
  };
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
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
  /** @default Azure's own value */
  kind?: 'Linux' | 'Windows';
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  references?: {
    applicationInsights?: ({
      name: string;
      /** By construct or ARM id: Component. */
      resourceReference: ArmReference<'insights.azure.com/Component'>;
    })[];
    enrichmentData?: {
      storageBlobs?: ({
        blobUrl?: string;
        lookupType?: 'Cidr' | 'String';
        name?: string;
        /**
         * By construct or ARM id: StorageAccount.
         * @default Azure's own value
         */
        resourceReference?: ArmReference<'storage.azure.com/StorageAccount'>;
      })[];
    };
  };
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
    tier?: 'Basic' | 'Free' | 'Premium' | 'Standard';
  };
  /** @default Azure's own value */
  streamDeclarations?: Record<string, {
    columns?: ({
      name?: string;
      type?: 'boolean' | 'datetime' | 'dynamic' | 'int' | 'long' | 'real' | 'string';
    })[];
  }>;
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

export interface DataCollectionRule {
  spec: DataCollectionRuleSpec;
  status?: ArmStatus;
}
