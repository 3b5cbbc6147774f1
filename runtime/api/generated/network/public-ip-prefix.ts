// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface PublicIPPrefixSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  customIPPrefix?: {
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
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
  ipTags?: ({
    ipTagType?: string;
    tag?: string;
  })[];
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
  prefixLength?: number;
  /** @default Azure's own value */
  publicIPAddressVersion?: 'IPv4' | 'IPv6';
  /**
   * Pricing tier.
   * @default Azure's own value
   */
  sku?: {
    /**
     * Name of the pricing tier.
     * @default Azure's own value
     */
    name?: 'Standard' | 'StandardV2';
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

export interface PublicIPPrefix {
  spec: PublicIPPrefixSpec;
  status?: ArmStatus;
}
