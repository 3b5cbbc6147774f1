// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner, WellKnownReference } from '../../common-schemas.ts';

export interface PrivateEndpointSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  applicationSecurityGroups?: ({
    /**
     * By construct or ARM id: ApplicationSecurityGroup.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/ApplicationSecurityGroup'>;
  })[];
  /** @default Azure's own value */
  customNetworkInterfaceName?: string;
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
    groupId?: string;
    memberName?: string;
    name?: string;
    privateIPAddress?: string;
  })[];
  /** @default Azure's own value */
  ipVersionType?: 'DualStack' | 'IPv4' | 'IPv6';
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /** @default Azure's own value */
  manualPrivateLinkServiceConnections?: ({
    groupIds?: string[];
    name?: string;
    privateLinkServiceConnectionState?: {
      actionsRequired?: string;
      description?: string;
      status?: string;
    };
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    privateLinkServiceReference?: WellKnownReference;
    requestMessage?: string;
  })[];
  /** @default Azure's own value */
  privateLinkServiceConnections?: ({
    groupIds?: string[];
    name?: string;
    privateLinkServiceConnectionState?: {
      actionsRequired?: string;
      description?: string;
      status?: string;
    };
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    privateLinkServiceReference?: WellKnownReference;
    requestMessage?: string;
  })[];
  /** @default Azure's own value */
  subnet?: {
    /**
     * By construct or ARM id: VirtualNetworksSubnet.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
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
  operatorSpec?: OperatorSpec<never, 'primaryNicPrivateIpAddress'>;
}

export interface PrivateEndpoint {
  spec: PrivateEndpointSpec;
  status?: ArmStatus;
}
