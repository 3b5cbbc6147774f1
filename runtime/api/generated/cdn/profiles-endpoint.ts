// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface ProfilesEndpointSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  contentTypesToCompress?: string[];
  /** @default Azure's own value */
  defaultOriginGroup?: {
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
  };
  /** @default Azure's own value */
  deliveryPolicy?: {
    description?: string;
    rules: ({
      actions: ({
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
               * By construct or ARM id: any resource.
               * @default Azure's own value
               */
              reference?: ArmReference;
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
                 * By construct or ARM id: any resource.
                 * @default Azure's own value
                 */
                reference?: ArmReference;
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
      conditions?: ({
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
      name?: string;
      order: number;
    })[];
  };
  /** @default Azure's own value */
  geoFilters?: ({
    action: 'Allow' | 'Block';
    countryCodes: string[];
    relativePath: string;
  })[];
  /** @default Azure's own value */
  isCompressionEnabled?: boolean;
  /** @default Azure's own value */
  isHttpAllowed?: boolean;
  /** @default Azure's own value */
  isHttpsAllowed?: boolean;
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  optimizationType?: 'DynamicSiteAcceleration' | 'GeneralMediaStreaming' | 'GeneralWebDelivery' | 'LargeFileDownload' | 'VideoOnDemandMediaStreaming';
  /** @default Azure's own value */
  originGroups?: ({
    healthProbeSettings?: {
      /**
       * 1 to 255.
       * @default Azure's own value
       */
      probeIntervalInSeconds?: number;
      probePath?: string;
      probeProtocol?: 'Http' | 'Https' | 'NotSet';
      probeRequestType?: 'GET' | 'HEAD' | 'NotSet';
    };
    name: string;
    origins: ({
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    })[];
    responseBasedOriginErrorDetectionSettings?: {
      httpErrorRanges?: ({
        /**
         * 100 to 999.
         * @default Azure's own value
         */
        begin?: number;
        /**
         * 100 to 999.
         * @default Azure's own value
         */
        end?: number;
      })[];
      responseBasedDetectedErrorTypes?: 'None' | 'TcpAndHttpErrors' | 'TcpErrorsOnly';
      /**
       * 0 to 100.
       * @default Azure's own value
       */
      responseBasedFailoverThresholdPercentage?: number;
    };
    /**
     * 0 to 50.
     * @default Azure's own value
     */
    trafficRestorationTimeToHealedOrNewEndpointsInMinutes?: number;
  })[];
  /** @default Azure's own value */
  originHostHeader?: string;
  /** @default Azure's own value */
  originPath?: string;
  origins: ({
    enabled?: boolean;
    hostName: string;
    /**
     * 1 to 65535.
     * @default Azure's own value
     */
    httpPort?: number;
    /**
     * 1 to 65535.
     * @default Azure's own value
     */
    httpsPort?: number;
    name: string;
    originHostHeader?: string;
    /**
     * 1 to 5.
     * @default Azure's own value
     */
    priority?: number;
    privateLinkAlias?: string;
    privateLinkApprovalMessage?: string;
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    privateLinkLocationReference?: ArmReference;
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    privateLinkResourceReference?: ArmReference;
    /**
     * 1 to 1000.
     * @default Azure's own value
     */
    weight?: number;
  })[];
  /** @default Azure's own value */
  probePath?: string;
  /** @default Azure's own value */
  queryStringCachingBehavior?: 'BypassCaching' | 'IgnoreQueryString' | 'NotSet' | 'UseQueryString';
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  urlSigningKeys?: ({
    keyId: string;
    keySourceParameters: {
      resourceGroupName: string;
      secretName: string;
      secretVersion: string;
      subscriptionId: string;
      typeName: 'KeyVaultSigningKeyParameters';
      vaultName: string;
    };
  })[];
  /** @default Azure's own value */
  webApplicationFirewallPolicyLink?: {
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
  };
  /** The Profile that it is in, by construct or ARM id. */
  owner: KnownOwner<'cdn.azure.com/Profile'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ProfilesEndpoint {
  spec: ProfilesEndpointSpec;
  status?: ArmStatus;
}
