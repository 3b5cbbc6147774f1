// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface ComponentSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  Application_Type: 'other' | 'web';
  /** @default Azure's own value */
  DisableIpMasking?: boolean;
  /**
   * Whether telemetry needs a sign-in by Microsoft Entra ID, not only the instrumentation key.
   * @default Azure's own value
   */
  DisableLocalAuth?: boolean;
  /**
   * Always `Bluefield`.
   * @default Azure's own value
   */
  Flow_Type?: 'Bluefield';
  /**
   * Whether profiler and snapshot debugger must use a storage account of yours.
   * @default Azure's own value
   */
  ForceCustomerStorageForProfiler?: boolean;
  /** @default Azure's own value */
  HockeyAppId?: string;
  /** @default Azure's own value */
  ImmediatePurgeDataOn30Days?: boolean;
  /** @default Azure's own value */
  IngestionMode?: 'ApplicationInsights' | 'ApplicationInsightsWithDiagnosticSettings' | 'LogAnalytics';
  /**
   * Always `rest`.
   * @default Azure's own value
   */
  Request_Source?: 'rest';
  /** @default Azure's own value */
  RetentionInDays?: number;
  /** @default Azure's own value */
  SamplingPercentage?: number;
  /**
   * Version of the resource as Azure last returned it.
   * @default Azure's own value
   */
  etag?: string;
  kind: string;
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  publicNetworkAccessForIngestion?: 'Disabled' | 'Enabled';
  /** @default Azure's own value */
  publicNetworkAccessForQuery?: 'Disabled' | 'Enabled';
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /**
   * By construct or ARM id: Workspace.
   * @default Azure's own value
   */
  workspaceResourceReference?: ArmReference<'operationalinsights.azure.com/Workspace'>;
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, 'connectionString' | 'instrumentationKey', 'AppInsightsName' | 'instrumentationKey'>;
}

export interface Component {
  spec: ComponentSpec;
  status?: ArmStatus;
}
