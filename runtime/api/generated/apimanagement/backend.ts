// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface BackendSpec {
  /**
   * Name in Azure. 1 to 80 characters.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  circuitBreaker?: {
    /**
     * At most 15 items.
     * @default Azure's own value
     */
    rules?: ({
      acceptRetryAfter?: boolean;
      failureCondition?: {
        count?: number;
        /**
         * At most 10 items.
         * @default Azure's own value
         */
        errorReasons?: string[];
        interval?: string;
        percentage?: number;
        /**
         * At most 10 items.
         * @default Azure's own value
         */
        statusCodeRanges?: ({
          /**
           * 200 to 599.
           * @default Azure's own value
           */
          max?: number;
          /**
           * 200 to 599.
           * @default Azure's own value
           */
          min?: number;
        })[];
      };
      name?: string;
      tripDuration?: string;
    })[];
  };
  /** @default Azure's own value */
  credentials?: {
    authorization?: {
      /** 1 to 300 characters. */
      parameter: string;
      /** 1 to 100 characters. */
      scheme: string;
    };
    /**
     * At most 32 items.
     * @default Azure's own value
     */
    certificate?: string[];
    /**
     * At most 32 items.
     * @default Azure's own value
     */
    certificateIds?: string[];
    header?: Record<string, string[]>;
    query?: Record<string, string[]>;
  };
  /**
   * 1 to 2000 characters.
   * @default Azure's own value
   */
  description?: string;
  /**
   * The backends among which a backend of type Pool spreads its requests.
   * @default Azure's own value
   */
  pool?: {
    /**
     * At least 1 items.
     * @default Azure's own value
     */
    services?: ({
      /**
       * 0 to 100.
       * @default Azure's own value
       */
      priority?: number;
      /** By construct or ARM id: Backend. */
      reference: ArmReference<'apimanagement.azure.com/Backend'>;
      /**
       * 0 to 100.
       * @default Azure's own value
       */
      weight?: number;
    })[];
  };
  /**
   * Properties of the resource.
   * @default Azure's own value
   */
  properties?: {
    /** @default Azure's own value */
    serviceFabricCluster?: {
      clientCertificateId?: string;
      clientCertificatethumbprint?: string;
      managementEndpoints: string[];
      maxPartitionResolutionRetries?: number;
      serverCertificateThumbprints?: string[];
      serverX509Names?: ({
        issuerCertificateThumbprint?: string;
        name?: string;
      })[];
    };
  };
  /** @default Azure's own value */
  protocol?: 'http' | 'soap';
  /** @default Azure's own value */
  proxy?: {
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    password?: SecretKeyReference;
    /** 1 to 2000 characters. */
    url: string;
    username?: string;
  };
  /**
   * By construct or ARM id: any resource.
   * @default Azure's own value
   */
  resourceReference?: ArmReference;
  /**
   * 1 to 300 characters.
   * @default Azure's own value
   */
  title?: string;
  /** @default Azure's own value */
  tls?: {
    validateCertificateChain?: boolean;
    validateCertificateName?: boolean;
  };
  /** @default Azure's own value */
  type?: 'Pool' | 'Single';
  /**
   * 1 to 2000 characters.
   * @default Azure's own value
   */
  url?: string;
  /** The Service that it is in, by construct or ARM id. */
  owner: KnownOwner<'apimanagement.azure.com/Service'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Backend {
  spec: BackendSpec;
  status?: ArmStatus;
}
