// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface DiskSpec {
  azureName?: string;
  burstingEnabled?: boolean;
  completionPercent?: number;
  creationData: {
    createOption: 'Attach' | 'Copy' | 'CopyFromSanSnapshot' | 'CopyStart' | 'Empty' | 'FromImage' | 'Import' | 'ImportSecure' | 'Restore' | 'Upload' | 'UploadPreparedSecure';
    elasticSanResourceReference?: ArmReference;
    galleryImageReference?: {
      communityGalleryImageId?: string;
      lun?: number;
      reference?: ArmReference;
      sharedGalleryImageId?: string;
    };
    imageReference?: {
      communityGalleryImageId?: string;
      lun?: number;
      reference?: ArmReference;
      sharedGalleryImageId?: string;
    };
    logicalSectorSize?: number;
    performancePlus?: boolean;
    provisionedBandwidthCopySpeed?: 'Enhanced' | 'None';
    securityDataUri?: string;
    sourceResourceReference?: ArmReference;
    sourceUri?: string;
    storageAccountId?: string;
    uploadSizeBytes?: number;
  };
  dataAccessAuthMode?: 'AzureActiveDirectory' | 'None';
  diskAccessReference?: ArmReference;
  diskIOPSReadOnly?: number;
  diskIOPSReadWrite?: number;
  diskMBpsReadOnly?: number;
  diskMBpsReadWrite?: number;
  diskSizeGB?: number;
  encryption?: {
    diskEncryptionSetReference?: ArmReference;
    type?: 'EncryptionAtRestWithCustomerKey' | 'EncryptionAtRestWithPlatformAndCustomerKeys' | 'EncryptionAtRestWithPlatformKey';
  };
  encryptionSettingsCollection?: {
    enabled: boolean;
    encryptionSettings?: ({
      diskEncryptionKey?: {
        secretUrl: string;
        sourceVault: {
          reference?: ArmReference;
        };
      };
      keyEncryptionKey?: {
        keyUrl: string;
        sourceVault: {
          reference?: ArmReference;
        };
      };
    })[];
    encryptionSettingsVersion?: string;
  };
  extendedLocation?: {
    name?: string;
    type?: 'EdgeZone';
  };
  hyperVGeneration?: 'V1' | 'V2';
  location: string;
  maxShares?: number;
  networkAccessPolicy?: 'AllowAll' | 'AllowPrivate' | 'DenyAll';
  optimizedForFrequentAttach?: boolean;
  osType?: 'Linux' | 'Windows';
  publicNetworkAccess?: 'Disabled' | 'Enabled';
  purchasePlan?: {
    name: string;
    product: string;
    promotionCode?: string;
    publisher: string;
  };
  securityProfile?: {
    secureVMDiskEncryptionSetReference?: ArmReference;
    securityType?: 'ConfidentialVM_DiskEncryptedWithCustomerKey' | 'ConfidentialVM_DiskEncryptedWithPlatformKey' | 'ConfidentialVM_NonPersistedTPM' | 'ConfidentialVM_VMGuestStateOnlyEncryptedWithPlatformKey' | 'TrustedLaunch';
  };
  sku?: {
    name?: 'PremiumV2_LRS' | 'Premium_LRS' | 'Premium_ZRS' | 'StandardSSD_LRS' | 'StandardSSD_ZRS' | 'Standard_LRS' | 'UltraSSD_LRS';
  };
  supportedCapabilities?: {
    acceleratedNetwork?: boolean;
    architecture?: 'Arm64' | 'x64';
    diskControllerTypes?: string;
  };
  supportsHibernation?: boolean;
  tags?: Record<string, string>;
  tier?: string;
  zones?: string[];
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Disk {
  spec: DiskSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "compute.azure.com",
 "kind": "Disk",
 "plural": "disks",
 "singular": "disk",
 "shortNames": ["disk"],
 "arm": {
  "armType": "Microsoft.Compute/disks",
  "apiVersions": {"v20240302":"2024-03-02","v1api20240302":"2024-03-02","v20200930":"2020-09-30","v1api20200930":"2020-09-30"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Compute/disks/{diskName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["ResourceGroup"],"group":"resources.azure.com"},
  "azureName": {},
  "topLevel": ["extendedLocation","location","name","sku","tags","zones"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [
   {"code":"BadRequest","class":"retryable","message":"DiskAccess.*not found"},
   {"code":"Conflict","class":"retryable","message":"DiskAccess.*is in failed state."}
  ],
  "fields": {
   "type": "object",
   "required": ["creationData","location"],
   "properties": {
    "burstingEnabled": {"type":"boolean"},
    "completionPercent": {"type":"number"},
    "creationData": {
     "type": "object",
     "required": ["createOption"],
     "properties": {
      "createOption": {
       "type": "string",
       "enum": [
        "Attach",
        "Copy",
        "CopyFromSanSnapshot",
        "CopyStart",
        "Empty",
        "FromImage",
        "Import",
        "ImportSecure",
        "Restore",
        "Upload",
        "UploadPreparedSecure"
       ]
      },
      "elasticSanResourceReference": {"type":"reference","arm":"elasticSanResourceId"},
      "galleryImageReference": {
       "type": "object",
       "properties": {
        "communityGalleryImageId": {"type":"string"},
        "lun": {"type":"integer"},
        "reference": {"type":"reference","arm":"id"},
        "sharedGalleryImageId": {"type":"string"}
       }
      },
      "imageReference": {
       "type": "object",
       "properties": {
        "communityGalleryImageId": {"type":"string"},
        "lun": {"type":"integer"},
        "reference": {"type":"reference","arm":"id"},
        "sharedGalleryImageId": {"type":"string"}
       }
      },
      "logicalSectorSize": {"type":"integer"},
      "performancePlus": {"type":"boolean"},
      "provisionedBandwidthCopySpeed": {"type":"string","enum":["Enhanced","None"]},
      "securityDataUri": {"type":"string"},
      "sourceResourceReference": {"type":"reference","arm":"sourceResourceId"},
      "sourceUri": {"type":"string"},
      "storageAccountId": {"type":"string"},
      "uploadSizeBytes": {"type":"integer"}
     }
    },
    "dataAccessAuthMode": {"type":"string","enum":["AzureActiveDirectory","None"]},
    "diskAccessReference": {"type":"reference","arm":"properties.diskAccessId"},
    "diskIOPSReadOnly": {"type":"integer"},
    "diskIOPSReadWrite": {"type":"integer"},
    "diskMBpsReadOnly": {"type":"integer"},
    "diskMBpsReadWrite": {"type":"integer"},
    "diskSizeGB": {"type":"integer"},
    "encryption": {
     "type": "object",
     "properties": {
      "diskEncryptionSetReference": {"type":"reference","arm":"diskEncryptionSetId"},
      "type": {
       "type": "string",
       "enum": [
        "EncryptionAtRestWithCustomerKey",
        "EncryptionAtRestWithPlatformAndCustomerKeys",
        "EncryptionAtRestWithPlatformKey"
       ]
      }
     }
    },
    "encryptionSettingsCollection": {
     "type": "object",
     "required": ["enabled"],
     "properties": {
      "enabled": {"type":"boolean"},
      "encryptionSettings": {
       "type": "array",
       "items": {
        "type": "object",
        "properties": {
         "diskEncryptionKey": {
          "type": "object",
          "required": ["secretUrl","sourceVault"],
          "properties": {
           "secretUrl": {"type":"string"},
           "sourceVault": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}}
          }
         },
         "keyEncryptionKey": {
          "type": "object",
          "required": ["keyUrl","sourceVault"],
          "properties": {
           "keyUrl": {"type":"string"},
           "sourceVault": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}}
          }
         }
        }
       }
      },
      "encryptionSettingsVersion": {"type":"string"}
     }
    },
    "extendedLocation": {"type":"object","properties":{"name":{"type":"string"},"type":{"type":"string","enum":["EdgeZone"]}}},
    "hyperVGeneration": {"type":"string","enum":["V1","V2"]},
    "location": {"type":"string"},
    "maxShares": {"type":"integer"},
    "networkAccessPolicy": {"type":"string","enum":["AllowAll","AllowPrivate","DenyAll"]},
    "optimizedForFrequentAttach": {"type":"boolean"},
    "osType": {"type":"string","enum":["Linux","Windows"]},
    "publicNetworkAccess": {"type":"string","enum":["Disabled","Enabled"]},
    "purchasePlan": {
     "type": "object",
     "required": ["name","product","publisher"],
     "properties": {
      "name": {"type":"string"},
      "product": {"type":"string"},
      "promotionCode": {"type":"string"},
      "publisher": {"type":"string"}
     }
    },
    "securityProfile": {
     "type": "object",
     "properties": {
      "secureVMDiskEncryptionSetReference": {"type":"reference","arm":"secureVMDiskEncryptionSetId"},
      "securityType": {
       "type": "string",
       "enum": [
        "ConfidentialVM_DiskEncryptedWithCustomerKey",
        "ConfidentialVM_DiskEncryptedWithPlatformKey",
        "ConfidentialVM_NonPersistedTPM",
        "ConfidentialVM_VMGuestStateOnlyEncryptedWithPlatformKey",
        "TrustedLaunch"
       ]
      }
     }
    },
    "sku": {
     "type": "object",
     "properties": {
      "name": {
       "type": "string",
       "enum": ["PremiumV2_LRS","Premium_LRS","Premium_ZRS","StandardSSD_LRS","StandardSSD_ZRS","Standard_LRS","UltraSSD_LRS"]
      }
     }
    },
    "supportedCapabilities": {
     "type": "object",
     "properties": {
      "acceleratedNetwork": {"type":"boolean"},
      "architecture": {"type":"string","enum":["Arm64","x64"]},
      "diskControllerTypes": {"type":"string"}
     }
    },
    "supportsHibernation": {"type":"boolean"},
    "tags": {"type":"map","values":{"type":"string"}},
    "tier": {"type":"string"},
    "zones": {"type":"array","items":{"type":"string"}}
   }
  }
 }
};
