// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `PrometheusRuleGroup`. */
export interface PrometheusRuleGroupProps extends KindProps<'alertsmanagement.azure.com/PrometheusRuleGroup'> {}

/**
 * Microsoft.AlertsManagement/prometheusRuleGroups, in a ResourceGroup.
 * Versions of Azure's API: 2023-03-01.
 */
export class PrometheusRuleGroup extends AzureResource<'alertsmanagement.azure.com/PrometheusRuleGroup'> {
  constructor(scope: Construct, id: string, props: PrometheusRuleGroupProps) {
    super(scope, id, { ...props, kind: 'alertsmanagement.azure.com/PrometheusRuleGroup' });
  }
}

/** Properties of `SmartDetectorAlertRule`. */
export interface SmartDetectorAlertRuleProps extends KindProps<'alertsmanagement.azure.com/SmartDetectorAlertRule'> {}

/**
 * microsoft.alertsManagement/smartDetectorAlertRules, in a ResourceGroup.
 * Versions of Azure's API: 2021-04-01.
 */
export class SmartDetectorAlertRule extends AzureResource<'alertsmanagement.azure.com/SmartDetectorAlertRule'> {
  constructor(scope: Construct, id: string, props: SmartDetectorAlertRuleProps) {
    super(scope, id, { ...props, kind: 'alertsmanagement.azure.com/SmartDetectorAlertRule' });
  }
}
