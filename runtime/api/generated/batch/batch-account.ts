// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface BatchAccountSpec {
  /**
   * Name in Azure. 3 to 24 characters. Pattern: `(?:(?:^[a-zA-Z0-9]+$)|(?:^[a-z0-9]+$))|(?:^[a-z0-9]+$)`.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  allowedAuthenticationModes?: ('AAD' | 'SharedKey' | 'TaskAuthenticationToken')[];
  /** @default Azure's own value */
  autoStorage?: {
    authenticationMode?: 'BatchAccountManagedIdentity' | 'StorageKeys';
    nodeIdentityReference?: {
      /**
       * By construct or ARM id: UserAssignedIdentity.
       * @default Azure's own value
       */
      resourceReference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
    };
    /** By construct or ARM id: StorageAccount. */
    storageAccountReference: ArmReference<'storage.azure.com/StorageAccount'>;
  };
  /** @default Azure's own value */
  encryption?: {
    keySource?: 'Microsoft.Batch' | 'Microsoft.KeyVault';
    keyVaultProperties?: {
      keyIdentifier?: string;
    };
  };
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /** Which managed identities it uses: its own, user-assigned ones, or both. */
    type: 'None' | 'SystemAssigned' | 'UserAssigned';
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
  keyVaultReference?: {
    /** By construct or ARM id: Vault. */
    reference: ArmReference<'keyvault.azure.com/Vault'>;
    url: string;
  };
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  networkProfile?: {
    accountAccess?: {
      defaultAction: 'Allow' | 'Deny';
      ipRules?: ({
        /** Always `Allow`. */
        action: 'Allow';
        value: string;
      })[];
    };
    nodeManagementAccess?: {
      defaultAction: 'Allow' | 'Deny';
      ipRules?: ({
        /** Always `Allow`. */
        action: 'Allow';
        value: string;
      })[];
    };
  };
  /** @default Azure's own value */
  poolAllocationMode?: 'BatchService' | 'UserSubscription';
  /** @default Azure's own value */
  publicNetworkAccess?: 'Disabled' | 'Enabled' | 'SecuredByPerimeter';
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

export interface BatchAccount {
  spec: BatchAccountSpec;
  status?: ArmStatus;
}
