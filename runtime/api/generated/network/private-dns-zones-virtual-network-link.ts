// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface PrivateDnsZonesVirtualNetworkLinkSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  etag?: string;
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /** @default Azure's own value */
  registrationEnabled?: boolean;
  /** @default Azure's own value */
  resolutionPolicy?: 'Default' | 'NxDomainRedirect';
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  virtualNetwork?: {
    /**
     * By construct or ARM id: VirtualNetwork.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/VirtualNetwork'>;
  };
  /** The PrivateDnsZone that it is in, by construct or ARM id. */
  owner: KnownOwner<'network.azure.com/PrivateDnsZone'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface PrivateDnsZonesVirtualNetworkLink {
  spec: PrivateDnsZonesVirtualNetworkLinkSpec;
  status?: ArmStatus;
}
