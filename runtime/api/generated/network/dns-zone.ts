// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface DnsZoneSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  registrationVirtualNetworks?: ({
    /**
     * By construct or ARM id: VirtualNetwork.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/VirtualNetwork'>;
  })[];
  /** @default Azure's own value */
  resolutionVirtualNetworks?: ({
    /**
     * By construct or ARM id: VirtualNetwork.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/VirtualNetwork'>;
  })[];
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  zoneType?: 'Private' | 'Public';
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface DnsZone {
  spec: DnsZoneSpec;
  status?: ArmStatus;
}
