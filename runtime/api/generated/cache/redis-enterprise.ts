// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface RedisEnterpriseSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * Encryption of the data at rest.
   * @default Azure's own value
   */
  encryption?: {
    /**
     * Encryption with a key of your own; Azure manages the key where this is absent.
     * @default Azure's own value
     */
    customerManagedKeyEncryption?: {
      /**
       * The identity that reads the key from the vault.
       * @default Azure's own value
       */
      keyEncryptionKeyIdentity?: {
        /**
         * Whether the cluster's own identity or a user-assigned one reads the key.
         * @default Azure's own value
         */
        identityType?: 'systemAssignedIdentity' | 'userAssignedIdentity';
        /**
         * By construct or ARM id: UserAssignedIdentity.
         * @default Azure's own value
         */
        userAssignedIdentityResourceReference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
      };
      /**
       * Address of the key in the vault, with its version.
       * @default Azure's own value
       */
      keyEncryptionKeyUrl?: string;
    };
  };
  /**
   * Whether the data have a replica; without one the cluster has no guarantee of availability.
   * @default Azure's own value
   */
  highAvailability?: 'Disabled' | 'Enabled';
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
  /**
   * Generation of the offer, which follows from the SKU.
   * @default Azure's own value
   */
  kind?: 'v1' | 'v2';
  /** Azure region, such as westeurope. */
  location: string;
  /**
   * The oldest TLS version that clients may use.
   * @default Azure's own value
   */
  minimumTlsVersion?: '1.0' | '1.1' | '1.2';
  /**
   * Whether clients reach the cluster other than by a private endpoint.
   * @default Azure's own value
   */
  publicNetworkAccess?: 'Disabled' | 'Enabled';
  /** Pricing tier. */
  sku: {
    /**
     * Number of units.
     * @default Azure's own value
     */
    capacity?: number;
    /** Name of the pricing tier. */
    name: 'Balanced_B0' | 'Balanced_B1' | 'Balanced_B10' | 'Balanced_B100' | 'Balanced_B1000' | 'Balanced_B150' | 'Balanced_B20' | 'Balanced_B250' | 'Balanced_B3' | 'Balanced_B350' | 'Balanced_B5' | 'Balanced_B50' | 'Balanced_B500' | 'Balanced_B700' | 'ComputeOptimized_X10' | 'ComputeOptimized_X100' | 'ComputeOptimized_X150' | 'ComputeOptimized_X20' | 'ComputeOptimized_X250' | 'ComputeOptimized_X3' | 'ComputeOptimized_X350' | 'ComputeOptimized_X5' | 'ComputeOptimized_X50' | 'ComputeOptimized_X500' | 'ComputeOptimized_X700' | 'EnterpriseFlash_F1500' | 'EnterpriseFlash_F300' | 'EnterpriseFlash_F700' | 'Enterprise_E1' | 'Enterprise_E10' | 'Enterprise_E100' | 'Enterprise_E20' | 'Enterprise_E200' | 'Enterprise_E400' | 'Enterprise_E5' | 'Enterprise_E50' | 'FlashOptimized_A1000' | 'FlashOptimized_A1500' | 'FlashOptimized_A2000' | 'FlashOptimized_A250' | 'FlashOptimized_A4500' | 'FlashOptimized_A500' | 'FlashOptimized_A700' | 'MemoryOptimized_M10' | 'MemoryOptimized_M100' | 'MemoryOptimized_M1000' | 'MemoryOptimized_M150' | 'MemoryOptimized_M1500' | 'MemoryOptimized_M20' | 'MemoryOptimized_M2000' | 'MemoryOptimized_M250' | 'MemoryOptimized_M350' | 'MemoryOptimized_M50' | 'MemoryOptimized_M500' | 'MemoryOptimized_M700';
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /**
   * Availability zones of the cluster.
   * @default Azure's own value
   */
  zones?: string[];
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface RedisEnterprise {
  spec: RedisEnterpriseSpec;
  status?: ArmStatus;
}
