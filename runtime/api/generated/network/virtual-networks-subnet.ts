// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface VirtualNetworksSubnetSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  addressPrefix?: string;
  /** @default Azure's own value */
  addressPrefixes?: string[];
  /** @default Azure's own value */
  applicationGatewayIPConfigurations?: ({
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
  })[];
  /**
   * Only in v1api20201101.
   * @default Azure's own value
   */
  applicationGatewayIpConfigurations?: ({
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
  })[];
  /** @default Azure's own value */
  defaultOutboundAccess?: boolean;
  /** @default Azure's own value */
  delegations?: ({
    name?: string;
    serviceName?: string;
  })[];
  /** @default Azure's own value */
  ipAllocations?: ({
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
  })[];
  /** @default Azure's own value */
  ipamPoolPrefixAllocations?: ({
    numberOfIpAddresses?: string;
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
  })[];
  /** @default Azure's own value */
  natGateway?: {
    /**
     * By construct or ARM id: NatGateway.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/NatGateway'>;
  };
  /** @default Azure's own value */
  networkSecurityGroup?: {
    /**
     * By construct or ARM id: NetworkSecurityGroup.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/NetworkSecurityGroup'>;
  };
  /** @default Azure's own value */
  privateEndpointNetworkPolicies?: 'Disabled' | 'Enabled' | 'NetworkSecurityGroupEnabled' | 'RouteTableEnabled';
  /** @default Azure's own value */
  privateLinkServiceNetworkPolicies?: 'Disabled' | 'Enabled';
  /** @default Azure's own value */
  routeTable?: {
    /**
     * By construct or ARM id: RouteTable.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/RouteTable'>;
  };
  /** @default Azure's own value */
  serviceEndpointPolicies?: ({
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
  })[];
  /** @default Azure's own value */
  serviceEndpoints?: ({
    locations?: string[];
    networkIdentifier?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    service?: string;
  })[];
  /** @default Azure's own value */
  sharingScope?: 'DelegatedServices' | 'Tenant';
  /** The VirtualNetwork that it is in, by construct or ARM id. */
  owner: KnownOwner<'network.azure.com/VirtualNetwork'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface VirtualNetworksSubnet {
  spec: VirtualNetworksSubnetSpec;
  status?: ArmStatus;
}
