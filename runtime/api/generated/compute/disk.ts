// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface DiskSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  burstingEnabled?: boolean;
  /** @default Azure's own value */
  completionPercent?: number;
  creationData: {
    createOption: 'Attach' | 'Copy' | 'CopyFromSanSnapshot' | 'CopyStart' | 'Empty' | 'FromImage' | 'Import' | 'ImportSecure' | 'Restore' | 'Upload' | 'UploadPreparedSecure';
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    elasticSanResourceReference?: ArmReference;
    galleryImageReference?: {
      communityGalleryImageId?: string;
      lun?: number;
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
      sharedGalleryImageId?: string;
    };
    imageReference?: {
      communityGalleryImageId?: string;
      lun?: number;
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      reference?: ArmReference;
      sharedGalleryImageId?: string;
    };
    logicalSectorSize?: number;
    performancePlus?: boolean;
    provisionedBandwidthCopySpeed?: 'Enhanced' | 'None';
    securityDataUri?: string;
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    sourceResourceReference?: ArmReference;
    sourceUri?: string;
    storageAccountId?: string;
    uploadSizeBytes?: number;
  };
  /** @default Azure's own value */
  dataAccessAuthMode?: 'AzureActiveDirectory' | 'None';
  /**
   * By construct or ARM id: DiskAccess.
   * @default Azure's own value
   */
  diskAccessReference?: ArmReference<'compute.azure.com/DiskAccess'>;
  /** @default Azure's own value */
  diskIOPSReadOnly?: number;
  /** @default Azure's own value */
  diskIOPSReadWrite?: number;
  /** @default Azure's own value */
  diskMBpsReadOnly?: number;
  /** @default Azure's own value */
  diskMBpsReadWrite?: number;
  /** @default Azure's own value */
  diskSizeGB?: number;
  /** @default Azure's own value */
  encryption?: {
    /**
     * By construct or ARM id: DiskEncryptionSet.
     * @default Azure's own value
     */
    diskEncryptionSetReference?: ArmReference<'compute.azure.com/DiskEncryptionSet'>;
    type?: 'EncryptionAtRestWithCustomerKey' | 'EncryptionAtRestWithPlatformAndCustomerKeys' | 'EncryptionAtRestWithPlatformKey';
  };
  /** @default Azure's own value */
  encryptionSettingsCollection?: {
    enabled: boolean;
    encryptionSettings?: ({
      diskEncryptionKey?: {
        secretUrl: string;
        sourceVault: {
          /**
           * By construct or ARM id: Vault.
           * @default Azure's own value
           */
          reference?: ArmReference<'keyvault.azure.com/Vault'>;
        };
      };
      keyEncryptionKey?: {
        keyUrl: string;
        sourceVault: {
          /**
           * By construct or ARM id: Vault.
           * @default Azure's own value
           */
          reference?: ArmReference<'keyvault.azure.com/Vault'>;
        };
      };
    })[];
    encryptionSettingsVersion?: string;
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
  hyperVGeneration?: 'V1' | 'V2';
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  maxShares?: number;
  /** @default Azure's own value */
  networkAccessPolicy?: 'AllowAll' | 'AllowPrivate' | 'DenyAll';
  /** @default Azure's own value */
  optimizedForFrequentAttach?: boolean;
  /** @default Azure's own value */
  osType?: 'Linux' | 'Windows';
  /** @default Azure's own value */
  publicNetworkAccess?: 'Disabled' | 'Enabled';
  /** @default Azure's own value */
  purchasePlan?: {
    name: string;
    product: string;
    promotionCode?: string;
    publisher: string;
  };
  /** @default Azure's own value */
  securityProfile?: {
    /**
     * By construct or ARM id: DiskEncryptionSet.
     * @default Azure's own value
     */
    secureVMDiskEncryptionSetReference?: ArmReference<'compute.azure.com/DiskEncryptionSet'>;
    securityType?: 'ConfidentialVM_DiskEncryptedWithCustomerKey' | 'ConfidentialVM_DiskEncryptedWithPlatformKey' | 'ConfidentialVM_NonPersistedTPM' | 'ConfidentialVM_VMGuestStateOnlyEncryptedWithPlatformKey' | 'TrustedLaunch';
  };
  /**
   * Pricing tier.
   * @default Azure's own value
   */
  sku?: {
    /**
     * Name of the pricing tier.
     * @default Azure's own value
     */
    name?: 'PremiumV2_LRS' | 'Premium_LRS' | 'Premium_ZRS' | 'StandardSSD_LRS' | 'StandardSSD_ZRS' | 'Standard_LRS' | 'UltraSSD_LRS';
  };
  /** @default Azure's own value */
  supportedCapabilities?: {
    acceleratedNetwork?: boolean;
    architecture?: 'Arm64' | 'x64';
    diskControllerTypes?: string;
  };
  /** @default Azure's own value */
  supportsHibernation?: boolean;
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  tier?: string;
  /** @default Azure's own value */
  zones?: string[];
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Disk {
  spec: DiskSpec;
  status?: ArmStatus;
}
