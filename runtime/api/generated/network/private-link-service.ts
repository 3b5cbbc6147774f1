// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface PrivateLinkServiceSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  accessMode?: 'Default' | 'Restricted';
  /** @default Azure's own value */
  autoApproval?: {
    subscriptions?: string[];
  };
  /** @default Azure's own value */
  destinationIPAddress?: string;
  /** @default Azure's own value */
  enableProxyProtocol?: boolean;
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
  fqdns?: string[];
  /** @default Azure's own value */
  ipConfigurations?: ({
    name?: string;
    primary?: boolean;
    privateIPAddress?: string;
    privateIPAddressVersion?: 'IPv4' | 'IPv6';
    privateIPAllocationMethod?: 'Dynamic' | 'Static';
    subnet?: {
      /**
       * By construct or ARM id: VirtualNetworksSubnet.
       * @default Azure's own value
       */
      reference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
    };
  })[];
  /** @default Azure's own value */
  loadBalancerFrontendIpConfigurations?: ({
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
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  visibility?: {
    subscriptions?: string[];
  };
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, 'alias'>;
}

export interface PrivateLinkService {
  spec: PrivateLinkServiceSpec;
  status?: ArmStatus;
}
