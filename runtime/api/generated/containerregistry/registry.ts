// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface RegistrySpec {
  /**
   * Name in Azure. 5 to 50 characters. Pattern: `^[a-zA-Z0-9]*$`.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  adminUserEnabled?: boolean;
  /** @default Azure's own value */
  dataEndpointEnabled?: boolean;
  /** @default Azure's own value */
  encryption?: {
    keyVaultProperties?: {
      identity?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `identity`.
       * @default Azure's own value
       */
      identityFromConfig?: ConfigMapKeyReference;
      keyIdentifier?: string;
    };
    status?: 'disabled' | 'enabled';
  };
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /**
     * Only in v1api20210901.
     * @default Azure's own value
     */
    principalId?: string;
    /**
     * Only in v1api20210901.
     * @default Azure's own value
     */
    tenantId?: string;
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
  networkRuleBypassOptions?: 'AzureServices' | 'None';
  /** @default Azure's own value */
  networkRuleSet?: {
    defaultAction: 'Allow' | 'Deny';
    ipRules?: ({
      /**
       * Always `Allow`.
       * @default Azure's own value
       */
      action?: 'Allow';
      /** IPv4 address or range in CIDR notation. */
      value: string;
    })[];
  };
  /** @default Azure's own value */
  policies?: {
    exportPolicy?: {
      status?: 'disabled' | 'enabled';
    };
    quarantinePolicy?: {
      status?: 'disabled' | 'enabled';
    };
    retentionPolicy?: {
      days?: number;
      status?: 'disabled' | 'enabled';
    };
    trustPolicy?: {
      status?: 'disabled' | 'enabled';
      /**
       * Always `Notary`.
       * @default Azure's own value
       */
      type?: 'Notary';
    };
  };
  /** @default Azure's own value */
  publicNetworkAccess?: 'Disabled' | 'Enabled';
  /** Pricing tier. */
  sku: {
    /** Name of the pricing tier. */
    name: 'Basic' | 'Classic' | 'Premium' | 'Standard';
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  zoneRedundancy?: 'Disabled' | 'Enabled';
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<'adminPassword' | 'adminPassword2' | 'adminUsername' | 'loginServer', never, 'adminPassword' | 'adminPassword2' | 'adminUsername' | 'loginServer'>;
}

export interface Registry {
  spec: RegistrySpec;
  status?: ArmStatus;
}
