// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface SmartDetectorAlertRuleSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  actionGroups: {
    customEmailSubject?: string;
    customWebhookPayload?: string;
    groupReferences: (ArmReference<'insights.azure.com/ActionGroup'>)[];
  };
  /** @default Azure's own value */
  description?: string;
  detector: {
    id: string;
    parameters?: Record<string, unknown>;
  };
  frequency: string;
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  scopeReferences: ArmReference[];
  severity: 'Sev0' | 'Sev1' | 'Sev2' | 'Sev3' | 'Sev4';
  state: 'Disabled' | 'Enabled';
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  throttling?: {
    duration?: string;
  };
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface SmartDetectorAlertRule {
  spec: SmartDetectorAlertRuleSpec;
  status?: ArmStatus;
}
