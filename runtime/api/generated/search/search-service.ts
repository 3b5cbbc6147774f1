// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface SearchServiceSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  authOptions?: {
    aadOrApiKey?: {
      aadAuthFailureMode?: 'http401WithBearerChallenge' | 'http403';
    };
  };
  /** @default Azure's own value */
  disableLocalAuth?: boolean;
  /** @default Azure's own value */
  encryptionWithCmk?: {
    enforcement?: 'Disabled' | 'Enabled' | 'Unspecified';
  };
  /** @default Azure's own value */
  hostingMode?: 'default' | 'highDensity';
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /** Which managed identities it uses: its own, user-assigned ones, or both. */
    type: 'None' | 'SystemAssigned';
  };
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  networkRuleSet?: {
    ipRules?: ({
      value?: string;
    })[];
  };
  /**
   * 1 to 12.
   * @default Azure's own value
   */
  partitionCount?: number;
  /** @default Azure's own value */
  publicNetworkAccess?: 'disabled' | 'enabled';
  /**
   * 1 to 12.
   * @default Azure's own value
   */
  replicaCount?: number;
  /** @default Azure's own value */
  semanticSearch?: 'disabled' | 'free' | 'standard';
  /**
   * Pricing tier.
   * @default Azure's own value
   */
  sku?: {
    /**
     * Name of the pricing tier.
     * @default Azure's own value
     */
    name?: 'basic' | 'free' | 'standard' | 'standard2' | 'standard3' | 'storage_optimized_l1' | 'storage_optimized_l2';
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
  operatorSpec?: OperatorSpec<'adminPrimaryKey' | 'adminSecondaryKey' | 'queryKey', 'identityPrincipalId' | 'identityTenantId', 'adminPrimaryKey' | 'adminSecondaryKey' | 'queryKey'>;
}

export interface SearchService {
  spec: SearchServiceSpec;
  status?: ArmStatus;
}
