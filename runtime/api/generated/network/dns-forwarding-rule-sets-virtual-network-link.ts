// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface DnsForwardingRuleSetsVirtualNetworkLinkSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  metadata?: Record<string, string>;
  virtualNetwork: {
    /**
     * By construct or ARM id: VirtualNetwork.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/VirtualNetwork'>;
  };
  /** The DnsForwardingRuleset that it is in, by construct or ARM id. */
  owner: KnownOwner<'network.azure.com/DnsForwardingRuleset'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface DnsForwardingRuleSetsVirtualNetworkLink {
  spec: DnsForwardingRuleSetsVirtualNetworkLinkSpec;
  status?: ArmStatus;
}
