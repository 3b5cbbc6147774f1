// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface VirtualNetworkSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  addressSpace?: {
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
  bgpCommunities?: {
    virtualNetworkCommunity: string;
  };
  /** @default Azure's own value */
  ddosProtectionPlan?: {
    /**
     * By construct or ARM id: DdosProtectionPlan.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/DdosProtectionPlan'>;
  };
  /** @default Azure's own value */
  dhcpOptions?: {
    dnsServers?: string[];
  };
  /** @default Azure's own value */
  enableDdosProtection?: boolean;
  /** @default Azure's own value */
  enableVmProtection?: boolean;
  /** @default Azure's own value */
  encryption?: {
    enabled: boolean;
    enforcement?: 'AllowUnencrypted' | 'DropUnencrypted';
  };
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
  flowTimeoutInMinutes?: number;
  /** @default Azure's own value */
  ipAllocations?: ({
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
  })[];
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /** @default Azure's own value */
  privateEndpointVNetPolicies?: 'Basic' | 'Disabled';
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

export interface VirtualNetwork {
  spec: VirtualNetworkSpec;
  status?: ArmStatus;
}
