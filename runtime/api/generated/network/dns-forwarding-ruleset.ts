// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface DnsForwardingRulesetSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  dnsResolverOutboundEndpoints: ({
    /**
     * By construct or ARM id: DnsResolversOutboundEndpoint.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/DnsResolversOutboundEndpoint'>;
  })[];
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

export interface DnsForwardingRuleset {
  spec: DnsForwardingRulesetSpec;
  status?: ArmStatus;
}
