// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface AzureFirewallSpec {
  /**
   * Name in Azure. 1 to 56 characters.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  additionalProperties?: Record<string, string>;
  /** @default Azure's own value */
  applicationRuleCollections?: ({
    action?: {
      type?: 'Allow' | 'Deny';
    };
    name?: string;
    /**
     * 100 to 65000.
     * @default Azure's own value
     */
    priority?: number;
    rules?: ({
      description?: string;
      fqdnTags?: string[];
      name?: string;
      protocols?: ({
        /**
         * 0 to 64000.
         * @default Azure's own value
         */
        port?: number;
        protocolType?: 'Http' | 'Https' | 'Mssql';
      })[];
      sourceAddresses?: string[];
      sourceIpGroups?: string[];
      targetFqdns?: string[];
    })[];
  })[];
  /** @default Azure's own value */
  autoscaleConfiguration?: {
    /**
     * At least 2.
     * @default Azure's own value
     */
    maxCapacity?: number;
    /**
     * At least 2.
     * @default Azure's own value
     */
    minCapacity?: number;
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
  firewallPolicy?: {
    /**
     * By construct or ARM id: WebApplicationFirewallPolicy or FirewallPolicy.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/WebApplicationFirewallPolicy' | 'network.azure.com/FirewallPolicy'>;
  };
  /** @default Azure's own value */
  hubIPAddresses?: {
    privateIPAddress?: string;
    publicIPs?: {
      addresses?: ({
        address?: string;
      })[];
      count?: number;
    };
  };
  /** @default Azure's own value */
  ipConfigurations?: ({
    name?: string;
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
  managementIpConfiguration?: {
    name?: string;
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
  };
  /** @default Azure's own value */
  natRuleCollections?: ({
    action?: {
      type?: 'Dnat' | 'Snat';
    };
    name?: string;
    /**
     * 100 to 65000.
     * @default Azure's own value
     */
    priority?: number;
    rules?: ({
      description?: string;
      destinationAddresses?: string[];
      destinationPorts?: string[];
      name?: string;
      protocols?: ('Any' | 'ICMP' | 'TCP' | 'UDP')[];
      sourceAddresses?: string[];
      sourceIpGroups?: string[];
      translatedAddress?: string;
      translatedFqdn?: string;
      translatedPort?: string;
    })[];
  })[];
  /** @default Azure's own value */
  networkRuleCollections?: ({
    action?: {
      type?: 'Allow' | 'Deny';
    };
    name?: string;
    /**
     * 100 to 65000.
     * @default Azure's own value
     */
    priority?: number;
    rules?: ({
      description?: string;
      destinationAddresses?: string[];
      destinationFqdns?: string[];
      destinationIpGroups?: string[];
      destinationPorts?: string[];
      name?: string;
      protocols?: ('Any' | 'ICMP' | 'TCP' | 'UDP')[];
      sourceAddresses?: string[];
      sourceIpGroups?: string[];
    })[];
  })[];
  /**
   * Pricing tier.
   * @default Azure's own value
   */
  sku?: {
    /**
     * Name of the pricing tier.
     * @default Azure's own value
     */
    name?: 'AZFW_Hub' | 'AZFW_VNet';
    /**
     * Tier, where the name does not tell it.
     * @default Azure's own value
     */
    tier?: 'Basic' | 'Premium' | 'Standard';
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  threatIntelMode?: 'Alert' | 'Deny' | 'Off';
  /** @default Azure's own value */
  virtualHub?: {
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
  };
  /** @default Azure's own value */
  zones?: string[];
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface AzureFirewall {
  spec: AzureFirewallSpec;
  status?: ArmStatus;
}
