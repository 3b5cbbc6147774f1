// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface RouteSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  cacheConfiguration?: {
    compressionSettings?: {
      contentTypesToCompress?: string[];
      isCompressionEnabled?: boolean;
    };
    queryParameters?: string;
    queryStringCachingBehavior?: 'IgnoreQueryString' | 'IgnoreSpecifiedQueryStrings' | 'IncludeSpecifiedQueryStrings' | 'UseQueryString';
  };
  /** @default Azure's own value */
  customDomains?: ({
    /**
     * By construct or ARM id: AfdCustomDomain.
     * @default Azure's own value
     */
    reference?: ArmReference<'cdn.azure.com/AfdCustomDomain'>;
  })[];
  /** @default Azure's own value */
  enabledState?: 'Disabled' | 'Enabled';
  /** @default Azure's own value */
  forwardingProtocol?: 'HttpOnly' | 'HttpsOnly' | 'MatchRequest';
  /** @default Azure's own value */
  httpsRedirect?: 'Disabled' | 'Enabled';
  /** @default Azure's own value */
  linkToDefaultDomain?: 'Disabled' | 'Enabled';
  /** @default Azure's own value */
  originGroup?: {
    /**
     * By construct or ARM id: AfdOriginGroup.
     * @default Azure's own value
     */
    reference?: ArmReference<'cdn.azure.com/AfdOriginGroup'>;
  };
  /** @default Azure's own value */
  originPath?: string;
  /** @default Azure's own value */
  patternsToMatch?: string[];
  /** @default Azure's own value */
  ruleSets?: ({
    /**
     * By construct or ARM id: RuleSet.
     * @default Azure's own value
     */
    reference?: ArmReference<'cdn.azure.com/RuleSet'>;
  })[];
  /** @default Azure's own value */
  supportedProtocols?: ('Http' | 'Https')[];
  /** The AfdEndpoint that it is in, by construct or ARM id. */
  owner: KnownOwner<'cdn.azure.com/AfdEndpoint'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Route {
  spec: RouteSpec;
  status?: ArmStatus;
}
