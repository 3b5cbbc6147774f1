// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface ApiDiagnosticSpec {
  /**
   * Name in Azure. 1 to 80 characters. Pattern: `^[^*#&+:<>?]+$`.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * Always `allErrors`.
   * @default Azure's own value
   */
  alwaysLog?: 'allErrors';
  /** @default Azure's own value */
  backend?: {
    request?: {
      body?: {
        /**
         * At most 8192.
         * @default Azure's own value
         */
        bytes?: number;
      };
      dataMasking?: {
        headers?: ({
          mode?: 'Hide' | 'Mask';
          value?: string;
        })[];
        queryParams?: ({
          mode?: 'Hide' | 'Mask';
          value?: string;
        })[];
      };
      headers?: string[];
    };
    response?: {
      body?: {
        /**
         * At most 8192.
         * @default Azure's own value
         */
        bytes?: number;
      };
      dataMasking?: {
        headers?: ({
          mode?: 'Hide' | 'Mask';
          value?: string;
        })[];
        queryParams?: ({
          mode?: 'Hide' | 'Mask';
          value?: string;
        })[];
      };
      headers?: string[];
    };
  };
  /** @default Azure's own value */
  frontend?: {
    request?: {
      body?: {
        /**
         * At most 8192.
         * @default Azure's own value
         */
        bytes?: number;
      };
      dataMasking?: {
        headers?: ({
          mode?: 'Hide' | 'Mask';
          value?: string;
        })[];
        queryParams?: ({
          mode?: 'Hide' | 'Mask';
          value?: string;
        })[];
      };
      headers?: string[];
    };
    response?: {
      body?: {
        /**
         * At most 8192.
         * @default Azure's own value
         */
        bytes?: number;
      };
      dataMasking?: {
        headers?: ({
          mode?: 'Hide' | 'Mask';
          value?: string;
        })[];
        queryParams?: ({
          mode?: 'Hide' | 'Mask';
          value?: string;
        })[];
      };
      headers?: string[];
    };
  };
  /** @default Azure's own value */
  httpCorrelationProtocol?: 'Legacy' | 'None' | 'W3C';
  /** @default Azure's own value */
  logClientIp?: boolean;
  /** By construct or ARM id: Logger. */
  loggerReference: ArmReference<'apimanagement.azure.com/Logger'>;
  /** @default Azure's own value */
  metrics?: boolean;
  /** @default Azure's own value */
  operationNameFormat?: 'Name' | 'Url';
  /** @default Azure's own value */
  sampling?: {
    /**
     * 0 to 100.
     * @default Azure's own value
     */
    percentage?: number;
    /**
     * Always `fixed`.
     * @default Azure's own value
     */
    samplingType?: 'fixed';
  };
  /** @default Azure's own value */
  verbosity?: 'error' | 'information' | 'verbose';
  /** The Api that it is in, by construct or ARM id. */
  owner: KnownOwner<'apimanagement.azure.com/Api'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ApiDiagnostic {
  spec: ApiDiagnosticSpec;
  status?: ArmStatus;
}
