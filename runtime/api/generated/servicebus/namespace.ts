// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface NamespaceSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  alternateName?: string;
  /** @default Azure's own value */
  disableLocalAuth?: boolean;
  /** @default Azure's own value */
  encryption?: {
    /**
     * Always `Microsoft.KeyVault`.
     * @default Azure's own value
     */
    keySource?: 'Microsoft.KeyVault';
    keyVaultProperties?: ({
      /**
       * The identity that reads the key from the vault.
       * @default Azure's own value
       */
      identity?: {
        /**
         * By construct or ARM id: UserAssignedIdentity.
         * @default Azure's own value
         */
        userAssignedIdentityReference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
      };
      keyName?: string;
      keyVaultUri?: string;
      keyVersion?: string;
    })[];
    requireInfrastructureEncryption?: boolean;
  };
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
  /** Azure region, such as westeurope. */
  location: string;
  /**
   * The oldest TLS version that clients may use.
   * @default Azure's own value
   */
  minimumTlsVersion?: '1.0' | '1.1' | '1.2';
  /**
   * Number of partitions of a Premium namespace; fixed at creation.
   * @default Azure's own value
   */
  premiumMessagingPartitions?: number;
  /**
   * Whether clients reach the namespace other than by a private endpoint.
   * @default Azure's own value
   */
  publicNetworkAccess?: 'Disabled' | 'Enabled' | 'SecuredByPerimeter';
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
    /** Name of the pricing tier. */
    name: 'Basic' | 'Premium' | 'Standard';
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
  zoneRedundant?: boolean;
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<'endpoint' | 'primaryConnectionString' | 'primaryKey' | 'secondaryConnectionString' | 'secondaryKey', never, 'endpoint' | 'primaryConnectionString' | 'primaryKey' | 'secondaryConnectionString' | 'secondaryKey'>;
}

export interface Namespace {
  spec: NamespaceSpec;
  status?: ArmStatus;
}
