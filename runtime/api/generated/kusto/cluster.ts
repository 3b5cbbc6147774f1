// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface ClusterSpec {
  /**
   * Name in Azure. Pattern: `^.*$`.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  acceptedAudiences?: ({
    value?: string;
  })[];
  /** @default Azure's own value */
  allowedFqdnList?: string[];
  /** @default Azure's own value */
  allowedIpRangeList?: string[];
  /**
   * Which hosts the cluster may call.
   * @default Azure's own value
   */
  calloutPolicies?: ({
    /**
     * Kind of the service that the policy is for.
     * @default Azure's own value
     */
    calloutType?: 'azure_digital_twins' | 'azure_openai' | 'cosmosdb' | 'external_data' | 'genevametrics' | 'kusto' | 'mysql' | 'postgresql' | 'sandbox_artifacts' | 'sql' | 'webapi';
    /**
     * Regular expression for the addresses that the policy is for.
     * @default Azure's own value
     */
    calloutUriRegex?: string;
    /**
     * Whether calls to these addresses are allowed.
     * @default Azure's own value
     */
    outboundAccess?: 'Allow' | 'Deny';
  })[];
  /** @default Azure's own value */
  enableAutoStop?: boolean;
  /** @default Azure's own value */
  enableDiskEncryption?: boolean;
  /** @default Azure's own value */
  enableDoubleEncryption?: boolean;
  /** @default Azure's own value */
  enablePurge?: boolean;
  /** @default Azure's own value */
  enableStreamingIngest?: boolean;
  /** @default Azure's own value */
  engineType?: 'V2' | 'V3';
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
  /** @default Azure's own value */
  keyVaultProperties?: {
    keyName?: string;
    keyVaultUri?: string;
    keyVersion?: string;
    /**
     * By construct or ARM id: UserAssignedIdentity.
     * @default Azure's own value
     */
    userIdentityReference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
  };
  /** @default Azure's own value */
  languageExtensions?: {
    value?: ({
      languageExtensionCustomImageName?: string;
      languageExtensionImageName?: 'Python3_10_8' | 'Python3_10_8_DL' | 'Python3_11_7' | 'Python3_11_7_DL' | 'Python3_6_5' | 'PythonCustomImage' | 'R';
      languageExtensionName?: 'PYTHON' | 'R';
    })[];
  };
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  optimizedAutoscale?: {
    isEnabled: boolean;
    maximum: number;
    minimum: number;
    version: number;
  };
  /** @default Azure's own value */
  publicIPType?: 'DualStack' | 'IPv4';
  /** @default Azure's own value */
  publicNetworkAccess?: 'Disabled' | 'Enabled';
  /** @default Azure's own value */
  restrictOutboundNetworkAccess?: 'Disabled' | 'Enabled';
  /** Pricing tier. */
  sku: {
    /**
     * Number of units.
     * @default Azure's own value
     */
    capacity?: number;
    /** Name of the pricing tier. */
    name: 'Dev(No SLA)_Standard_D11_v2' | 'Dev(No SLA)_Standard_E2a_v4' | 'Standard_D11_v2' | 'Standard_D12_v2' | 'Standard_D13_v2' | 'Standard_D14_v2' | 'Standard_D16d_v5' | 'Standard_D32d_v4' | 'Standard_D32d_v5' | 'Standard_DS13_v2+1TB_PS' | 'Standard_DS13_v2+2TB_PS' | 'Standard_DS14_v2+3TB_PS' | 'Standard_DS14_v2+4TB_PS' | 'Standard_E16a_v4' | 'Standard_E16ads_v5' | 'Standard_E16as_v4+3TB_PS' | 'Standard_E16as_v4+4TB_PS' | 'Standard_E16as_v5+3TB_PS' | 'Standard_E16as_v5+4TB_PS' | 'Standard_E16d_v4' | 'Standard_E16d_v5' | 'Standard_E16s_v4+3TB_PS' | 'Standard_E16s_v4+4TB_PS' | 'Standard_E16s_v5+3TB_PS' | 'Standard_E16s_v5+4TB_PS' | 'Standard_E2a_v4' | 'Standard_E2ads_v5' | 'Standard_E2d_v4' | 'Standard_E2d_v5' | 'Standard_E4a_v4' | 'Standard_E4ads_v5' | 'Standard_E4d_v4' | 'Standard_E4d_v5' | 'Standard_E64i_v3' | 'Standard_E80ids_v4' | 'Standard_E8a_v4' | 'Standard_E8ads_v5' | 'Standard_E8as_v4+1TB_PS' | 'Standard_E8as_v4+2TB_PS' | 'Standard_E8as_v5+1TB_PS' | 'Standard_E8as_v5+2TB_PS' | 'Standard_E8d_v4' | 'Standard_E8d_v5' | 'Standard_E8s_v4+1TB_PS' | 'Standard_E8s_v4+2TB_PS' | 'Standard_E8s_v5+1TB_PS' | 'Standard_E8s_v5+2TB_PS' | 'Standard_EC16ads_v5' | 'Standard_EC16as_v5+3TB_PS' | 'Standard_EC16as_v5+4TB_PS' | 'Standard_EC8ads_v5' | 'Standard_EC8as_v5+1TB_PS' | 'Standard_EC8as_v5+2TB_PS' | 'Standard_L16as_v3' | 'Standard_L16s' | 'Standard_L16s_v2' | 'Standard_L16s_v3' | 'Standard_L32as_v3' | 'Standard_L32s_v3' | 'Standard_L4s' | 'Standard_L8as_v3' | 'Standard_L8s' | 'Standard_L8s_v2' | 'Standard_L8s_v3';
    /** Tier, where the name does not tell it. */
    tier: 'Basic' | 'Standard';
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  trustedExternalTenants?: ({
    value?: string;
  })[];
  /**
   * A value of a Secret of this namespace: an export of another resource, or name and key.
   * @default Azure's own value
   */
  virtualClusterGraduationProperties?: SecretKeyReference;
  /** @default Azure's own value */
  virtualNetworkConfiguration?: {
    /** By construct or ARM id: PublicIPAddress. */
    dataManagementPublicIpReference: ArmReference<'network.azure.com/PublicIPAddress'>;
    /** By construct or ARM id: PublicIPAddress. */
    enginePublicIpReference: ArmReference<'network.azure.com/PublicIPAddress'>;
    state?: 'Disabled' | 'Enabled';
    /** By construct or ARM id: VirtualNetworksSubnet. */
    subnetReference: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
  };
  /** @default Azure's own value */
  zones?: string[];
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, 'clusterPrincipalId' | 'clusterTenantId'>;
}

export interface Cluster {
  spec: ClusterSpec;
  status?: ArmStatus;
}
