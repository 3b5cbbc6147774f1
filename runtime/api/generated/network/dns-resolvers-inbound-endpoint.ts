// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface DnsResolversInboundEndpointSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  ipConfigurations: ({
    privateIpAddress?: string;
    privateIpAllocationMethod?: 'Dynamic' | 'Static';
    subnet: {
      /**
       * By construct or ARM id: VirtualNetworksSubnet.
       * @default Azure's own value
       */
      reference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
    };
  })[];
  /** Azure region, such as westeurope. */
  location: string;
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** The DnsResolver that it is in, by construct or ARM id. */
  owner: KnownOwner<'network.azure.com/DnsResolver'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface DnsResolversInboundEndpoint {
  spec: DnsResolversInboundEndpointSpec;
  status?: ArmStatus;
}
