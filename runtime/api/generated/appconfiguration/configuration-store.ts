// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface ConfigurationStoreSpec {
  /**
   * Name in Azure. 5 to 50 characters. Pattern: `^[a-zA-Z0-9_-]*$`.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  createMode?: 'Default' | 'Recover';
  /**
   * How Resource Manager reads and writes key-values on behalf of its callers.
   * @default Azure's own value
   */
  dataPlaneProxy?: {
    /**
     * By what Resource Manager is authorized: access keys of the store (Local), or the caller's own roles (Pass-through).
     * @default Azure's own value
     */
    authenticationMode?: 'Local' | 'Pass-through';
    /**
     * Whether a store that requires private link accepts requests through Resource Manager's private link.
     * @default Azure's own value
     */
    privateLinkDelegation?: 'Disabled' | 'Enabled';
  };
  /**
   * How long the store keeps former values of a key, in seconds.
   * @default Azure's own value
   */
  defaultKeyValueRevisionRetentionPeriodInSeconds?: number;
  /** @default Azure's own value */
  disableLocalAuth?: boolean;
  /** @default Azure's own value */
  enablePurgeProtection?: boolean;
  /** @default Azure's own value */
  encryption?: {
    keyVaultProperties?: {
      identityClientId?: string;
      keyIdentifier?: string;
    };
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
  /** @default Azure's own value */
  publicNetworkAccess?: 'Disabled' | 'Enabled';
  /** Pricing tier. */
  sku: {
    /** Name of the pricing tier. */
    name: string;
  };
  /** @default Azure's own value */
  softDeleteRetentionInDays?: number;
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
  operatorSpec?: OperatorSpec<'primaryConnectionString' | 'primaryKey' | 'primaryKeyID' | 'primaryReadOnlyConnectionString' | 'primaryReadOnlyKey' | 'primaryReadOnlyKeyID' | 'secondaryConnectionString' | 'secondaryKey' | 'secondaryKeyID' | 'secondaryReadOnlyConnectionString' | 'secondaryReadOnlyKey' | 'secondaryReadOnlyKeyID', never, 'primaryConnectionString' | 'primaryKey' | 'primaryKeyID' | 'primaryReadOnlyConnectionString' | 'primaryReadOnlyKey' | 'primaryReadOnlyKeyID' | 'secondaryConnectionString' | 'secondaryKey' | 'secondaryKeyID' | 'secondaryReadOnlyConnectionString' | 'secondaryReadOnlyKey' | 'secondaryReadOnlyKeyID'>;
}

export interface ConfigurationStore {
  spec: ConfigurationStoreSpec;
  status?: ArmStatus;
}
