// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface NetworkInterfaceSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  auxiliaryMode?: 'AcceleratedConnections' | 'Floating' | 'MaxConnections' | 'None';
  /** @default Azure's own value */
  auxiliarySku?: 'A1' | 'A2' | 'A4' | 'A8' | 'None';
  /** @default Azure's own value */
  disableTcpStateTracking?: boolean;
  /** @default Azure's own value */
  dnsSettings?: {
    dnsServers?: string[];
    internalDnsNameLabel?: string;
  };
  /** @default Azure's own value */
  enableAcceleratedNetworking?: boolean;
  /** @default Azure's own value */
  enableIPForwarding?: boolean;
  /** @default Azure's own value */
  extendedLocation?: {
    name?: string;
    /**
     * Always `EdgeZone`.
     * @default Azure's own value
     */
    type?: 'EdgeZone';
  };
  /** @default Azure's own value */
  ipConfigurations?: ({
    applicationGatewayBackendAddressPools?: ({
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    })[];
    applicationSecurityGroups?: ({
      /**
       * By construct or ARM id: ApplicationSecurityGroup.
       * @default Azure's own value
       */
      reference?: ArmReference<'network.azure.com/ApplicationSecurityGroup'>;
    })[];
    gatewayLoadBalancer?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    loadBalancerBackendAddressPools?: ({
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    })[];
    loadBalancerInboundNatRules?: ({
      /**
       * By construct or ARM id: LoadBalancersInboundNatRule.
       * @default Azure's own value
       */
      reference?: ArmReference<'network.azure.com/LoadBalancersInboundNatRule'>;
    })[];
    name?: string;
    primary?: boolean;
    privateIPAddress?: string;
    /**
     * 1 to 128.
     * @default Azure's own value
     */
    privateIPAddressPrefixLength?: number;
    privateIPAddressVersion?: 'IPv4' | 'IPv6';
    privateIPAllocationMethod?: 'Dynamic' | 'Static';
    publicIPAddress?: {
      /**
       * By construct or ARM id: PublicIPAddress.
       * @default Azure's own value
       */
      reference?: ArmReference<'network.azure.com/PublicIPAddress'>;
    };
    subnet?: {
      /**
       * By construct or ARM id: VirtualNetworksSubnet.
       * @default Azure's own value
       */
      reference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
    };
    virtualNetworkTaps?: ({
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    })[];
  })[];
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /** @default Azure's own value */
  networkSecurityGroup?: {
    /**
     * By construct or ARM id: NetworkSecurityGroup.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/NetworkSecurityGroup'>;
  };
  /** @default Azure's own value */
  nicType?: 'Elastic' | 'Standard';
  /** @default Azure's own value */
  privateLinkService?: {
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  workloadType?: string;
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface NetworkInterface {
  spec: NetworkInterfaceSpec;
  status?: ArmStatus;
}
