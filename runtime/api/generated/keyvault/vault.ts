// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface VaultSpec {
  /**
   * Name in Azure. Pattern: `^[a-zA-Z0-9-]{3,24}$`.
   * @default metadata.name
   */
  azureName?: string;
  /** Azure region, such as westeurope. */
  location: string;
  /** Properties of the resource. */
  properties: {
    /** @default Azure's own value */
    accessPolicies?: ({
      /**
       * Pattern: `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
       * @default Azure's own value
       */
      applicationId?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `applicationId`.
       * @default Azure's own value
       */
      applicationIdFromConfig?: ConfigMapKeyReference;
      objectId?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `objectId`.
       * @default Azure's own value
       */
      objectIdFromConfig?: ConfigMapKeyReference;
      permissions: {
        certificates?: ('all' | 'backup' | 'create' | 'delete' | 'deleteissuers' | 'get' | 'getissuers' | 'import' | 'list' | 'listissuers' | 'managecontacts' | 'manageissuers' | 'purge' | 'recover' | 'restore' | 'setissuers' | 'update')[];
        keys?: ('all' | 'backup' | 'create' | 'decrypt' | 'delete' | 'encrypt' | 'get' | 'getrotationpolicy' | 'import' | 'list' | 'purge' | 'recover' | 'release' | 'restore' | 'rotate' | 'setrotationpolicy' | 'sign' | 'unwrapKey' | 'update' | 'verify' | 'wrapKey')[];
        secrets?: ('all' | 'backup' | 'delete' | 'get' | 'list' | 'purge' | 'recover' | 'restore' | 'set')[];
        storage?: ('all' | 'backup' | 'delete' | 'deletesas' | 'get' | 'getsas' | 'list' | 'listsas' | 'purge' | 'recover' | 'regeneratekey' | 'restore' | 'set' | 'setsas' | 'update')[];
      };
      /**
       * Pattern: `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
       * @default Azure's own value
       */
      tenantId?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `tenantId`.
       * @default Azure's own value
       */
      tenantIdFromConfig?: ConfigMapKeyReference;
    })[];
    /** @default Azure's own value */
    createMode?: 'createOrRecover' | 'default' | 'purgeThenCreate' | 'recover';
    /** @default Azure's own value */
    enablePurgeProtection?: boolean;
    /** @default Azure's own value */
    enableRbacAuthorization?: boolean;
    /** @default Azure's own value */
    enableSoftDelete?: boolean;
    /** @default Azure's own value */
    enabledForDeployment?: boolean;
    /** @default Azure's own value */
    enabledForDiskEncryption?: boolean;
    /** @default Azure's own value */
    enabledForTemplateDeployment?: boolean;
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
      })[];
    };
    /** @default Azure's own value */
    provisioningState?: 'RegisteringDns' | 'Succeeded';
    /** @default Azure's own value */
    publicNetworkAccess?: string;
    /** Pricing tier. */
    sku: {
      /** Always `A`. */
      family: 'A';
      /** Name of the pricing tier. */
      name: 'premium' | 'standard';
    };
    /** @default Azure's own value */
    softDeleteRetentionInDays?: number;
    /**
     * Pattern: `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
     * @default Azure's own value
     */
    tenantId?: string;
    /**
     * A value of a ConfigMap of this namespace, in place of `tenantId`.
     * @default Azure's own value
     */
    tenantIdFromConfig?: ConfigMapKeyReference;
    /** @default Azure's own value */
    vaultUri?: string;
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

export interface Vault {
  spec: VaultSpec;
  status?: ArmStatus;
}
