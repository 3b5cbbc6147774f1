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
  /** @default Azure's own value */
  Request?: {
    FollowRedirects?: boolean;
    Headers?: ({
      key?: string;
      value?: string;
    })[];
    HttpVerb?: string;
    ParseDependentRequests?: boolean;
    RequestBody?: string;
    RequestUrl?: string;
  };
  /** @default Azure's own value */
  RetryEnabled?: boolean;
  SyntheticMonitorId: string;
  /** @default Azure's own value */
  Timeout?: number;
  /** @default Azure's own value */
  ValidationRules?: {
    ContentValidation?: {
      ContentMatch?: string;
      IgnoreCase?: boolean;
      PassIfTextFound?: boolean;
    };
    ExpectedHttpStatusCode?: number;
    IgnoreHttpStatusCode?: boolean;
    /**
     * Only in v1api20180501preview.
     * @default Azure's own value
     */
    IgnoreHttpsStatusCode?: boolean;
    SSLCertRemainingLifetimeCheck?: number;
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
