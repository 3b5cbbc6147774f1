// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface WebApplicationFirewallPolicySpec {
  /**
   * Name in Azure. At most 128 characters.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  customRules?: {
    rules?: ({
      action: 'Allow' | 'AnomalyScoring' | 'Block' | 'Log' | 'Redirect';
      enabledState?: 'Disabled' | 'Enabled';
      matchConditions: ({
        matchValue: string[];
        matchVariable: 'Cookies' | 'PostArgs' | 'QueryString' | 'RemoteAddr' | 'RequestBody' | 'RequestHeader' | 'RequestMethod' | 'RequestUri' | 'SocketAddr';
        negateCondition?: boolean;
        operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GeoMatch' | 'GreaterThan' | 'GreaterThanOrEqual' | 'IPMatch' | 'LessThan' | 'LessThanOrEqual' | 'RegEx';
        selector?: string;
        transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
      })[];
      /**
       * At most 128 characters.
       * @default Azure's own value
       */
      name?: string;
      priority: number;
      /**
       * 0 to 5.
       * @default Azure's own value
       */
      rateLimitDurationInMinutes?: number;
      /**
       * At least 0.
       * @default Azure's own value
       */
      rateLimitThreshold?: number;
      ruleType: 'MatchRule' | 'RateLimitRule';
    })[];
  };
  /** @default Azure's own value */
  etag?: string;
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /** @default Azure's own value */
  managedRules?: {
    managedRuleSets?: ({
      exclusions?: ({
        matchVariable: 'QueryStringArgNames' | 'RequestBodyJsonArgNames' | 'RequestBodyPostArgNames' | 'RequestCookieNames' | 'RequestHeaderNames';
        selector: string;
        selectorMatchOperator: 'Contains' | 'EndsWith' | 'Equals' | 'EqualsAny' | 'StartsWith';
      })[];
      ruleGroupOverrides?: ({
        exclusions?: ({
          matchVariable: 'QueryStringArgNames' | 'RequestBodyJsonArgNames' | 'RequestBodyPostArgNames' | 'RequestCookieNames' | 'RequestHeaderNames';
          selector: string;
          selectorMatchOperator: 'Contains' | 'EndsWith' | 'Equals' | 'EqualsAny' | 'StartsWith';
        })[];
        ruleGroupName: string;
        rules?: ({
          action?: 'Allow' | 'AnomalyScoring' | 'Block' | 'Log' | 'Redirect';
          enabledState?: 'Disabled' | 'Enabled';
          exclusions?: ({
            matchVariable: 'QueryStringArgNames' | 'RequestBodyJsonArgNames' | 'RequestBodyPostArgNames' | 'RequestCookieNames' | 'RequestHeaderNames';
            selector: string;
            selectorMatchOperator: 'Contains' | 'EndsWith' | 'Equals' | 'EqualsAny' | 'StartsWith';
          })[];
          ruleId: string;
        })[];
      })[];
      ruleSetAction?: 'Block' | 'Log' | 'Redirect';
      ruleSetType: string;
      ruleSetVersion: string;
    })[];
  };
  /** @default Azure's own value */
  policySettings?: {
    /**
     * Pattern: `^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$`.
     * @default Azure's own value
     */
    customBlockResponseBody?: string;
    customBlockResponseStatusCode?: number;
    enabledState?: 'Disabled' | 'Enabled';
    mode?: 'Detection' | 'Prevention';
    redirectUrl?: string;
    requestBodyCheck?: 'Disabled' | 'Enabled';
  };
  /**
   * Pricing tier.
   * @default Azure's own value
   */
  sku?: {
    /**
     * Name of the pricing tier.
     * @default Azure's own value
     */
    name?: 'Classic_AzureFrontDoor' | 'Premium_AzureFrontDoor' | 'Standard_AzureFrontDoor';
  };
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

export interface WebApplicationFirewallPolicy {
  spec: WebApplicationFirewallPolicySpec;
  status?: ArmStatus;
}
