// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface AccountSpec {
  /**
   * Name in Azure. 2 to 64 characters. Pattern: `^[a-zA-Z0-9][a-zA-Z0-9_.-]*$`.
   * @default metadata.name
   */
  azureName?: string;
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
  kind?: string;
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /**
   * Properties of the resource.
   * @default Azure's own value
   */
  properties?: {
    /** @default Azure's own value */
    allowProjectManagement?: boolean;
    /**
     * Host names that the account may call while its outbound access is restricted.
     * @default Azure's own value
     */
    allowedFqdnList?: string[];
    /** @default Azure's own value */
    amlWorkspace?: {
      identityClientId?: string;
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      resourceReference?: ArmReference;
    };
    /** @default Azure's own value */
    apiProperties?: {
      /**
       * At most 500 characters.
       * @default Azure's own value
       */
      aadClientId?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `aadClientId`.
       * @default Azure's own value
       */
      aadClientIdFromConfig?: ConfigMapKeyReference;
      /**
       * At most 500 characters.
       * @default Azure's own value
       */
      aadTenantId?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `aadTenantId`.
       * @default Azure's own value
       */
      aadTenantIdFromConfig?: ConfigMapKeyReference;
      /**
       * Properties of the account's kind that have no field of their own, by name.
       * @default Azure's own value
       */
      additionalProperties?: Record<string, unknown>;
      /**
       * A value of a Secret of this namespace: an export of another resource, or name and key.
       * @default Azure's own value
       */
      eventHubConnectionString?: SecretKeyReference;
      qnaAzureSearchEndpointId?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `qnaAzureSearchEndpointId`.
       * @default Azure's own value
       */
      qnaAzureSearchEndpointIdFromConfig?: ConfigMapKeyReference;
      /**
       * A value of a Secret of this namespace: an export of another resource, or name and key.
       * @default Azure's own value
       */
      qnaAzureSearchEndpointKey?: SecretKeyReference;
      qnaRuntimeEndpoint?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `qnaRuntimeEndpoint`.
       * @default Azure's own value
       */
      qnaRuntimeEndpointFromConfig?: ConfigMapKeyReference;
      statisticsEnabled?: boolean;
      /**
       * A value of a Secret of this namespace: an export of another resource, or name and key.
       * @default Azure's own value
       */
      storageAccountConnectionString?: SecretKeyReference;
      /**
       * At most 500 characters.
       * @default Azure's own value
       */
      superUser?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `superUser`.
       * @default Azure's own value
       */
      superUserFromConfig?: ConfigMapKeyReference;
      /**
       * At most 500 characters.
       * @default Azure's own value
       */
      websiteName?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `websiteName`.
       * @default Azure's own value
       */
      websiteNameFromConfig?: ConfigMapKeyReference;
    };
    /** @default Azure's own value */
    associatedProjects?: string[];
    /** @default Azure's own value */
    customSubDomainName?: string;
    /** @default Azure's own value */
    defaultProject?: string;
    /**
     * Whether clients must sign in by Microsoft Entra ID, not with keys.
     * @default Azure's own value
     */
    disableLocalAuth?: boolean;
    /** @default Azure's own value */
    dynamicThrottlingEnabled?: boolean;
    /** @default Azure's own value */
    encryption?: {
      keySource?: 'Microsoft.CognitiveServices' | 'Microsoft.KeyVault';
      keyVaultProperties?: {
        /**
         * Client id of the identity that reads the key from the vault.
         * @default Azure's own value
         */
        identityClientId?: string;
        keyName?: string;
        keyVaultUri?: string;
        keyVersion?: string;
      };
    };
    /** @default Azure's own value */
    locations?: {
      regions?: ({
        customsubdomain?: string;
        name?: string;
        value?: number;
      })[];
      routingMethod?: 'Performance' | 'Priority' | 'Weighted';
    };
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    migrationToken?: SecretKeyReference;
    /** @default Azure's own value */
    networkAcls?: {
      bypass?: 'AzureServices' | 'None';
      defaultAction?: 'Allow' | 'Deny';
      ipRules?: ({
        value: string;
      })[];
      virtualNetworkRules?: ({
        ignoreMissingVnetServiceEndpoint?: boolean;
        /** By construct or ARM id: VirtualNetworksSubnet. */
        reference: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
        state?: string;
      })[];
    };
    /** @default Azure's own value */
    networkInjections?: ({
      scenario?: 'agent' | 'none';
      /**
       * By construct or ARM id: VirtualNetworksSubnet.
       * @default Azure's own value
       */
      subnetArmReference?: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
      useMicrosoftManagedNetwork?: boolean;
    })[];
    /** @default Azure's own value */
    publicNetworkAccess?: 'Disabled' | 'Enabled';
    /** @default Azure's own value */
    raiMonitorConfig?: {
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      adxStorageResourceReference?: ArmReference;
      identityClientId?: string;
    };
    /**
     * Whether to restore the deleted account of this name instead of creating a new one.
     * @default Azure's own value
     */
    restore?: boolean;
    /**
     * Whether the account may call only the hosts of allowedFqdnList.
     * @default Azure's own value
     */
    restrictOutboundNetworkAccess?: boolean;
    /** @default Azure's own value */
    userOwnedStorage?: ({
      /**
       * Client id of the identity that uses the storage account.
       * @default Azure's own value
       */
      identityClientId?: string;
      /**
       * By construct or ARM id: StorageAccount.
       * @default Azure's own value
       */
      resourceReference?: ArmReference<'storage.azure.com/StorageAccount'>;
    })[];
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
    tier?: 'Basic' | 'Enterprise' | 'Free' | 'Premium' | 'Standard';
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
  operatorSpec?: OperatorSpec<'key1' | 'key2', never, 'key1' | 'key2'>;
}

export interface Account {
  spec: AccountSpec;
  status?: ArmStatus;
}
