// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface NatGatewaySpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  idleTimeoutInMinutes?: number;
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /** @default Azure's own value */
  publicIpAddresses?: ({
    /**
     * By construct or ARM id: PublicIPAddress.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/PublicIPAddress'>;
  })[];
  /** @default Azure's own value */
  publicIpAddressesV6?: ({
    /**
     * By construct or ARM id: PublicIPAddress.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/PublicIPAddress'>;
  })[];
  /** @default Azure's own value */
  publicIpPrefixes?: ({
    /**
     * By construct or ARM id: PublicIPPrefix.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/PublicIPPrefix'>;
  })[];
  /** @default Azure's own value */
  publicIpPrefixesV6?: ({
    /**
     * By construct or ARM id: PublicIPPrefix.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/PublicIPPrefix'>;
  })[];
  /**
   * Pricing tier.
   * @default Azure's own value
   */
  sku?: {
    /**
     * Name of the pricing tier.
     * @default Azure's own value
     */
    name?: 'Standard' | 'StandardV2';
  };
  /** @default Azure's own value */
  sourceVirtualNetwork?: {
    /**
     * By construct or ARM id: VirtualNetwork.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/VirtualNetwork'>;
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  zones?: string[];
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface NatGateway {
  spec: NatGatewaySpec;
  status?: ArmStatus;
}
