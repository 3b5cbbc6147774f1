// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface RuleSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  actions?: ({
    cacheExpiration?: {
      name: 'CacheExpiration';
      parameters: {
        cacheBehavior: 'BypassCache' | 'Override' | 'SetIfMissing';
        cacheDuration?: string;
        cacheType: 'All';
        typeName: 'DeliveryRuleCacheExpirationActionParameters';
      };
    };
    cacheKeyQueryString?: {
      name: 'CacheKeyQueryString';
      parameters: {
        queryParameters?: string;
        queryStringBehavior: 'Exclude' | 'ExcludeAll' | 'Include' | 'IncludeAll';
        typeName: 'DeliveryRuleCacheKeyQueryStringBehaviorActionParameters';
      };
    };
    modifyRequestHeader?: {
      name: 'ModifyRequestHeader';
      parameters: {
        headerAction: 'Append' | 'Delete' | 'Overwrite';
        headerName: string;
        typeName: 'DeliveryRuleHeaderActionParameters';
        value?: string;
      };
    };
    modifyResponseHeader?: {
      name: 'ModifyResponseHeader';
      parameters: {
        headerAction: 'Append' | 'Delete' | 'Overwrite';
        headerName: string;
        typeName: 'DeliveryRuleHeaderActionParameters';
        value?: string;
      };
    };
    originGroupOverride?: {
      name: 'OriginGroupOverride';
      parameters: {
        originGroup: {
          /**
           * By construct or ARM id: AfdOriginGroup.
           * @default Azure's own value
           */
          reference?: ArmReference<'cdn.azure.com/AfdOriginGroup'>;
        };
        typeName: 'DeliveryRuleOriginGroupOverrideActionParameters';
      };
    };
    routeConfigurationOverride?: {
      name: 'RouteConfigurationOverride';
      parameters: {
        cacheConfiguration?: {
          cacheBehavior?: 'HonorOrigin' | 'OverrideAlways' | 'OverrideIfOriginMissing';
          cacheDuration?: string;
          isCompressionEnabled?: 'Disabled' | 'Enabled';
          queryParameters?: string;
          queryStringCachingBehavior?: 'IgnoreQueryString' | 'IgnoreSpecifiedQueryStrings' | 'IncludeSpecifiedQueryStrings' | 'UseQueryString';
        };
        originGroupOverride?: {
          forwardingProtocol?: 'HttpOnly' | 'HttpsOnly' | 'MatchRequest';
          originGroup?: {
            /**
             * By construct or ARM id: AfdOriginGroup.
             * @default Azure's own value
             */
            reference?: ArmReference<'cdn.azure.com/AfdOriginGroup'>;
          };
        };
        typeName: 'DeliveryRuleRouteConfigurationOverrideActionParameters';
      };
    };
    urlRedirect?: {
      name: 'UrlRedirect';
      parameters: {
        customFragment?: string;
        customHostname?: string;
        customPath?: string;
        customQueryString?: string;
        destinationProtocol?: 'Http' | 'Https' | 'MatchRequest';
        redirectType: 'Found' | 'Moved' | 'PermanentRedirect' | 'TemporaryRedirect';
        typeName: 'DeliveryRuleUrlRedirectActionParameters';
      };
    };
    urlRewrite?: {
      name: 'UrlRewrite';
      parameters: {
        destination: string;
        preserveUnmatchedPath?: boolean;
        sourcePattern: string;
        typeName: 'DeliveryRuleUrlRewriteActionParameters';
      };
    };
    urlSigning?: {
      name: 'UrlSigning';
      parameters: {
        algorithm?: 'SHA256';
        parameterNameOverride?: ({
          paramIndicator: 'Expires' | 'KeyId' | 'Signature';
          paramName: string;
        })[];
        typeName: 'DeliveryRuleUrlSigningActionParameters';
      };
    };
  })[];
  /** @default Azure's own value */
  matchProcessingBehavior?: 'Continue' | 'Stop';
  /** @default Azure's own value */
  order?: number;
  /** @default Azure's own value */
  ruleconditions?: ({
    clientPort?: {
      name: 'ClientPort';
      parameters: {
        matchValues?: string[];
        negateCondition?: boolean;
        operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'RegEx';
        transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
        typeName: 'DeliveryRuleClientPortConditionParameters';
      };
    };
    cookies?: {
      name: 'Cookies';
      parameters: {
        matchValues?: string[];
        negateCondition?: boolean;
        operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'RegEx';
        selector?: string;
        transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
        typeName: 'DeliveryRuleCookiesConditionParameters';
      };
    };
    hostName?: {
      name: 'HostName';
      parameters: {
        matchValues?: string[];
        negateCondition?: boolean;
        operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'RegEx';
        transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
        typeName: 'DeliveryRuleHostNameConditionParameters';
      };
    };
    httpVersion?: {
      name: 'HttpVersion';
      parameters: {
        matchValues?: string[];
        negateCondition?: boolean;
        operator: 'Equal';
        transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
        typeName: 'DeliveryRuleHttpVersionConditionParameters';
      };
    };
    isDevice?: {
      name: 'IsDevice';
      parameters: {
        matchValues?: ('Desktop' | 'Mobile')[];
        negateCondition?: boolean;
        operator: 'Equal';
        transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
        typeName: 'DeliveryRuleIsDeviceConditionParameters';
      };
    };
    postArgs?: {
      name: 'PostArgs';
      parameters: {
        matchValues?: string[];
        negateCondition?: boolean;
        operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'RegEx';
        selector?: string;
        transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
        typeName: 'DeliveryRulePostArgsConditionParameters';
      };
    };
    queryString?: {
      name: 'QueryString';
      parameters: {
        matchValues?: string[];
        negateCondition?: boolean;
        operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'RegEx';
        transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
        typeName: 'DeliveryRuleQueryStringConditionParameters';
      };
    };
    remoteAddress?: {
      name: 'RemoteAddress';
      parameters: {
        matchValues?: string[];
        negateCondition?: boolean;
        operator: 'Any' | 'GeoMatch' | 'IPMatch';
        transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
        typeName: 'DeliveryRuleRemoteAddressConditionParameters';
      };
    };
    requestBody?: {
      name: 'RequestBody';
      parameters: {
        matchValues?: string[];
        negateCondition?: boolean;
        operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'RegEx';
        transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
        typeName: 'DeliveryRuleRequestBodyConditionParameters';
      };
    };
    requestHeader?: {
      name: 'RequestHeader';
      parameters: {
        matchValues?: string[];
        negateCondition?: boolean;
        operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'RegEx';
        selector?: string;
        transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
        typeName: 'DeliveryRuleRequestHeaderConditionParameters';
      };
    };
    requestMethod?: {
      name: 'RequestMethod';
      parameters: {
        matchValues?: ('DELETE' | 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'TRACE')[];
        negateCondition?: boolean;
        operator: 'Equal';
        transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
        typeName: 'DeliveryRuleRequestMethodConditionParameters';
      };
    };
    requestScheme?: {
      name: 'RequestScheme';
      parameters: {
        matchValues?: ('HTTP' | 'HTTPS')[];
        negateCondition?: boolean;
        operator: 'Equal';
        transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
        typeName: 'DeliveryRuleRequestSchemeConditionParameters';
      };
    };
    requestUri?: {
      name: 'RequestUri';
      parameters: {
        matchValues?: string[];
        negateCondition?: boolean;
        operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'RegEx';
        transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
        typeName: 'DeliveryRuleRequestUriConditionParameters';
      };
    };
    serverPort?: {
      name: 'ServerPort';
      parameters: {
        matchValues?: string[];
        negateCondition?: boolean;
        operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'RegEx';
        transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
        typeName: 'DeliveryRuleServerPortConditionParameters';
      };
    };
    socketAddr?: {
      name: 'SocketAddr';
      parameters: {
        matchValues?: string[];
        negateCondition?: boolean;
        operator: 'Any' | 'IPMatch';
        transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
        typeName: 'DeliveryRuleSocketAddrConditionParameters';
      };
    };
    sslProtocol?: {
      name: 'SslProtocol';
      parameters: {
        matchValues?: ('TLSv1' | 'TLSv1.1' | 'TLSv1.2')[];
        negateCondition?: boolean;
        operator: 'Equal';
        transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
        typeName: 'DeliveryRuleSslProtocolConditionParameters';
      };
    };
    urlFileExtension?: {
      name: 'UrlFileExtension';
      parameters: {
        matchValues?: string[];
        negateCondition?: boolean;
        operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'RegEx';
        transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
        typeName: 'DeliveryRuleUrlFileExtensionMatchConditionParameters';
      };
    };
    urlFileName?: {
      name: 'UrlFileName';
      parameters: {
        matchValues?: string[];
        negateCondition?: boolean;
        operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'RegEx';
        transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
        typeName: 'DeliveryRuleUrlFilenameConditionParameters';
      };
    };
    urlPath?: {
      name: 'UrlPath';
      parameters: {
        matchValues?: string[];
        negateCondition?: boolean;
        operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'RegEx' | 'Wildcard';
        transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
        typeName: 'DeliveryRuleUrlPathMatchConditionParameters';
      };
    };
  })[];
  /** The RuleSet that it is in, by construct or ARM id. */
  owner: KnownOwner<'cdn.azure.com/RuleSet'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Rule {
  spec: RuleSpec;
  status?: ArmStatus;
}
