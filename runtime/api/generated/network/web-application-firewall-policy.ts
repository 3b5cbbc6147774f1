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
  customRules?: ({
    action: 'Allow' | 'Block' | 'JSChallenge' | 'Log';
    groupByUserSession?: ({
      groupByVariables: ({
        variableName: 'ClientAddr' | 'GeoLocation' | 'None';
      })[];
    })[];
    matchConditions: ({
      matchValues: string[];
      matchVariables: ({
        selector?: string;
        variableName: 'PostArgs' | 'QueryString' | 'RemoteAddr' | 'RequestBody' | 'RequestCookies' | 'RequestHeaders' | 'RequestMethod' | 'RequestUri';
      })[];
      negationConditon?: boolean;
      operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GeoMatch' | 'GreaterThan' | 'GreaterThanOrEqual' | 'IPMatch' | 'LessThan' | 'LessThanOrEqual' | 'Regex';
      transforms?: ('HtmlEntityDecode' | 'Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
    })[];
    /**
     * At most 128 characters.
     * @default Azure's own value
     */
    name?: string;
    priority: number;
    rateLimitDuration?: 'FiveMins' | 'OneMin';
    rateLimitThreshold?: number;
    ruleType: 'Invalid' | 'MatchRule' | 'RateLimitRule';
    state?: 'Disabled' | 'Enabled';
  })[];
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  managedRules: {
    exclusions?: ({
      exclusionManagedRuleSets?: ({
        ruleGroups?: ({
          ruleGroupName: string;
          rules?: ({
            ruleId: string;
          })[];
        })[];
        ruleSetType: string;
        ruleSetVersion: string;
      })[];
      matchVariable: 'RequestArgKeys' | 'RequestArgNames' | 'RequestArgValues' | 'RequestCookieKeys' | 'RequestCookieNames' | 'RequestCookieValues' | 'RequestHeaderKeys' | 'RequestHeaderNames' | 'RequestHeaderValues';
      selector: string;
      selectorMatchOperator: 'Contains' | 'EndsWith' | 'Equals' | 'EqualsAny' | 'StartsWith';
    })[];
    managedRuleSets: ({
      ruleGroupOverrides?: ({
        ruleGroupName: string;
        rules?: ({
          action?: 'Allow' | 'AnomalyScoring' | 'Block' | 'JSChallenge' | 'Log';
          ruleId: string;
          state?: 'Disabled' | 'Enabled';
        })[];
      })[];
      ruleSetType: string;
      ruleSetVersion: string;
    })[];
  };
  /** @default Azure's own value */
  policySettings?: {
    /**
     * At most 32768 characters. Pattern: `^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$`.
     * @default Azure's own value
     */
    customBlockResponseBody?: string;
    /**
     * At least 0.
     * @default Azure's own value
     */
    customBlockResponseStatusCode?: number;
    fileUploadEnforcement?: boolean;
    /**
     * At least 0.
     * @default Azure's own value
     */
    fileUploadLimitInMb?: number;
    /**
     * 5 to 1440.
     * @default Azure's own value
     */
    jsChallengeCookieExpirationInMins?: number;
    logScrubbing?: {
      scrubbingRules?: ({
        matchVariable: 'RequestArgNames' | 'RequestCookieNames' | 'RequestHeaderNames' | 'RequestIPAddress' | 'RequestJSONArgNames' | 'RequestPostArgNames';
        selector?: string;
        selectorMatchOperator: 'Equals' | 'EqualsAny';
        state?: 'Disabled' | 'Enabled';
      })[];
      state?: 'Disabled' | 'Enabled';
    };
    /**
     * At least 8.
     * @default Azure's own value
     */
    maxRequestBodySizeInKb?: number;
    mode?: 'Detection' | 'Prevention';
    requestBodyCheck?: boolean;
    requestBodyEnforcement?: boolean;
    requestBodyInspectLimitInKB?: number;
    state?: 'Disabled' | 'Enabled';
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
