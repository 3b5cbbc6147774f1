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
    /** What of a token the cluster uses. */
    claim: {
      /** Which claims become the name and the groups of a user. */
      mappings: {
        /**
         * The claim with the groups.
         * @default Azure's own value
         */
        groups?: {
          /** 1 to 256 characters. */
          claim: string;
          /**
           * Text before the name of each group.
           * @default Azure's own value
           */
          prefix?: string;
        };
        /** The claim with the name. */
        username: {
          /** 1 to 256 characters. */
          claim: string;
          /**
           * Text before the name, for the policy Prefix.
           * @default Azure's own value
           */
          prefix?: string;
          /**
           * Whether names get a prefix.
           * @default Azure's own value
           */
          prefixPolicy?: 'NoPrefix' | 'None' | 'Prefix';
        };
      };
      /**
       * Rules that the claims of a token must meet.
       * @default Azure's own value
       */
      validationRules?: ({
        /**
         * A claim that the token must have, with its value.
         * @default Azure's own value
         */
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
      /** The component of the cluster that the client is for. */
      component: {
        /** 1 to 63 characters. */
        authClientNamespace: string;
        /** 1 to 256 characters. */
        name: string;
      };
      /**
       * Scopes that the client asks for besides the usual ones.
       * @default Azure's own value
       */
      extraScopes?: string[];
      /** Whether the client has a secret (Confidential) or not (Public). */
      type: 'Confidential' | 'Public';
    })[];
    /** The issuer of the tokens. */
    issuer: {
      /** 1 to 10 items. */
      audiences: string[];
      /**
       * Certificates by which the cluster trusts the issuer, in PEM.
       * @default Azure's own value
       */
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
