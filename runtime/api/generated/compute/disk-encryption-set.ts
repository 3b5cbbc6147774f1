// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface DiskEncryptionSetSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  activeKey?: {
    keyUrl?: string;
    /**
     * A value of a ConfigMap of this namespace, in place of `keyUrl`.
     * @default Azure's own value
     */
    keyUrlFromConfig?: ConfigMapKeyReference;
    sourceVault?: {
      /**
       * By construct or ARM id: Vault.
       * @default Azure's own value
       */
      reference?: ArmReference<'keyvault.azure.com/Vault'>;
    };
  };
  /** @default Azure's own value */
  encryptionType?: 'ConfidentialVmEncryptedWithCustomerKey' | 'EncryptionAtRestWithCustomerKey' | 'EncryptionAtRestWithPlatformAndCustomerKeys';
  /** @default Azure's own value */
  federatedClientId?: string;
  /**
   * A value of a ConfigMap of this namespace, in place of `federatedClientId`.
   * @default Azure's own value
   */
  federatedClientIdFromConfig?: ConfigMapKeyReference;
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
  /** @default Azure's own value */
  rotationToLatestKeyVersionEnabled?: boolean;
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

export interface DiskEncryptionSet {
  spec: DiskEncryptionSetSpec;
  status?: ArmStatus;
}
