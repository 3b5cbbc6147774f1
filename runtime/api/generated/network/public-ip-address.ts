// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface PublicIPAddressSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  ddosSettings?: {
    /**
     * Only in v1api20201101.
     * @default Azure's own value
     */
    ddosCustomPolicy?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
    };
    ddosProtectionPlan?: {
      /**
       * By construct or ARM id: DdosProtectionPlan.
       * @default Azure's own value
       */
      reference?: ArmReference<'network.azure.com/DdosProtectionPlan'>;
    };
    /**
     * Only in v1api20201101.
     * @default Azure's own value
     */
    protectedIP?: boolean;
    /**
     * Only in v1api20201101.
     * @default Azure's own value
     */
    protectionCoverage?: 'Basic' | 'Standard';
    protectionMode?: 'Disabled' | 'Enabled' | 'VirtualNetworkInherited';
  };
  /** @default Azure's own value */
  deleteOption?: 'Delete' | 'Detach';
  /** @default Azure's own value */
  dnsSettings?: {
    domainNameLabel?: string;
    domainNameLabelScope?: 'NoReuse' | 'ResourceGroupReuse' | 'SubscriptionReuse' | 'TenantReuse';
    fqdn?: string;
    reverseFqdn?: string;
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
  idleTimeoutInMinutes?: number;
  /** @default Azure's own value */
  ipAddress?: string;
  /** @default Azure's own value */
  ipTags?: ({
    ipTagType?: string;
    tag?: string;
  })[];
  /** @default Azure's own value */
  linkedPublicIPAddress?: {
    /**
     * By construct or ARM id: PublicIPAddress.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/PublicIPAddress'>;
  };
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /** @default Azure's own value */
  natGateway?: {
    /**
     * By construct or ARM id: NatGateway.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/NatGateway'>;
  };
  /** @default Azure's own value */
  publicIPAddressVersion?: 'IPv4' | 'IPv6';
  /** @default Azure's own value */
  publicIPAllocationMethod?: 'Dynamic' | 'Static';
  /** @default Azure's own value */
  publicIPPrefix?: {
    /**
     * By construct or ARM id: PublicIPPrefix.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/PublicIPPrefix'>;
  };
  /** @default Azure's own value */
  servicePublicIPAddress?: {
    /**
     * By construct or ARM id: PublicIPAddress.
     * @default Azure's own value
     */
    reference?: ArmReference<'network.azure.com/PublicIPAddress'>;
  };
  /**
   * Pricing tier.
   * @default Azure's own value
   */
  sku?: {
    /**
     * Name of the pricing tier.
     * @default Azure's own value
     */
    name?: 'Basic' | 'Standard' | 'StandardV2';
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

export interface PublicIPAddress {
  spec: PublicIPAddressSpec;
  status?: ArmStatus;
}
