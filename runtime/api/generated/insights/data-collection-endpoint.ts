// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface DataCollectionEndpointSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  description?: string;
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /** Which managed identities it uses: its own, user-assigned ones, or both. */
    type: 'None' | 'SystemAssigned' | 'SystemAssigned,UserAssigned' | 'UserAssigned';
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
  kind?: 'Linux' | 'Windows';
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  networkAcls?: {
    publicNetworkAccess?: 'Disabled' | 'Enabled' | 'SecuredByPerimeter';
  };
  /**
   * Pricing tier.
   * @default Azure's own value
   */
  sku?: {
    /**
     * Number of units.
     * @default Azure's own value
     */
    capacity?: number;
    /**
     * Family of the hardware, where the service has several.
     * @default Azure's own value
     */
    family?: string;
    /** Name of the pricing tier. */
    name: string;
    /**
     * Size, where the name does not tell it.
     * @default Azure's own value
     */
    size?: string;
    /**
     * Tier, where the name does not tell it.
     * @default Azure's own value
     */
    tier?: 'Basic' | 'Free' | 'Premium' | 'Standard';
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

export interface DataCollectionEndpoint {
  spec: DataCollectionEndpointSpec;
  status?: ArmStatus;
}
