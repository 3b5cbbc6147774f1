// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface SecurityPolicySpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  parameters?: {
    /**
     * The form whose `type` is `WebApplicationFirewall`.
     * @default Azure's own value
     */
    webApplicationFirewall?: {
      associations?: ({
        domains?: ({
          /**
           * By construct or ARM id: AfdCustomDomain or AfdEndpoint.
           * @default Azure's own value
           */
          reference?: ArmReference<'cdn.azure.com/AfdCustomDomain' | 'cdn.azure.com/AfdEndpoint'>;
        })[];
        patternsToMatch?: string[];
      })[];
      /** Always `WebApplicationFirewall`. */
      type: 'WebApplicationFirewall';
      wafPolicy?: {
        /**
         * By construct or ARM id: WebApplicationFirewallPolicy.
         * @default Azure's own value
         */
        reference?: ArmReference<'network.frontdoor.azure.com/WebApplicationFirewallPolicy'>;
      };
    };
  };
  /** The Profile that it is in, by construct or ARM id. */
  owner: KnownOwner<'cdn.azure.com/Profile'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface SecurityPolicy {
  spec: SecurityPolicySpec;
  status?: ArmStatus;
}
