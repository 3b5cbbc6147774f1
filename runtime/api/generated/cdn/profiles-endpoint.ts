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
        /**
         * The form whose `name` is `CacheExpiration`.
         * @default Azure's own value
         */
        cacheExpiration?: {
          /** Always `CacheExpiration`. */
          name: 'CacheExpiration';
          parameters: {
            cacheBehavior: 'BypassCache' | 'Override' | 'SetIfMissing';
            cacheDuration?: string;
            /** Always `All`. */
            cacheType: 'All';
            /** Always `DeliveryRuleCacheExpirationActionParameters`. */
            typeName: 'DeliveryRuleCacheExpirationActionParameters';
          };
        };
        /**
         * The form whose `name` is `CacheKeyQueryString`.
         * @default Azure's own value
         */
        cacheKeyQueryString?: {
          /** Always `CacheKeyQueryString`. */
          name: 'CacheKeyQueryString';
          parameters: {
            queryParameters?: string;
            queryStringBehavior: 'Exclude' | 'ExcludeAll' | 'Include' | 'IncludeAll';
            /** Always `DeliveryRuleCacheKeyQueryStringBehaviorActionParameters`. */
            typeName: 'DeliveryRuleCacheKeyQueryStringBehaviorActionParameters';
          };
        };
        /**
         * The form whose `name` is `ModifyRequestHeader`.
         * @default Azure's own value
         */
        modifyRequestHeader?: {
          /** Always `ModifyRequestHeader`. */
          name: 'ModifyRequestHeader';
          parameters: {
            headerAction: 'Append' | 'Delete' | 'Overwrite';
            headerName: string;
            /** Always `DeliveryRuleHeaderActionParameters`. */
            typeName: 'DeliveryRuleHeaderActionParameters';
            value?: string;
          };
        };
        /**
         * The form whose `name` is `ModifyResponseHeader`.
         * @default Azure's own value
         */
        modifyResponseHeader?: {
          /** Always `ModifyResponseHeader`. */
          name: 'ModifyResponseHeader';
          parameters: {
            headerAction: 'Append' | 'Delete' | 'Overwrite';
            headerName: string;
            /** Always `DeliveryRuleHeaderActionParameters`. */
            typeName: 'DeliveryRuleHeaderActionParameters';
            value?: string;
          };
        };
        /**
         * The form whose `name` is `OriginGroupOverride`.
         * @default Azure's own value
         */
        originGroupOverride?: {
          /** Always `OriginGroupOverride`. */
          name: 'OriginGroupOverride';
          parameters: {
            originGroup: {
              /**
               * By construct or ARM id: any resource.
               * @default Azure's own value
               */
              reference?: ArmReference;
            };
            /** Always `DeliveryRuleOriginGroupOverrideActionParameters`. */
            typeName: 'DeliveryRuleOriginGroupOverrideActionParameters';
          };
        };
        /**
         * The form whose `name` is `RouteConfigurationOverride`.
         * @default Azure's own value
         */
        routeConfigurationOverride?: {
          /** Always `RouteConfigurationOverride`. */
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
            /** Always `DeliveryRuleRouteConfigurationOverrideActionParameters`. */
            typeName: 'DeliveryRuleRouteConfigurationOverrideActionParameters';
          };
        };
        /**
         * The form whose `name` is `UrlRedirect`.
         * @default Azure's own value
         */
        urlRedirect?: {
          /** Always `UrlRedirect`. */
          name: 'UrlRedirect';
          parameters: {
            customFragment?: string;
            customHostname?: string;
            customPath?: string;
            customQueryString?: string;
            destinationProtocol?: 'Http' | 'Https' | 'MatchRequest';
            redirectType: 'Found' | 'Moved' | 'PermanentRedirect' | 'TemporaryRedirect';
            /** Always `DeliveryRuleUrlRedirectActionParameters`. */
            typeName: 'DeliveryRuleUrlRedirectActionParameters';
          };
        };
        /**
         * The form whose `name` is `UrlRewrite`.
         * @default Azure's own value
         */
        urlRewrite?: {
          /** Always `UrlRewrite`. */
          name: 'UrlRewrite';
          parameters: {
            destination: string;
            preserveUnmatchedPath?: boolean;
            sourcePattern: string;
            /** Always `DeliveryRuleUrlRewriteActionParameters`. */
            typeName: 'DeliveryRuleUrlRewriteActionParameters';
          };
        };
        /**
         * The form whose `name` is `UrlSigning`.
         * @default Azure's own value
         */
        urlSigning?: {
          /** Always `UrlSigning`. */
          name: 'UrlSigning';
          parameters: {
            /**
             * Always `SHA256`.
             * @default Azure's own value
             */
            algorithm?: 'SHA256';
            parameterNameOverride?: ({
              paramIndicator: 'Expires' | 'KeyId' | 'Signature';
              paramName: string;
            })[];
            /** Always `DeliveryRuleUrlSigningActionParameters`. */
            typeName: 'DeliveryRuleUrlSigningActionParameters';
          };
        };
      })[];
      conditions?: ({
        /**
         * The form whose `name` is `ClientPort`.
         * @default Azure's own value
         */
        clientPort?: {
          /** Always `ClientPort`. */
          name: 'ClientPort';
          parameters: {
            matchValues?: string[];
            negateCondition?: boolean;
            operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'RegEx';
            transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
            /** Always `DeliveryRuleClientPortConditionParameters`. */
            typeName: 'DeliveryRuleClientPortConditionParameters';
          };
        };
        /**
         * The form whose `name` is `Cookies`.
         * @default Azure's own value
         */
        cookies?: {
          /** Always `Cookies`. */
          name: 'Cookies';
          parameters: {
            matchValues?: string[];
            negateCondition?: boolean;
            operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'RegEx';
            selector?: string;
            transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
            /** Always `DeliveryRuleCookiesConditionParameters`. */
            typeName: 'DeliveryRuleCookiesConditionParameters';
          };
        };
        /**
         * The form whose `name` is `HostName`.
         * @default Azure's own value
         */
        hostName?: {
          /** Always `HostName`. */
          name: 'HostName';
          parameters: {
            matchValues?: string[];
            negateCondition?: boolean;
            operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'RegEx';
            transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
            /** Always `DeliveryRuleHostNameConditionParameters`. */
            typeName: 'DeliveryRuleHostNameConditionParameters';
          };
        };
        /**
         * The form whose `name` is `HttpVersion`.
         * @default Azure's own value
         */
        httpVersion?: {
          /** Always `HttpVersion`. */
          name: 'HttpVersion';
          parameters: {
            matchValues?: string[];
            negateCondition?: boolean;
            /** Always `Equal`. */
            operator: 'Equal';
            transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
            /** Always `DeliveryRuleHttpVersionConditionParameters`. */
            typeName: 'DeliveryRuleHttpVersionConditionParameters';
          };
        };
        /**
         * The form whose `name` is `IsDevice`.
         * @default Azure's own value
         */
        isDevice?: {
          /** Always `IsDevice`. */
          name: 'IsDevice';
          parameters: {
            matchValues?: ('Desktop' | 'Mobile')[];
            negateCondition?: boolean;
            /** Always `Equal`. */
            operator: 'Equal';
            transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
            /** Always `DeliveryRuleIsDeviceConditionParameters`. */
            typeName: 'DeliveryRuleIsDeviceConditionParameters';
          };
        };
        /**
         * The form whose `name` is `PostArgs`.
         * @default Azure's own value
         */
        postArgs?: {
          /** Always `PostArgs`. */
          name: 'PostArgs';
          parameters: {
            matchValues?: string[];
            negateCondition?: boolean;
            operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'RegEx';
            selector?: string;
            transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
            /** Always `DeliveryRulePostArgsConditionParameters`. */
            typeName: 'DeliveryRulePostArgsConditionParameters';
          };
        };
        /**
         * The form whose `name` is `QueryString`.
         * @default Azure's own value
         */
        queryString?: {
          /** Always `QueryString`. */
          name: 'QueryString';
          parameters: {
            matchValues?: string[];
            negateCondition?: boolean;
            operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'RegEx';
            transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
            /** Always `DeliveryRuleQueryStringConditionParameters`. */
            typeName: 'DeliveryRuleQueryStringConditionParameters';
          };
        };
        /**
         * The form whose `name` is `RemoteAddress`.
         * @default Azure's own value
         */
        remoteAddress?: {
          /** Always `RemoteAddress`. */
          name: 'RemoteAddress';
          parameters: {
            matchValues?: string[];
            negateCondition?: boolean;
            operator: 'Any' | 'GeoMatch' | 'IPMatch';
            transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
            /** Always `DeliveryRuleRemoteAddressConditionParameters`. */
            typeName: 'DeliveryRuleRemoteAddressConditionParameters';
          };
        };
        /**
         * The form whose `name` is `RequestBody`.
         * @default Azure's own value
         */
        requestBody?: {
          /** Always `RequestBody`. */
          name: 'RequestBody';
          parameters: {
            matchValues?: string[];
            negateCondition?: boolean;
            operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'RegEx';
            transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
            /** Always `DeliveryRuleRequestBodyConditionParameters`. */
            typeName: 'DeliveryRuleRequestBodyConditionParameters';
          };
        };
        /**
         * The form whose `name` is `RequestHeader`.
         * @default Azure's own value
         */
        requestHeader?: {
          /** Always `RequestHeader`. */
          name: 'RequestHeader';
          parameters: {
            matchValues?: string[];
            negateCondition?: boolean;
            operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'RegEx';
            selector?: string;
            transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
            /** Always `DeliveryRuleRequestHeaderConditionParameters`. */
            typeName: 'DeliveryRuleRequestHeaderConditionParameters';
          };
        };
        /**
         * The form whose `name` is `RequestMethod`.
         * @default Azure's own value
         */
        requestMethod?: {
          /** Always `RequestMethod`. */
          name: 'RequestMethod';
          parameters: {
            matchValues?: ('DELETE' | 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'TRACE')[];
            negateCondition?: boolean;
            /** Always `Equal`. */
            operator: 'Equal';
            transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
            /** Always `DeliveryRuleRequestMethodConditionParameters`. */
            typeName: 'DeliveryRuleRequestMethodConditionParameters';
          };
        };
        /**
         * The form whose `name` is `RequestScheme`.
         * @default Azure's own value
         */
        requestScheme?: {
          /** Always `RequestScheme`. */
          name: 'RequestScheme';
          parameters: {
            matchValues?: ('HTTP' | 'HTTPS')[];
            negateCondition?: boolean;
            /** Always `Equal`. */
            operator: 'Equal';
            transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
            /** Always `DeliveryRuleRequestSchemeConditionParameters`. */
            typeName: 'DeliveryRuleRequestSchemeConditionParameters';
          };
        };
        /**
         * The form whose `name` is `RequestUri`.
         * @default Azure's own value
         */
        requestUri?: {
          /** Always `RequestUri`. */
          name: 'RequestUri';
          parameters: {
            matchValues?: string[];
            negateCondition?: boolean;
            operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'RegEx';
            transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
            /** Always `DeliveryRuleRequestUriConditionParameters`. */
            typeName: 'DeliveryRuleRequestUriConditionParameters';
          };
        };
        /**
         * The form whose `name` is `ServerPort`.
         * @default Azure's own value
         */
        serverPort?: {
          /** Always `ServerPort`. */
          name: 'ServerPort';
          parameters: {
            matchValues?: string[];
            negateCondition?: boolean;
            operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'RegEx';
            transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
            /** Always `DeliveryRuleServerPortConditionParameters`. */
            typeName: 'DeliveryRuleServerPortConditionParameters';
          };
        };
        /**
         * The form whose `name` is `SocketAddr`.
         * @default Azure's own value
         */
        socketAddr?: {
          /** Always `SocketAddr`. */
          name: 'SocketAddr';
          parameters: {
            matchValues?: string[];
            negateCondition?: boolean;
            operator: 'Any' | 'IPMatch';
            transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
            /** Always `DeliveryRuleSocketAddrConditionParameters`. */
            typeName: 'DeliveryRuleSocketAddrConditionParameters';
          };
        };
        /**
         * The form whose `name` is `SslProtocol`.
         * @default Azure's own value
         */
        sslProtocol?: {
          /** Always `SslProtocol`. */
          name: 'SslProtocol';
          parameters: {
            matchValues?: ('TLSv1' | 'TLSv1.1' | 'TLSv1.2')[];
            negateCondition?: boolean;
            /** Always `Equal`. */
            operator: 'Equal';
            transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
            /** Always `DeliveryRuleSslProtocolConditionParameters`. */
            typeName: 'DeliveryRuleSslProtocolConditionParameters';
          };
        };
        /**
         * The form whose `name` is `UrlFileExtension`.
         * @default Azure's own value
         */
        urlFileExtension?: {
          /** Always `UrlFileExtension`. */
          name: 'UrlFileExtension';
          parameters: {
            matchValues?: string[];
            negateCondition?: boolean;
            operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'RegEx';
            transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
            /** Always `DeliveryRuleUrlFileExtensionMatchConditionParameters`. */
            typeName: 'DeliveryRuleUrlFileExtensionMatchConditionParameters';
          };
        };
        /**
         * The form whose `name` is `UrlFileName`.
         * @default Azure's own value
         */
        urlFileName?: {
          /** Always `UrlFileName`. */
          name: 'UrlFileName';
          parameters: {
            matchValues?: string[];
            negateCondition?: boolean;
            operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'RegEx';
            transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
            /** Always `DeliveryRuleUrlFilenameConditionParameters`. */
            typeName: 'DeliveryRuleUrlFilenameConditionParameters';
          };
        };
        /**
         * The form whose `name` is `UrlPath`.
         * @default Azure's own value
         */
        urlPath?: {
          /** Always `UrlPath`. */
          name: 'UrlPath';
          parameters: {
            matchValues?: string[];
            negateCondition?: boolean;
            operator: 'Any' | 'BeginsWith' | 'Contains' | 'EndsWith' | 'Equal' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'RegEx' | 'Wildcard';
            transforms?: ('Lowercase' | 'RemoveNulls' | 'Trim' | 'Uppercase' | 'UrlDecode' | 'UrlEncode')[];
            /** Always `DeliveryRuleUrlPathMatchConditionParameters`. */
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
      /** Always `KeyVaultSigningKeyParameters`. */
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
