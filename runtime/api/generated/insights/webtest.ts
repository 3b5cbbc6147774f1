// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface WebtestSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  Configuration?: {
    WebTest?: string;
  };
  /** @default Azure's own value */
  Description?: string;
  /** @default Azure's own value */
  Enabled?: boolean;
  /** @default Azure's own value */
  Frequency?: number;
  Kind: 'basic' | 'multistep' | 'ping' | 'standard';
  Locations: ({
    Id?: string;
  })[];
  Name: string;
  /**
   * The request that the test sends.
   * @default Azure's own value
   */
  Request?: {
    /**
     * Whether the test follows redirects.
     * @default Azure's own value
     */
    FollowRedirects?: boolean;
    /**
     * Headers of the request.
     * @default Azure's own value
     */
    Headers?: ({
      /**
       * Name of the header.
       * @default Azure's own value
       */
      key?: string;
      /**
       * Value of the header.
       * @default Azure's own value
       */
      value?: string;
    })[];
    /**
     * HTTP method of the request.
     * @default Azure's own value
     */
    HttpVerb?: string;
    /**
     * Whether the test also loads what the page refers to, such as images and scripts.
     * @default Azure's own value
     */
    ParseDependentRequests?: boolean;
    /**
     * Body of the request, in base64.
     * @default Azure's own value
     */
    RequestBody?: string;
    /**
     * Address that the test requests.
     * @default Azure's own value
     */
    RequestUrl?: string;
  };
  /** @default Azure's own value */
  RetryEnabled?: boolean;
  SyntheticMonitorId: string;
  /** @default Azure's own value */
  Timeout?: number;
  /**
   * What an answer must be for the test to pass.
   * @default Azure's own value
   */
  ValidationRules?: {
    /**
     * What the body of the answer must contain.
     * @default Azure's own value
     */
    ContentValidation?: {
      /**
       * Text to look for in the body.
       * @default Azure's own value
       */
      ContentMatch?: string;
      /**
       * Whether upper and lower case are the same in the comparison.
       * @default Azure's own value
       */
      IgnoreCase?: boolean;
      /**
       * Whether the test passes when the text is found, or when it is not.
       * @default Azure's own value
       */
      PassIfTextFound?: boolean;
    };
    /**
     * HTTP status that the answer must have.
     * @default Azure's own value
     */
    ExpectedHttpStatusCode?: number;
    /**
     * Whether any HTTP status passes.
     * @default Azure's own value
     */
    IgnoreHttpStatusCode?: boolean;
    /**
     * Only in v1api20180501preview.
     * @default Azure's own value
     */
    IgnoreHttpsStatusCode?: boolean;
    /**
     * How many days the certificate must still be valid.
     * @default Azure's own value
     */
    SSLCertRemainingLifetimeCheck?: number;
    /**
     * Whether the test checks the certificate.
     * @default Azure's own value
     */
    SSLCheck?: boolean;
  };
  /** Azure region, such as westeurope. */
  location: string;
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

export interface Webtest {
  spec: WebtestSpec;
  status?: ArmStatus;
}
