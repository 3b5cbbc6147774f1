// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference } from '../../common-schemas.ts';

export interface DiagnosticSettingSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * By construct or ARM id: NamespacesAuthorizationRule.
   * @default Azure's own value
   */
  eventHubAuthorizationRuleReference?: ArmReference<'eventhub.azure.com/NamespacesAuthorizationRule'>;
  /** @default Azure's own value */
  eventHubName?: string;
  /** @default Azure's own value */
  logAnalyticsDestinationType?: string;
  /** @default Azure's own value */
  logs?: ({
    category?: string;
    categoryGroup?: string;
    enabled: boolean;
    retentionPolicy?: {
      /** At least 0. */
      days: number;
      enabled: boolean;
    };
  })[];
  /**
   * By construct or ARM id: any resource.
   * @default Azure's own value
   */
  marketplacePartnerReference?: ArmReference;
  /** @default Azure's own value */
  metrics?: ({
    category?: string;
    enabled: boolean;
    retentionPolicy?: {
      /** At least 0. */
      days: number;
      enabled: boolean;
    };
    timeGrain?: string;
  })[];
  /** @default Azure's own value */
  serviceBusRuleId?: string;
  /**
   * By construct or ARM id: StorageAccount.
   * @default Azure's own value
   */
  storageAccountReference?: ArmReference<'storage.azure.com/StorageAccount'>;
  /**
   * By construct or ARM id: Workspace.
   * @default Azure's own value
   */
  workspaceReference?: ArmReference<'operationalinsights.azure.com/Workspace'>;
  /** The resource that it extends, by construct or ARM id. */
  owner: ArmReference;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface DiagnosticSetting {
  spec: DiagnosticSettingSpec;
  status?: ArmStatus;
}
