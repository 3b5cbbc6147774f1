// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface NamespacesTopicsSubscriptionsRuleSpec {
  /**
   * Name in Azure. 1 to 50 characters.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  action?: {
    compatibilityLevel?: number;
    requiresPreprocessing?: boolean;
    sqlExpression?: string;
  };
  /** @default Azure's own value */
  correlationFilter?: {
    contentType?: string;
    correlationId?: string;
    label?: string;
    messageId?: string;
    properties?: Record<string, string>;
    replyTo?: string;
    replyToSessionId?: string;
    requiresPreprocessing?: boolean;
    sessionId?: string;
    to?: string;
  };
  /** @default Azure's own value */
  filterType?: 'CorrelationFilter' | 'SqlFilter';
  /** @default Azure's own value */
  sqlFilter?: {
    compatibilityLevel?: number;
    requiresPreprocessing?: boolean;
    sqlExpression?: string;
  };
  /** The NamespacesTopicsSubscription that it is in, by construct or ARM id. */
  owner: KnownOwner<'servicebus.azure.com/NamespacesTopicsSubscription'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface NamespacesTopicsSubscriptionsRule {
  spec: NamespacesTopicsSubscriptionsRuleSpec;
  status?: ArmStatus;
}
