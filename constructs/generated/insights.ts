// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `ActionGroup`. */
export interface ActionGroupProps extends KindProps<'insights.azure.com/ActionGroup'> {}

/**
 * Microsoft.Insights/actionGroups, in a ResourceGroup.
 * Versions of Azure's API: 2023-01-01.
 */
export class ActionGroup extends AzureResource<'insights.azure.com/ActionGroup'> {
  constructor(scope: Construct, id: string, props: ActionGroupProps) {
    super(scope, id, { ...props, kind: 'insights.azure.com/ActionGroup' });
  }
}

/** Properties of `ActivityLogAlert`. */
export interface ActivityLogAlertProps extends KindProps<'insights.azure.com/ActivityLogAlert'> {}

/**
 * Microsoft.Insights/activityLogAlerts, in a ResourceGroup.
 * Versions of Azure's API: 2020-10-01.
 */
export class ActivityLogAlert extends AzureResource<'insights.azure.com/ActivityLogAlert'> {
  constructor(scope: Construct, id: string, props: ActivityLogAlertProps) {
    super(scope, id, { ...props, kind: 'insights.azure.com/ActivityLogAlert' });
  }
}

/** Properties of `AutoscaleSetting`. */
export interface AutoscaleSettingProps extends KindProps<'insights.azure.com/AutoscaleSetting'> {}

/**
 * Microsoft.Insights/autoscalesettings, in a ResourceGroup.
 * Versions of Azure's API: 2022-10-01.
 */
export class AutoscaleSetting extends AzureResource<'insights.azure.com/AutoscaleSetting'> {
  constructor(scope: Construct, id: string, props: AutoscaleSettingProps) {
    super(scope, id, { ...props, kind: 'insights.azure.com/AutoscaleSetting' });
  }
}

/** Properties of `Component`. */
export interface ComponentProps extends KindProps<'insights.azure.com/Component'> {}

/**
 * Microsoft.Insights/components, in a ResourceGroup.
 * `export()` gives `connectionString`, `instrumentationKey`.
 * Versions of Azure's API: 2020-02-02.
 */
export class Component extends AzureResource<'insights.azure.com/Component'> {
  constructor(scope: Construct, id: string, props: ComponentProps) {
    super(scope, id, { ...props, kind: 'insights.azure.com/Component' });
  }
}

/** Properties of `DataCollectionEndpoint`. */
export interface DataCollectionEndpointProps extends KindProps<'insights.azure.com/DataCollectionEndpoint'> {}

/**
 * Microsoft.Insights/dataCollectionEndpoints, in a ResourceGroup.
 * Versions of Azure's API: 2024-03-11, 2023-03-11.
 */
export class DataCollectionEndpoint extends AzureResource<'insights.azure.com/DataCollectionEndpoint'> {
  constructor(scope: Construct, id: string, props: DataCollectionEndpointProps) {
    super(scope, id, { ...props, kind: 'insights.azure.com/DataCollectionEndpoint' });
  }
}

/** Properties of `DataCollectionRule`. */
export interface DataCollectionRuleProps extends KindProps<'insights.azure.com/DataCollectionRule'> {}

/**
 * Microsoft.Insights/dataCollectionRules, in a ResourceGroup.
 * Versions of Azure's API: 2024-03-11, 2023-03-11.
 */
export class DataCollectionRule extends AzureResource<'insights.azure.com/DataCollectionRule'> {
  constructor(scope: Construct, id: string, props: DataCollectionRuleProps) {
    super(scope, id, { ...props, kind: 'insights.azure.com/DataCollectionRule' });
  }
}

/** Properties of `DataCollectionRuleAssociation`. */
export interface DataCollectionRuleAssociationProps extends KindProps<'insights.azure.com/DataCollectionRuleAssociation'> {}

/**
 * Microsoft.Insights/dataCollectionRuleAssociations, on any Azure resource.
 * Versions of Azure's API: 2024-03-11, 2023-03-11.
 */
export class DataCollectionRuleAssociation extends AzureResource<'insights.azure.com/DataCollectionRuleAssociation'> {
  constructor(scope: Construct, id: string, props: DataCollectionRuleAssociationProps) {
    super(scope, id, { ...props, kind: 'insights.azure.com/DataCollectionRuleAssociation' });
  }
}

/** Properties of `DiagnosticSetting`. */
export interface DiagnosticSettingProps extends KindProps<'insights.azure.com/DiagnosticSetting'> {}

/**
 * Microsoft.Insights/diagnosticSettings, on any Azure resource.
 * Versions of Azure's API: 2021-05-01-preview.
 */
export class DiagnosticSetting extends AzureResource<'insights.azure.com/DiagnosticSetting'> {
  constructor(scope: Construct, id: string, props: DiagnosticSettingProps) {
    super(scope, id, { ...props, kind: 'insights.azure.com/DiagnosticSetting' });
  }
}

/** Properties of `MetricAlert`. */
export interface MetricAlertProps extends KindProps<'insights.azure.com/MetricAlert'> {}

/**
 * Microsoft.Insights/metricAlerts, in a ResourceGroup.
 * Versions of Azure's API: 2018-03-01.
 */
export class MetricAlert extends AzureResource<'insights.azure.com/MetricAlert'> {
  constructor(scope: Construct, id: string, props: MetricAlertProps) {
    super(scope, id, { ...props, kind: 'insights.azure.com/MetricAlert' });
  }
}

/** Properties of `PricingPlan`. */
export interface PricingPlanProps extends KindProps<'insights.azure.com/PricingPlan'> {}

/**
 * microsoft.insights/components/pricingPlans, in a Component.
 * Its name in Azure is `current`.
 * Versions of Azure's API: 2017-10-01.
 */
export class PricingPlan extends AzureResource<'insights.azure.com/PricingPlan'> {
  constructor(scope: Construct, id: string, props: PricingPlanProps) {
    super(scope, id, { ...props, kind: 'insights.azure.com/PricingPlan' });
  }
}

/** Properties of `ScheduledQueryRule`. */
export interface ScheduledQueryRuleProps extends KindProps<'insights.azure.com/ScheduledQueryRule'> {}

/**
 * Microsoft.Insights/scheduledQueryRules, in a ResourceGroup.
 * Versions of Azure's API: 2022-06-15, 2025-01-01-preview.
 */
export class ScheduledQueryRule extends AzureResource<'insights.azure.com/ScheduledQueryRule'> {
  constructor(scope: Construct, id: string, props: ScheduledQueryRuleProps) {
    super(scope, id, { ...props, kind: 'insights.azure.com/ScheduledQueryRule' });
  }
}

/** Properties of `Webtest`. */
export interface WebtestProps extends KindProps<'insights.azure.com/Webtest'> {}

/**
 * Microsoft.Insights/webtests, in a ResourceGroup.
 * Versions of Azure's API: 2022-06-15, 2018-05-01-preview.
 */
export class Webtest extends AzureResource<'insights.azure.com/Webtest'> {
  constructor(scope: Construct, id: string, props: WebtestProps) {
    super(scope, id, { ...props, kind: 'insights.azure.com/Webtest' });
  }
}

/** Properties of `Workbook`. */
export interface WorkbookProps extends KindProps<'insights.azure.com/Workbook'> {}

/**
 * Microsoft.Insights/workbooks, in a ResourceGroup.
 * Versions of Azure's API: 2023-06-01.
 */
export class Workbook extends AzureResource<'insights.azure.com/Workbook'> {
  constructor(scope: Construct, id: string, props: WorkbookProps) {
    super(scope, id, { ...props, kind: 'insights.azure.com/Workbook' });
  }
}
