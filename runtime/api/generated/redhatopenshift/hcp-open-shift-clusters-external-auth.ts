// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface HcpOpenShiftClustersExternalAuthSpec {
  /**
   * Name in Azure. Pattern: `^[a-zA-Z]([-a-zA-Z0-9]{0,13}[a-zA-Z0-9])?$`.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * Properties of the resource.
   * @default Azure's own value
   */
  properties?: {
    claim: {
      mappings: {
        groups?: {
          /** 1 to 256 characters. */
          claim: string;
          prefix?: string;
        };
        username: {
          /** 1 to 256 characters. */
          claim: string;
          prefix?: string;
          prefixPolicy?: 'NoPrefix' | 'None' | 'Prefix';
        };
      };
      validationRules?: ({
        requiredClaim?: {
          /** At least 1 characters. */
          claim: string;
          /** At least 1 characters. */
          requiredValue: string;
        };
        /**
         * Always `RequiredClaim`.
         * @default Azure's own value
         */
        type?: 'RequiredClaim';
      })[];
    };
    /**
     * At most 20 items.
     * @default Azure's own value
     */
    clients?: ({
      /** At least 1 characters. */
      clientId: string;
      component: {
        /** 1 to 63 characters. */
        authClientNamespace: string;
        /** 1 to 256 characters. */
        name: string;
      };
      extraScopes?: string[];
      type: 'Confidential' | 'Public';
    })[];
    issuer: {
      /** 1 to 10 items. */
      audiences: string[];
      ca?: string;
      /** Pattern: `^[a-zA-Z][a-zA-Z0-9+-.]*:[^\s]*$`. */
      url: string;
    };
  };
  /** The HcpOpenShiftCluster that it is in, by construct or ARM id. */
  owner: KnownOwner<'redhatopenshift.azure.com/HcpOpenShiftCluster'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface HcpOpenShiftClustersExternalAuth {
  spec: HcpOpenShiftClustersExternalAuthSpec;
  status?: ArmStatus;
}
