// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface LoadBalancerSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  backendAddressPools?: ({
    drainPeriodInSeconds?: number;
    loadBalancerBackendAddresses?: ({
      adminState?: 'Down' | 'None' | 'Up';
      ipAddress?: string;
      loadBalancerFrontendIPConfiguration?: {
        /**
         * By construct or ARM id: any resource.
         * @default Azure's own value
         */
        reference?: ArmReference;
      };
      name?: string;
      subnet?: {
        /**
         * By construct or ARM id: VirtualNetworksSubnet.
         * @default Azure's own value
         */
        reference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
      };
      virtualNetwork?: {
        /**
         * By construct or ARM id: VirtualNetwork.
         * @default Azure's own value
         */
        reference?: ArmReference<'network.azure.com/VirtualNetwork'>;
      };
    })[];
    location?: string;
    name?: string;
    syncMode?: 'Automatic' | 'Manual';
    tunnelInterfaces?: ({
      identifier?: number;
      port?: number;
      protocol?: 'Native' | 'None' | 'VXLAN';
      type?: 'External' | 'Internal' | 'None';
    })[];
    virtualNetwork?: {
      /**
       * By construct or ARM id: VirtualNetwork.
       * @default Azure's own value
       */
      reference?: ArmReference<'network.azure.com/VirtualNetwork'>;
    };
  })[];
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
  frontendIPConfigurations?: ({
    gatewayLoadBalancer?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    name?: string;
    privateIPAddress?: string;
    privateIPAddressVersion?: 'IPv4' | 'IPv6';
    privateIPAllocationMethod?: 'Dynamic' | 'Static';
    publicIPAddress?: {
      /**
       * By construct or ARM id: PublicIPAddress.
       * @default Azure's own value
       */
      reference?: ArmReference<'network.azure.com/PublicIPAddress'>;
    };
    publicIPPrefix?: {
      /**
       * By construct or ARM id: PublicIPPrefix.
       * @default Azure's own value
       */
      reference?: ArmReference<'network.azure.com/PublicIPPrefix'>;
    };
    subnet?: {
      /**
       * By construct or ARM id: VirtualNetworksSubnet.
       * @default Azure's own value
       */
      reference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
    };
    zones?: string[];
  })[];
  /** @default Azure's own value */
  inboundNatPools?: ({
    backendPort: number;
    enableFloatingIP?: boolean;
    enableTcpReset?: boolean;
    frontendIPConfiguration?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    frontendPortRangeEnd: number;
    frontendPortRangeStart: number;
    idleTimeoutInMinutes?: number;
    name?: string;
    protocol: 'All' | 'Quic' | 'Tcp' | 'Udp';
  })[];
  /** @default Azure's own value */
  inboundNatRules?: ({
    backendAddressPool?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    backendPort?: number;
    enableFloatingIP?: boolean;
    enableTcpReset?: boolean;
    frontendIPConfiguration?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    frontendPort?: number;
    frontendPortRangeEnd?: number;
    frontendPortRangeStart?: number;
    idleTimeoutInMinutes?: number;
    name?: string;
    protocol?: 'All' | 'Quic' | 'Tcp' | 'Udp';
  })[];
  /** @default Azure's own value */
  loadBalancingRules?: ({
    backendAddressPool?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    backendAddressPools?: ({
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    })[];
    backendPort?: number;
    disableOutboundSnat?: boolean;
    enableConnectionTracking?: boolean;
    enableFloatingIP?: boolean;
    enableTcpReset?: boolean;
    frontendIPConfiguration?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    frontendPort: number;
    idleTimeoutInMinutes?: number;
    loadDistribution?: 'Default' | 'SourceIP' | 'SourceIPProtocol';
    name?: string;
    probe?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    protocol: 'All' | 'Quic' | 'Tcp' | 'Udp';
  })[];
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /** @default Azure's own value */
  outboundRules?: ({
    allocatedOutboundPorts?: number;
    backendAddressPool: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    enableTcpReset?: boolean;
    frontendIPConfigurations: ({
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    })[];
    idleTimeoutInMinutes?: number;
    name?: string;
    protocol: 'All' | 'Tcp' | 'Udp';
  })[];
  /** @default Azure's own value */
  probes?: ({
    intervalInSeconds?: number;
    name?: string;
    noHealthyBackendsBehavior?: 'AllProbedDown' | 'AllProbedUp';
    numberOfProbes?: number;
    port: number;
    probeThreshold?: number;
    protocol: 'Http' | 'Https' | 'Tcp';
    requestPath?: string;
  })[];
  /** @default Azure's own value */
  scope?: 'Private' | 'Public';
  /**
   * Pricing tier.
   * @default Azure's own value
   */
  sku?: {
    /**
     * Name of the pricing tier.
     * @default Azure's own value
     */
    name?: 'Basic' | 'Gateway' | 'Standard';
    /**
     * Tier, where the name does not tell it.
     * @default Azure's own value
     */
    tier?: 'Global' | 'Regional';
  };
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

export interface LoadBalancer {
  spec: LoadBalancerSpec;
  status?: ArmStatus;
}
