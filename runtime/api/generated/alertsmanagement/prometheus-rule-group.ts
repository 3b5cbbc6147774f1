// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface PrometheusRuleGroupSpec {
  /**
   * Name in Azure. Pattern: `^[^:@/#{}%&+*<>?]+$`.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  clusterName?: string;
  /** @default Azure's own value */
  description?: string;
  /** @default Azure's own value */
  enabled?: boolean;
  /** @default Azure's own value */
  interval?: string;
  /** Azure region, such as westeurope. */
  location: string;
  rules: ({
    actions?: ({
      /**
       * By construct or ARM id: ActionGroup.
       * @default Azure's own value
       */
      actionGroupReference?: ArmReference<'insights.azure.com/ActionGroup'>;
      actionProperties?: Record<string, string>;
    })[];
    alert?: string;
    annotations?: Record<string, string>;
    enabled?: boolean;
    expression: string;
    for?: string;
    labels?: Record<string, string>;
    record?: string;
    resolveConfiguration?: {
      autoResolved?: boolean;
      timeToResolve?: string;
    };
    severity?: number;
  })[];
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
