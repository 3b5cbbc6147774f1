// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface MetricAlertSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  actions?: ({
    actionGroupId?: string;
    /**
     * By construct or ARM id: ActionGroup.
     * @default Azure's own value
     */
    actionGroupReference?: ArmReference<'insights.azure.com/ActionGroup'>;
    webHookProperties?: Record<string, string>;
  })[];
  /** @default Azure's own value */
  autoMitigate?: boolean;
  criteria: {
    /**
     * The form whose `odata.type` is `Microsoft.Azure.Monitor.MultipleResourceMultipleMetricCriteria`.
     * @default Azure's own value
     */
    microsoftAzureMonitorMultipleResourceMultipleMetricCriteria?: {
      additionalProperties?: Record<string, unknown>;
      allOf?: ({
        /**
         * The form whose `criterionType` is `DynamicThresholdCriterion`.
         * @default Azure's own value
         */
        dynamicThresholdCriterion?: {
          additionalProperties?: Record<string, unknown>;
          alertSensitivity: 'High' | 'Low' | 'Medium';
          /** Always `DynamicThresholdCriterion`. */
          criterionType: 'DynamicThresholdCriterion';
          dimensions?: ({
            name: string;
            operator: string;
            values: string[];
          })[];
          failingPeriods: {
            minFailingPeriodsToAlert: number;
            numberOfEvaluationPeriods: number;
          };
          ignoreDataBefore?: string;
          metricName: string;
          metricNamespace?: string;
          name: string;
          operator: 'GreaterOrLessThan' | 'GreaterThan' | 'LessThan';
          skipMetricValidation?: boolean;
          timeAggregation: 'Average' | 'Count' | 'Maximum' | 'Minimum' | 'Total';
        };
        /**
         * The form whose `criterionType` is `StaticThresholdCriterion`.
         * @default Azure's own value
         */
        staticThresholdCriterion?: {
          additionalProperties?: Record<string, unknown>;
          /** Always `StaticThresholdCriterion`. */
          criterionType: 'StaticThresholdCriterion';
          dimensions?: ({
            name: string;
            operator: string;
            values: string[];
          })[];
          metricName: string;
          metricNamespace?: string;
          name: string;
          operator: 'Equals' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual';
          skipMetricValidation?: boolean;
          threshold: number;
          timeAggregation: 'Average' | 'Count' | 'Maximum' | 'Minimum' | 'Total';
        };
      })[];
      /** Always `Microsoft.Azure.Monitor.MultipleResourceMultipleMetricCriteria`. */
      'odata.type': 'Microsoft.Azure.Monitor.MultipleResourceMultipleMetricCriteria';
    };
    /**
     * The form whose `odata.type` is `Microsoft.Azure.Monitor.SingleResourceMultipleMetricCriteria`.
     * @default Azure's own value
     */
    microsoftAzureMonitorSingleResourceMultipleMetricCriteria?: {
      additionalProperties?: Record<string, unknown>;
      allOf?: ({
        additionalProperties?: Record<string, unknown>;
        /** Always `StaticThresholdCriterion`. */
        criterionType: 'StaticThresholdCriterion';
        dimensions?: ({
          name: string;
          operator: string;
          values: string[];
        })[];
        metricName: string;
        metricNamespace?: string;
        name: string;
        operator: 'Equals' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual';
        skipMetricValidation?: boolean;
        threshold: number;
        timeAggregation: 'Average' | 'Count' | 'Maximum' | 'Minimum' | 'Total';
      })[];
      /** Always `Microsoft.Azure.Monitor.SingleResourceMultipleMetricCriteria`. */
      'odata.type': 'Microsoft.Azure.Monitor.SingleResourceMultipleMetricCriteria';
    };
    /**
     * The form whose `odata.type` is `Microsoft.Azure.Monitor.WebtestLocationAvailabilityCriteria`.
     * @default Azure's own value
     */
    microsoftAzureMonitorWebtestLocationAvailabilityCriteria?: {
      additionalProperties?: Record<string, unknown>;
      /** By construct or ARM id: Component. */
      componentReference: ArmReference<'insights.azure.com/Component'>;
      failedLocationCount: number;
      /** Always `Microsoft.Azure.Monitor.WebtestLocationAvailabilityCriteria`. */
      'odata.type': 'Microsoft.Azure.Monitor.WebtestLocationAvailabilityCriteria';
      webTestId: string;
    };
  };
  /** @default Azure's own value */
  description?: string;
  enabled: boolean;
  evaluationFrequency: string;
  /** Azure region, such as westeurope. */
  location: string;
  scopesReferences: ArmReference[];
  severity: number;
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  targetResourceRegion?: string;
  /** @default Azure's own value */
  targetResourceType?: string;
  windowSize: string;
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface MetricAlert {
  spec: MetricAlertSpec;
  status?: ArmStatus;
}
