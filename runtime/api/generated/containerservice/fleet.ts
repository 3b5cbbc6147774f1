// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface FleetSpec {
  /**
   * Name in Azure. 1 to 63 characters. Pattern: `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  hubProfile?: {
    agentProfile?: {
      /**
       * By construct or ARM id: VirtualNetworksSubnet.
       * @default Azure's own value
       */
      subnetReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
      vmSize?: string;
    };
    apiServerAccessProfile?: {
      enablePrivateCluster?: boolean;
      enableVnetIntegration?: boolean;
      /**
       * By construct or ARM id: VirtualNetworksSubnet.
       * @default Azure's own value
       */
      subnetReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
    };
    /**
     * 1 to 54 characters. Pattern: `^[a-zA-Z0-9]$|^[a-zA-Z0-9][a-zA-Z0-9-]{0,52}[a-zA-Z0-9]$`.
     * @default Azure's own value
     */
    dnsPrefix?: string;
  };
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /** Which managed identities it uses: its own, user-assigned ones, or both. */
    type: 'None' | 'SystemAssigned' | 'SystemAssigned, UserAssigned' | 'UserAssigned';
    /**
     * The user-assigned identities that it uses.
     * @default Azure's own value
     */
    userAssignedIdentities?: ({
      /**
       * By construct or ARM id: UserAssignedIdentity.
       * @default Azure's own value
       */
      reference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
    })[];
  };
  /** Azure region, such as westeurope. */
  location: string;
  /**
   * Azure tags.
   * @default sent as null
   */
  tags?: Record<string, string>;
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<'userCredentials', never, 'userCredentials'>;
}

export interface Fleet {
  spec: FleetSpec;
  status?: ArmStatus;
}
