// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface VirtualNetworkGatewaySpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  activeActive?: boolean;
  /** @default Azure's own value */
  adminState?: 'Disabled' | 'Enabled';
  /** @default Azure's own value */
  allowRemoteVnetTraffic?: boolean;
  /** @default Azure's own value */
  allowVirtualWanTraffic?: boolean;
  /** @default Azure's own value */
  autoScaleConfiguration?: {
    bounds?: {
      max?: number;
      min?: number;
    };
  };
  /** @default Azure's own value */
  bgpSettings?: {
    asn?: number;
    bgpPeeringAddress?: string;
    bgpPeeringAddresses?: ({
      customBgpIpAddresses?: string[];
      ipconfigurationId?: string;
    })[];
    peerWeight?: number;
  };
  /** @default Azure's own value */
  customRoutes?: {
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
  disableIPSecReplayProtection?: boolean;
  /** @default Azure's own value */
  enableBgp?: boolean;
  /** @default Azure's own value */
  enableBgpRouteTranslationForNat?: boolean;
  /** @default Azure's own value */
  enableDnsForwarding?: boolean;
  /** @default Azure's own value */
  enableHighBandwidthVpnGateway?: boolean;
  /** @default Azure's own value */
  enablePrivateIpAddress?: boolean;
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
  gatewayDefaultSite?: {
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
  };
  /** @default Azure's own value */
  gatewayType?: 'ExpressRoute' | 'LocalGateway' | 'Vpn';
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /**
     * Which managed identities it uses: its own, user-assigned ones, or both.
     * @default Azure's own value
     */
    type?: 'None' | 'SystemAssigned' | 'SystemAssigned, UserAssigned' | 'UserAssigned';
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
  /** @default Azure's own value */
  ipConfigurations?: ({
    name?: string;
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
  })[];
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /** @default Azure's own value */
  natRules?: ({
    externalMappings?: ({
      addressSpace?: string;
      portRange?: string;
    })[];
    internalMappings?: ({
      addressSpace?: string;
      portRange?: string;
    })[];
    ipConfigurationId?: string;
    mode?: 'EgressSnat' | 'IngressSnat';
    name?: string;
    type?: 'Dynamic' | 'Static';
  })[];
  /** @default Azure's own value */
  resiliencyModel?: 'MultiHomed' | 'SingleHomed';
  /**
   * Pricing tier.
   * @default Azure's own value
   */
  sku?: {
    /**
     * Name of the pricing tier.
     * @default Azure's own value
     */
    name?: 'Basic' | 'ErGw1AZ' | 'ErGw2AZ' | 'ErGw3AZ' | 'ErGwScale' | 'HighPerformance' | 'Standard' | 'UltraPerformance' | 'VpnGw1' | 'VpnGw1AZ' | 'VpnGw2' | 'VpnGw2AZ' | 'VpnGw3' | 'VpnGw3AZ' | 'VpnGw4' | 'VpnGw4AZ' | 'VpnGw5' | 'VpnGw5AZ';
    /**
     * Tier, where the name does not tell it.
     * @default Azure's own value
     */
    tier?: 'Basic' | 'ErGw1AZ' | 'ErGw2AZ' | 'ErGw3AZ' | 'ErGwScale' | 'HighPerformance' | 'Standard' | 'UltraPerformance' | 'VpnGw1' | 'VpnGw1AZ' | 'VpnGw2' | 'VpnGw2AZ' | 'VpnGw3' | 'VpnGw3AZ' | 'VpnGw4' | 'VpnGw4AZ' | 'VpnGw5' | 'VpnGw5AZ';
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /**
   * By construct or ARM id: any resource.
   * @default Azure's own value
   */
  vNetExtendedLocationResourceReference?: ArmReference;
  /** @default Azure's own value */
  virtualNetworkGatewayMigrationStatus?: {
    errorMessage?: string;
    phase?: 'Abort' | 'AbortSucceeded' | 'Commit' | 'CommitSucceeded' | 'Execute' | 'ExecuteSucceeded' | 'None' | 'Prepare' | 'PrepareSucceeded';
    state?: 'Failed' | 'InProgress' | 'None' | 'Succeeded';
  };
  /** @default Azure's own value */
  virtualNetworkGatewayPolicyGroups?: ({
    isDefault: boolean;
    name?: string;
    policyMembers: ({
      attributeType?: 'AADGroupId' | 'CertificateGroupId' | 'RadiusAzureGroupId';
      attributeValue?: string;
      name?: string;
    })[];
    priority: number;
  })[];
  /** @default Azure's own value */
  vpnClientConfiguration?: {
    aadAudience?: string;
    aadIssuer?: string;
    aadTenant?: string;
    radiusServerAddress?: string;
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    radiusServerSecret?: SecretKeyReference;
    radiusServers?: ({
      radiusServerAddress: string;
      radiusServerScore?: number;
      /**
       * A value of a Secret of this namespace: an export of another resource, or name and key.
       * @default Azure's own value
       */
      radiusServerSecret?: SecretKeyReference;
    })[];
    vngClientConnectionConfigurations?: ({
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    })[];
    vpnAuthenticationTypes?: ('AAD' | 'Certificate' | 'Radius')[];
    vpnClientAddressPool?: {
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
    vpnClientIpsecPolicies?: ({
      dhGroup: 'DHGroup1' | 'DHGroup14' | 'DHGroup2' | 'DHGroup2048' | 'DHGroup24' | 'ECP256' | 'ECP384' | 'None';
      ikeEncryption: 'AES128' | 'AES192' | 'AES256' | 'DES' | 'DES3' | 'GCMAES128' | 'GCMAES256';
      ikeIntegrity: 'GCMAES128' | 'GCMAES256' | 'MD5' | 'SHA1' | 'SHA256' | 'SHA384';
      ipsecEncryption: 'AES128' | 'AES192' | 'AES256' | 'DES' | 'DES3' | 'GCMAES128' | 'GCMAES192' | 'GCMAES256' | 'None';
      ipsecIntegrity: 'GCMAES128' | 'GCMAES192' | 'GCMAES256' | 'MD5' | 'SHA1' | 'SHA256';
      pfsGroup: 'ECP256' | 'ECP384' | 'None' | 'PFS1' | 'PFS14' | 'PFS2' | 'PFS2048' | 'PFS24' | 'PFSMM';
      saDataSizeKilobytes: number;
      saLifeTimeSeconds: number;
    })[];
    vpnClientProtocols?: ('IkeV2' | 'OpenVPN' | 'SSTP')[];
    vpnClientRevokedCertificates?: ({
      name?: string;
      thumbprint?: string;
    })[];
    vpnClientRootCertificates?: ({
      name?: string;
      publicCertData: string;
    })[];
  };
  /** @default Azure's own value */
  vpnGatewayGeneration?: 'Generation1' | 'Generation2' | 'None';
  /** @default Azure's own value */
  vpnType?: 'PolicyBased' | 'RouteBased';
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface VirtualNetworkGateway {
  spec: VirtualNetworkGatewaySpec;
  status?: ArmStatus;
}
