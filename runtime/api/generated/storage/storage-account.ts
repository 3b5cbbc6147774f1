// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface StorageAccountSpec {
  /**
   * Name in Azure. 3 to 24 characters. Pattern: `^[a-z0-9]+$`.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  accessTier?: 'Cold' | 'Cool' | 'Hot' | 'Premium';
  /** @default Azure's own value */
  allowBlobPublicAccess?: boolean;
  /** @default Azure's own value */
  allowCrossTenantReplication?: boolean;
  /** @default Azure's own value */
  allowSharedKeyAccess?: boolean;
  /** @default Azure's own value */
  allowedCopyScope?: 'AAD' | 'PrivateLink';
  /** @default Azure's own value */
  azureFilesIdentityBasedAuthentication?: {
    activeDirectoryProperties?: {
      accountType?: 'Computer' | 'User';
      azureStorageSid?: string;
      domainGuid?: string;
      domainName?: string;
      domainSid?: string;
      forestName?: string;
      netBiosDomainName?: string;
      samAccountName?: string;
    };
    defaultSharePermission?: 'None' | 'StorageFileDataSmbShareContributor' | 'StorageFileDataSmbShareElevatedContributor' | 'StorageFileDataSmbShareOwner' | 'StorageFileDataSmbShareReader';
    directoryServiceOptions: 'AADDS' | 'AADKERB' | 'AD' | 'None';
    smbOAuthSettings?: {
      isSmbOAuthEnabled?: boolean;
    };
  };
  /** @default Azure's own value */
  customDomain?: {
    name: string;
    useSubDomainName?: boolean;
  };
  /** @default Azure's own value */
  defaultToOAuthAuthentication?: boolean;
  /** @default Azure's own value */
  dnsEndpointType?: 'AzureDnsZone' | 'Standard';
  /** @default Azure's own value */
  dualStackEndpointPreference?: {
    publishIpv6Endpoint?: boolean;
  };
  /** @default Azure's own value */
  enableExtendedGroups?: boolean;
  /** @default Azure's own value */
  encryption?: {
    identity?: {
      federatedIdentityClientId?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `federatedIdentityClientId`.
       * @default Azure's own value
       */
      federatedIdentityClientIdFromConfig?: ConfigMapKeyReference;
      /**
       * By construct or ARM id: UserAssignedIdentity.
       * @default Azure's own value
       */
      userAssignedIdentityReference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
    };
    keySource?: 'Microsoft.Keyvault' | 'Microsoft.Storage';
    keyvaultproperties?: {
      keyname?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `keyname`.
       * @default Azure's own value
       */
      keynameFromConfig?: ConfigMapKeyReference;
      keyvaulturi?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `keyvaulturi`.
       * @default Azure's own value
       */
      keyvaulturiFromConfig?: ConfigMapKeyReference;
      keyversion?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `keyversion`.
       * @default Azure's own value
       */
      keyversionFromConfig?: ConfigMapKeyReference;
    };
    requireInfrastructureEncryption?: boolean;
    services?: {
      blob?: {
        enabled?: boolean;
        keyType?: 'Account' | 'Service';
      };
      file?: {
        enabled?: boolean;
        keyType?: 'Account' | 'Service';
      };
      queue?: {
        enabled?: boolean;
        keyType?: 'Account' | 'Service';
      };
      table?: {
        enabled?: boolean;
        keyType?: 'Account' | 'Service';
      };
    };
  };
  /** @default Azure's own value */
  extendedLocation?: {
    name?: string;
    /**
     * Always `EdgeZone`.
     * @default Azure's own value
     */
    type?: 'EdgeZone';
  };
  /** @default Azure's own value */
  geoPriorityReplicationStatus?: {
    isBlobEnabled?: boolean;
  };
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /** Which managed identities it uses: its own, user-assigned ones, or both. */
    type: 'None' | 'SystemAssigned' | 'SystemAssigned,UserAssigned' | 'UserAssigned';
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
  immutableStorageWithVersioning?: {
    enabled?: boolean;
    immutabilityPolicy?: {
      allowProtectedAppendWrites?: boolean;
      /**
       * 1 to 146000.
       * @default Azure's own value
       */
      immutabilityPeriodSinceCreationInDays?: number;
      state?: 'Disabled' | 'Locked' | 'Unlocked';
    };
  };
  /** @default Azure's own value */
  isHnsEnabled?: boolean;
  /** @default Azure's own value */
  isLocalUserEnabled?: boolean;
  /** @default Azure's own value */
  isNfsV3Enabled?: boolean;
  /** @default Azure's own value */
  isSftpEnabled?: boolean;
  /** @default Azure's own value */
  keyPolicy?: {
    keyExpirationPeriodInDays: number;
  };
  kind: 'BlobStorage' | 'BlockBlobStorage' | 'FileStorage' | 'Storage' | 'StorageV2';
  /** @default Azure's own value */
  largeFileSharesState?: 'Disabled' | 'Enabled';
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  minimumTlsVersion?: 'TLS1_0' | 'TLS1_1' | 'TLS1_2' | 'TLS1_3';
  /** @default Azure's own value */
  networkAcls?: {
    bypass?: string;
    defaultAction: 'Allow' | 'Deny';
    /** @default sent as null */
    ipRules?: ({
      /**
       * Always `Allow`.
       * @default Azure's own value
       */
      action?: 'Allow';
      /**
       * Public IPv4 address or range in CIDR notation.
       * @default Azure's own value
       */
      value?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `value`.
       * @default Azure's own value
       */
      valueFromConfig?: ConfigMapKeyReference;
    })[];
    /** @default sent as null */
    ipv6Rules?: ({
      /**
       * Always `Allow`.
       * @default Azure's own value
       */
      action?: 'Allow';
      /**
       * Public IPv6 address or range in CIDR notation.
       * @default Azure's own value
       */
      value?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `value`.
       * @default Azure's own value
       */
      valueFromConfig?: ConfigMapKeyReference;
    })[];
    /** @default sent as null */
    resourceAccessRules?: ({
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      resourceReference?: ArmReference;
      tenantId?: string;
    })[];
    /** @default sent as null */
    virtualNetworkRules?: ({
      /**
       * Always `Allow`.
       * @default Azure's own value
       */
      action?: 'Allow';
      /** By construct or ARM id: VirtualNetworksSubnet. */
      reference: ArmReference<'network.azure.com/VirtualNetworksSubnet'>;
      state?: 'Deprovisioning' | 'Failed' | 'NetworkSourceDeleted' | 'Provisioning' | 'Succeeded';
    })[];
  };
  /** @default Azure's own value */
  placement?: {
    zonePlacementPolicy?: 'Any' | 'None';
  };
  /** @default Azure's own value */
  publicNetworkAccess?: 'Disabled' | 'Enabled' | 'SecuredByPerimeter';
  /** @default Azure's own value */
  routingPreference?: {
    publishInternetEndpoints?: boolean;
    publishMicrosoftEndpoints?: boolean;
    routingChoice?: 'InternetRouting' | 'MicrosoftRouting';
  };
  /** @default Azure's own value */
  sasPolicy?: {
    expirationAction: 'Block' | 'Log';
    sasExpirationPeriod: string;
  };
  /** Pricing tier. */
  sku: {
    /** Name of the pricing tier. */
    name: 'PremiumV2_LRS' | 'PremiumV2_ZRS' | 'Premium_LRS' | 'Premium_ZRS' | 'StandardV2_GRS' | 'StandardV2_GZRS' | 'StandardV2_LRS' | 'StandardV2_ZRS' | 'Standard_GRS' | 'Standard_GZRS' | 'Standard_LRS' | 'Standard_RAGRS' | 'Standard_RAGZRS' | 'Standard_ZRS';
    /**
     * Tier, where the name does not tell it. Only in v20230101, v1api20230101, v20220901, v1api20220901, v20210401, v1api20210401.
     * @default Azure's own value
     */
    tier?: 'Premium' | 'Standard';
  };
  /** @default Azure's own value */
  supportsHttpsTrafficOnly?: boolean;
  /**
   * Azure tags.
   * @default sent as null
   */
  tags?: Record<string, string>;
  /** @default sent as null */
  zones?: string[];
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<'blobEndpoint' | 'dfsEndpoint' | 'fileEndpoint' | 'key1' | 'key2' | 'queueEndpoint' | 'tableEndpoint' | 'webEndpoint', 'blobEndpoint' | 'dfsEndpoint' | 'fileEndpoint' | 'queueEndpoint' | 'tableEndpoint' | 'webEndpoint', 'StorageAccountName' | 'key0' | 'key1' | 'connectionString0' | 'connectionString1'>;
}

export interface StorageAccount {
  spec: StorageAccountSpec;
  status?: ArmStatus;
}
