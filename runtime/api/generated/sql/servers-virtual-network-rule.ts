// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface ServersVirtualNetworkRuleSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  ignoreMissingVnetServiceEndpoint?: boolean;
  /** By construct or ARM id: VirtualNetworksSubnet. */
  virtualNetworkSubnetReference: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
  /** The Server that it is in, by construct or ARM id. */
  owner: KnownOwner<'sql.azure.com/Server'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ServersVirtualNetworkRule {
  spec: ServersVirtualNetworkRuleSpec;
  status?: ArmStatus;
}
