// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface PrometheusRuleGroupSpec {
  /**
   * Name in Azure. Pattern: `^[^:@/#{}%&+*<>?]+$`.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * Name of the AKS or Arc cluster whose metrics the rules read.
   * @default Azure's own value
   */
  clusterName?: string;
  /**
   * What the rules are for, for people.
   * @default Azure's own value
   */
  description?: string;
  /**
   * Whether Azure evaluates the rules of the group.
   * @default Azure's own value
   */
  enabled?: boolean;
  /**
   * Time between two evaluations, as an ISO 8601 duration such as PT1M.
   * @default Azure's own value
   */
  interval?: string;
  /** Azure region, such as westeurope. */
  location: string;
  /** The rules, which run one after another in this order. */
  rules: ({
    /**
     * What happens when the alert fires, such as a call of an action group.
     * @default Azure's own value
     */
    actions?: ({
      /**
       * By construct or ARM id: ActionGroup.
       * @default Azure's own value
       */
      actionGroupReference?: ArmReference<'insights.azure.com/ActionGroup'>;
      /**
       * Properties that the notification carries, by name.
       * @default Azure's own value
       */
      actionProperties?: Record<string, string>;
    })[];
    /**
     * Name of the alert that the rule raises.
     * @default Azure's own value
     */
    alert?: string;
    /**
     * Texts of the alert by name, such as a summary; they take no part in its identity.
     * @default Azure's own value
     */
    annotations?: Record<string, string>;
    /**
     * Whether Azure evaluates this rule.
     * @default Azure's own value
     */
    enabled?: boolean;
    /** PromQL expression that the rule evaluates. */
    expression: string;
    /**
     * How long the expression must hold before the alert fires, as an ISO 8601 duration such as PT5M.
     * @default Azure's own value
     */
    for?: string;
    /**
     * Labels that the rule adds to the alert or to the recorded series.
     * @default Azure's own value
     */
    labels?: Record<string, string>;
    /**
     * Name of the metric into which a recording rule writes its result.
     * @default Azure's own value
     */
    record?: string;
    /**
     * Whether and when a fired alert resolves itself.
     * @default Azure's own value
     */
    resolveConfiguration?: {
      /**
       * Whether the alert resolves itself once its condition no longer holds.
       * @default Azure's own value
       */
      autoResolved?: boolean;
      /**
       * How long the condition must be absent before the alert resolves, as an ISO 8601 duration.
       * @default Azure's own value
       */
      timeToResolve?: string;
    };
    /**
     * Severity of the alert: 0 is the most severe, 4 the least.
     * @default Azure's own value
     */
    severity?: number;
  })[];
  /** The Azure Monitor workspace whose metrics the rules read, and the cluster where there is one. */
  scopesReferences: ArmReference[];
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

export interface PrometheusRuleGroup {
  spec: PrometheusRuleGroupSpec;
  status?: ArmStatus;
}
