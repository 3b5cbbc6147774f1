// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface VirtualNetworksVirtualNetworkPeeringSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  allowForwardedTraffic?: boolean;
  /** @default Azure's own value */
  allowGatewayTransit?: boolean;
  /** @default Azure's own value */
  allowVirtualNetworkAccess?: boolean;
  /** @default Azure's own value */
  doNotVerifyRemoteGateways?: boolean;
  /** @default Azure's own value */
  enableOnlyIPv6Peering?: boolean;
  /** @default Azure's own value */
  localAddressSpace?: {
    addressPrefixes?: string[];
    ipamPoolPrefixAllocations?: ({
      numberOfIpAddresses?: string;
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    })[];
  };
  /** @default Azure's own value */
  localSubnetNames?: string[];
  /** @default Azure's own value */
  localVirtualNetworkAddressSpace?: {
    addressPrefixes?: string[];
    ipamPoolPrefixAllocations?: ({
      numberOfIpAddresses?: string;
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    })[];
  };
  /** @default Azure's own value */
  peerCompleteVnets?: boolean;
  /** @default Azure's own value */
  peeringState?: 'Connected' | 'Disconnected' | 'Initiated';
  /** @default Azure's own value */
  peeringSyncLevel?: 'FullyInSync' | 'LocalAndRemoteNotInSync' | 'LocalNotInSync' | 'RemoteNotInSync';
  /** @default Azure's own value */
  remoteAddressSpace?: {
    addressPrefixes?: string[];
    ipamPoolPrefixAllocations?: ({
      numberOfIpAddresses?: string;
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    })[];
  };
  /** @default Azure's own value */
  remoteBgpCommunities?: {
    virtualNetworkCommunity: string;
  };
  /** @default Azure's own value */
  remoteSubnetNames?: string[];
  /** @default Azure's own value */
  remoteVirtualNetwork?: {
    /**
     * By construct or ARM id: VirtualNetwork.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/VirtualNetwork'>;
  };
  /** @default Azure's own value */
  remoteVirtualNetworkAddressSpace?: {
    addressPrefixes?: string[];
    ipamPoolPrefixAllocations?: ({
      numberOfIpAddresses?: string;
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    })[];
  };
  /** @default Azure's own value */
  useRemoteGateways?: boolean;
  /** The VirtualNetwork that it is in, by construct or ARM id. */
  owner: KnownOwner<'network.azure.com/VirtualNetwork'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface VirtualNetworksVirtualNetworkPeering {
  spec: VirtualNetworksVirtualNetworkPeeringSpec;
  status?: ArmStatus;
}
