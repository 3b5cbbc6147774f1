// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface ApiSpec {
  /**
   * Name in Azure. 1 to 256 characters. Pattern: `^[^*#&+:<>?]+$`.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * 1 to 100 characters.
   * @default Azure's own value
   */
  apiRevision?: string;
  /**
   * At most 256 characters.
   * @default Azure's own value
   */
  apiRevisionDescription?: string;
  /** @default Azure's own value */
  apiType?: 'graphql' | 'grpc' | 'http' | 'odata' | 'soap' | 'websocket';
  /**
   * At most 100 characters.
   * @default Azure's own value
   */
  apiVersion?: string;
  /**
   * At most 256 characters.
   * @default Azure's own value
   */
  apiVersionDescription?: string;
  /** @default Azure's own value */
  apiVersionSet?: {
    description?: string;
    name?: string;
    /**
     * By construct or ARM id: ApiVersionSet.
     * @default Azure's own value
     */
    reference?: ArmReference<'apimanagement.azure.com/ApiVersionSet'>;
    versionHeaderName?: string;
    versionQueryName?: string;
    versioningScheme?: 'Header' | 'Query' | 'Segment';
  };
  /**
   * By construct or ARM id: ApiVersionSet.
   * @default Azure's own value
   */
  apiVersionSetReference?: ArmReference<'apimanagement.azure.com/ApiVersionSet'>;
  /** @default Azure's own value */
  authenticationSettings?: {
    oAuth2?: {
      authorizationServerId?: string;
      scope?: string;
    };
    oAuth2AuthenticationSettings?: ({
      authorizationServerId?: string;
      scope?: string;
    })[];
    openid?: {
      bearerTokenSendingMethods?: ('authorizationHeader' | 'query')[];
      openidProviderId?: string;
    };
    openidAuthenticationSettings?: ({
      bearerTokenSendingMethods?: ('authorizationHeader' | 'query')[];
      openidProviderId?: string;
    })[];
  };
  /** @default Azure's own value */
  contact?: {
    email?: string;
    name?: string;
    url?: string;
  };
  /** @default Azure's own value */
  description?: string;
  /**
   * 1 to 300 characters.
   * @default Azure's own value
   */
  displayName?: string;
  /** @default Azure's own value */
  format?: 'graphql-link' | 'grpc' | 'grpc-link' | 'odata' | 'odata-link' | 'openapi' | 'openapi+json' | 'openapi+json-link' | 'openapi-link' | 'swagger-json' | 'swagger-link-json' | 'wadl-link-json' | 'wadl-xml' | 'wsdl' | 'wsdl-link';
  /** @default Azure's own value */
  isCurrent?: boolean;
  /** @default Azure's own value */
  license?: {
    name?: string;
    url?: string;
  };
  /** 0 to 400 characters. */
  path: string;
  /** @default Azure's own value */
  protocols?: ('http' | 'https' | 'ws' | 'wss')[];
  /**
   * 0 to 2000 characters.
   * @default Azure's own value
   */
  serviceUrl?: string;
  /**
   * By construct or ARM id: Api.
   * @default Azure's own value
   */
  sourceApiReference?: ArmReference<'apimanagement.azure.com/Api'>;
  /** @default Azure's own value */
  subscriptionKeyParameterNames?: {
    header?: string;
    query?: string;
  };
  /** @default Azure's own value */
  subscriptionRequired?: boolean;
  /** @default Azure's own value */
  termsOfServiceUrl?: string;
  /** @default Azure's own value */
  translateRequiredQueryParameters?: 'query' | 'template';
  /** @default Azure's own value */
  type?: 'graphql' | 'grpc' | 'http' | 'odata' | 'soap' | 'websocket';
  /** @default Azure's own value */
  value?: string;
  /** @default Azure's own value */
  wsdlSelector?: {
    wsdlEndpointName?: string;
    wsdlServiceName?: string;
  };
  /** The Service that it is in, by construct or ARM id. */
  owner: KnownOwner<'apimanagement.azure.com/Service'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Api {
  spec: ApiSpec;
  status?: ArmStatus;
}
