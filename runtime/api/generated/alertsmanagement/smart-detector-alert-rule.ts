// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface SmartDetectorAlertRuleSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** Whom Azure informs of an alert. */
  actionGroups: {
    /**
     * Subject of the mail, in place of Azure's own.
     * @default Azure's own value
     */
    customEmailSubject?: string;
    /**
     * JSON that webhooks get, in place of Azure's own.
     * @default Azure's own value
     */
    customWebhookPayload?: string;
    /** The action groups that are called. */
    groupReferences: (ArmReference<'insights.azure.com/ActionGroup'>)[];
  };
  /**
   * What the rule is for, for people.
   * @default Azure's own value
   */
  description?: string;
  /** The detector that looks for anomalies. */
  detector: {
    /** Id of the detector, such as FailureAnomaliesDetector. */
    id: string;
    /**
     * Values of the detector's parameters, by name.
     * @default Azure's own value
     */
    parameters?: Record<string, unknown>;
  };
  /** Time between two runs of the detector, as an ISO 8601 duration such as PT1M. */
  frequency: string;
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /** The resources that the detector watches. */
  scopeReferences: ArmReference[];
  /** Severity of the alerts: Sev0 is the most severe, Sev4 the least. */
  severity: 'Sev0' | 'Sev1' | 'Sev2' | 'Sev3' | 'Sev4';
  /** Whether the rule runs. */
  state: 'Disabled' | 'Enabled';
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /**
   * How often the rule may report the same anomaly.
   * @default Azure's own value
   */
  throttling?: {
    /**
     * How long the rule stays silent after an alert, as an ISO 8601 duration.
     * @default Azure's own value
     */
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
