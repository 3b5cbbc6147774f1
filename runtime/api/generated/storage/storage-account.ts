// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface StorageAccountSpec {
  azureName?: string;
  accessTier?: 'Cold' | 'Cool' | 'Hot' | 'Premium';
  allowBlobPublicAccess?: boolean;
  allowCrossTenantReplication?: boolean;
  allowSharedKeyAccess?: boolean;
  allowedCopyScope?: 'AAD' | 'PrivateLink';
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
  customDomain?: {
    name: string;
    useSubDomainName?: boolean;
  };
  defaultToOAuthAuthentication?: boolean;
  dnsEndpointType?: 'AzureDnsZone' | 'Standard';
  dualStackEndpointPreference?: {
    publishIpv6Endpoint?: boolean;
  };
  enableExtendedGroups?: boolean;
  encryption?: {
    identity?: {
      federatedIdentityClientId?: string;
      federatedIdentityClientIdFromConfig?: ConfigMapKeyReference;
      userAssignedIdentityReference?: ArmReference;
    };
    keySource?: 'Microsoft.Keyvault' | 'Microsoft.Storage';
    keyvaultproperties?: {
      keyname?: string;
      keynameFromConfig?: ConfigMapKeyReference;
      keyvaulturi?: string;
      keyvaulturiFromConfig?: ConfigMapKeyReference;
      keyversion?: string;
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
  extendedLocation?: {
    name?: string;
    type?: 'EdgeZone';
  };
  geoPriorityReplicationStatus?: {
    isBlobEnabled?: boolean;
  };
  identity?: {
    type: 'None' | 'SystemAssigned' | 'SystemAssigned,UserAssigned' | 'UserAssigned';
    userAssignedIdentities?: ({
      reference?: ArmReference;
    })[];
  };
  immutableStorageWithVersioning?: {
    enabled?: boolean;
    immutabilityPolicy?: {
      allowProtectedAppendWrites?: boolean;
      immutabilityPeriodSinceCreationInDays?: number;
      state?: 'Disabled' | 'Locked' | 'Unlocked';
    };
  };
  isHnsEnabled?: boolean;
  isLocalUserEnabled?: boolean;
  isNfsV3Enabled?: boolean;
  isSftpEnabled?: boolean;
  keyPolicy?: {
    keyExpirationPeriodInDays: number;
  };
  kind: 'BlobStorage' | 'BlockBlobStorage' | 'FileStorage' | 'Storage' | 'StorageV2';
  largeFileSharesState?: 'Disabled' | 'Enabled';
  location: string;
  minimumTlsVersion?: 'TLS1_0' | 'TLS1_1' | 'TLS1_2' | 'TLS1_3';
  networkAcls?: {
    bypass?: string;
    defaultAction: 'Allow' | 'Deny';
    ipRules?: ({
      action?: 'Allow';
      value?: string;
      valueFromConfig?: ConfigMapKeyReference;
    })[];
    ipv6Rules?: ({
      action?: 'Allow';
      value?: string;
      valueFromConfig?: ConfigMapKeyReference;
    })[];
    resourceAccessRules?: ({
      resourceReference?: ArmReference;
      tenantId?: string;
    })[];
    virtualNetworkRules?: ({
      action?: 'Allow';
      reference: ArmReference;
      state?: 'Deprovisioning' | 'Failed' | 'NetworkSourceDeleted' | 'Provisioning' | 'Succeeded';
    })[];
  };
  placement?: {
    zonePlacementPolicy?: 'Any' | 'None';
  };
  publicNetworkAccess?: 'Disabled' | 'Enabled' | 'SecuredByPerimeter';
  routingPreference?: {
    publishInternetEndpoints?: boolean;
    publishMicrosoftEndpoints?: boolean;
    routingChoice?: 'InternetRouting' | 'MicrosoftRouting';
  };
  sasPolicy?: {
    expirationAction: 'Block' | 'Log';
    sasExpirationPeriod: string;
  };
  sku: {
    name: 'PremiumV2_LRS' | 'PremiumV2_ZRS' | 'Premium_LRS' | 'Premium_ZRS' | 'StandardV2_GRS' | 'StandardV2_GZRS' | 'StandardV2_LRS' | 'StandardV2_ZRS' | 'Standard_GRS' | 'Standard_GZRS' | 'Standard_LRS' | 'Standard_RAGRS' | 'Standard_RAGZRS' | 'Standard_ZRS';
    tier?: 'Premium' | 'Standard';
  };
  supportsHttpsTrafficOnly?: boolean;
  tags?: Record<string, string>;
  zones?: string[];
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<'blobEndpoint' | 'dfsEndpoint' | 'fileEndpoint' | 'key1' | 'key2' | 'queueEndpoint' | 'tableEndpoint' | 'webEndpoint', 'blobEndpoint' | 'dfsEndpoint' | 'fileEndpoint' | 'queueEndpoint' | 'tableEndpoint' | 'webEndpoint', 'StorageAccountName' | 'key0' | 'key1' | 'connectionString0' | 'connectionString1'>;
}

export interface StorageAccount {
  spec: StorageAccountSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "storage.azure.com",
 "kind": "StorageAccount",
 "plural": "storageaccounts",
 "singular": "storageaccount",
 "shortNames": ["stac"],
 "arm": {
  "armType": "Microsoft.Storage/storageAccounts",
  "apiVersions": {
   "v20250601": "2025-06-01",
   "v20230101": "2023-01-01",
   "v1api20230101": "2023-01-01",
   "v20220901": "2022-09-01",
   "v1api20220901": "2022-09-01",
   "v20210401": "2021-04-01",
   "v1api20210401": "2021-04-01"
  },
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Storage/storageAccounts/{accountName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["ResourceGroup"],"group":"resources.azure.com"},
  "azureName": {"minLength":3,"maxLength":24,"pattern":"^[a-z0-9]+$"},
  "topLevel": ["extendedLocation","identity","kind","location","name","placement","sku","tags","zones"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {
   "secrets": ["blobEndpoint","dfsEndpoint","fileEndpoint","key1","key2","queueEndpoint","tableEndpoint","webEndpoint"],
   "configMaps": ["blobEndpoint","dfsEndpoint","fileEndpoint","queueEndpoint","tableEndpoint","webEndpoint"]
  },
  "secretSource": {
   "action": {"method":"POST","path":"listKeys","apiVersion":"2024-01-01"},
   "secrets": {
    "key1": {"from":"action","path":"keys[?keyName==key1].value"},
    "key2": {"from":"action","path":"keys[?keyName==key2].value"},
    "blobEndpoint": {"from":"status","crPath":"status.primaryEndpoints.blob","armPath":"properties.primaryEndpoints.blob"},
    "queueEndpoint": {"from":"status","crPath":"status.primaryEndpoints.queue","armPath":"properties.primaryEndpoints.queue"},
    "tableEndpoint": {"from":"status","crPath":"status.primaryEndpoints.table","armPath":"properties.primaryEndpoints.table"},
    "fileEndpoint": {"from":"status","crPath":"status.primaryEndpoints.file","armPath":"properties.primaryEndpoints.file"},
    "webEndpoint": {"from":"status","crPath":"status.primaryEndpoints.web","armPath":"properties.primaryEndpoints.web"},
    "dfsEndpoint": {"from":"status","crPath":"status.primaryEndpoints.dfs","armPath":"properties.primaryEndpoints.dfs"}
   },
   "configMaps": {
    "blobEndpoint": {"from":"status","crPath":"status.primaryEndpoints.blob","armPath":"properties.primaryEndpoints.blob"},
    "dfsEndpoint": {"from":"status","crPath":"status.primaryEndpoints.dfs","armPath":"properties.primaryEndpoints.dfs"},
    "fileEndpoint": {"from":"status","crPath":"status.primaryEndpoints.file","armPath":"properties.primaryEndpoints.file"},
    "queueEndpoint": {"from":"status","crPath":"status.primaryEndpoints.queue","armPath":"properties.primaryEndpoints.queue"},
    "tableEndpoint": {"from":"status","crPath":"status.primaryEndpoints.table","armPath":"properties.primaryEndpoints.table"},
    "webEndpoint": {"from":"status","crPath":"status.primaryEndpoints.web","armPath":"properties.primaryEndpoints.web"}
   },
   "celNames": ["key1","key2"]
  },
  "keyRotation": {
   "action": {"method":"POST","path":"regenerateKey","apiVersion":"2024-01-01"},
   "primary": [{"secret":"key1","body":{"keyName":"key1"}}],
   "secondary": [{"secret":"key2","body":{"keyName":"key2"}}],
   "counterparts": {"key1":"key2"}
  },
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "required": ["kind","location","sku"],
   "properties": {
    "accessTier": {"type":"string","enum":["Cold","Cool","Hot","Premium"]},
    "allowBlobPublicAccess": {"type":"boolean"},
    "allowCrossTenantReplication": {"type":"boolean"},
    "allowSharedKeyAccess": {"type":"boolean"},
    "allowedCopyScope": {"type":"string","enum":["AAD","PrivateLink"]},
    "azureFilesIdentityBasedAuthentication": {
     "type": "object",
     "required": ["directoryServiceOptions"],
     "properties": {
      "activeDirectoryProperties": {
       "type": "object",
       "properties": {
        "accountType": {"type":"string","enum":["Computer","User"]},
        "azureStorageSid": {"type":"string"},
        "domainGuid": {"type":"string"},
        "domainName": {"type":"string"},
        "domainSid": {"type":"string"},
        "forestName": {"type":"string"},
        "netBiosDomainName": {"type":"string"},
        "samAccountName": {"type":"string"}
       }
      },
      "defaultSharePermission": {
       "type": "string",
       "enum": [
        "None",
        "StorageFileDataSmbShareContributor",
        "StorageFileDataSmbShareElevatedContributor",
        "StorageFileDataSmbShareOwner",
        "StorageFileDataSmbShareReader"
       ]
      },
      "directoryServiceOptions": {"type":"string","enum":["AADDS","AADKERB","AD","None"]},
      "smbOAuthSettings": {"type":"object","properties":{"isSmbOAuthEnabled":{"type":"boolean"}}}
     }
    },
    "customDomain": {
     "type": "object",
     "required": ["name"],
     "properties": {"name":{"type":"string"},"useSubDomainName":{"type":"boolean"}}
    },
    "defaultToOAuthAuthentication": {"type":"boolean"},
    "dnsEndpointType": {"type":"string","enum":["AzureDnsZone","Standard"]},
    "dualStackEndpointPreference": {"type":"object","properties":{"publishIpv6Endpoint":{"type":"boolean"}}},
    "enableExtendedGroups": {"type":"boolean"},
    "encryption": {
     "type": "object",
     "properties": {
      "identity": {
       "type": "object",
       "properties": {
        "federatedIdentityClientId": {"type":"string"},
        "federatedIdentityClientIdFromConfig": {"type":"configMap","arm":"federatedIdentityClientId"},
        "userAssignedIdentityReference": {"type":"reference","arm":"userAssignedIdentity"}
       }
      },
      "keySource": {"type":"string","enum":["Microsoft.Keyvault","Microsoft.Storage"]},
      "keyvaultproperties": {
       "type": "object",
       "properties": {
        "keyname": {"type":"string"},
        "keynameFromConfig": {"type":"configMap","arm":"keyname"},
        "keyvaulturi": {"type":"string"},
        "keyvaulturiFromConfig": {"type":"configMap","arm":"keyvaulturi"},
        "keyversion": {"type":"string"},
        "keyversionFromConfig": {"type":"configMap","arm":"keyversion"}
       }
      },
      "requireInfrastructureEncryption": {"type":"boolean"},
      "services": {
       "type": "object",
       "properties": {
        "blob": {
         "type": "object",
         "properties": {"enabled":{"type":"boolean"},"keyType":{"type":"string","enum":["Account","Service"]}}
        },
        "file": {
         "type": "object",
         "properties": {"enabled":{"type":"boolean"},"keyType":{"type":"string","enum":["Account","Service"]}}
        },
        "queue": {
         "type": "object",
         "properties": {"enabled":{"type":"boolean"},"keyType":{"type":"string","enum":["Account","Service"]}}
        },
        "table": {
         "type": "object",
         "properties": {"enabled":{"type":"boolean"},"keyType":{"type":"string","enum":["Account","Service"]}}
        }
       }
      }
     }
    },
    "extendedLocation": {"type":"object","properties":{"name":{"type":"string"},"type":{"type":"string","enum":["EdgeZone"]}}},
    "geoPriorityReplicationStatus": {"type":"object","properties":{"isBlobEnabled":{"type":"boolean"}}},
    "identity": {
     "type": "object",
     "required": ["type"],
     "properties": {
      "type": {"type":"string","enum":["None","SystemAssigned","SystemAssigned,UserAssigned","UserAssigned"]},
      "userAssignedIdentities": {"type":"array","items":{"type":"object","properties":{"reference":{"type":"reference"}}},"as":"identityMap"}
     }
    },
    "immutableStorageWithVersioning": {
     "type": "object",
     "properties": {
      "enabled": {"type":"boolean"},
      "immutabilityPolicy": {
       "type": "object",
       "properties": {
        "allowProtectedAppendWrites": {"type":"boolean"},
        "immutabilityPeriodSinceCreationInDays": {"type":"integer","minimum":1,"maximum":146000},
        "state": {"type":"string","enum":["Disabled","Locked","Unlocked"]}
       }
      }
     }
    },
    "isHnsEnabled": {"type":"boolean"},
    "isLocalUserEnabled": {"type":"boolean"},
    "isNfsV3Enabled": {"type":"boolean"},
    "isSftpEnabled": {"type":"boolean"},
    "keyPolicy": {
     "type": "object",
     "required": ["keyExpirationPeriodInDays"],
     "properties": {"keyExpirationPeriodInDays":{"type":"integer"}}
    },
    "kind": {"type":"string","enum":["BlobStorage","BlockBlobStorage","FileStorage","Storage","StorageV2"]},
    "largeFileSharesState": {"type":"string","enum":["Disabled","Enabled"]},
    "location": {"type":"string"},
    "minimumTlsVersion": {"type":"string","enum":["TLS1_0","TLS1_1","TLS1_2","TLS1_3"]},
    "networkAcls": {
     "type": "object",
     "required": ["defaultAction"],
     "properties": {
      "bypass": {"type":"string"},
      "defaultAction": {"type":"string","enum":["Allow","Deny"]},
      "ipRules": {
       "type": "array",
       "items": {
        "type": "object",
        "properties": {
         "action": {"type":"string","enum":["Allow"]},
         "value": {"type":"string"},
         "valueFromConfig": {"type":"configMap","arm":"value"}
        }
       },
       "whenAbsent": "null"
      },
      "ipv6Rules": {
       "type": "array",
       "items": {
        "type": "object",
        "properties": {
         "action": {"type":"string","enum":["Allow"]},
         "value": {"type":"string"},
         "valueFromConfig": {"type":"configMap","arm":"value"}
        }
       },
       "whenAbsent": "null",
       "whenAbsentNotIn": ["v20230101","v1api20230101","v20220901","v1api20220901","v20210401","v1api20210401"]
      },
      "resourceAccessRules": {
       "type": "array",
       "items": {
        "type": "object",
        "properties": {"resourceReference":{"type":"reference","arm":"resourceId"},"tenantId":{"type":"string"}}
       },
       "whenAbsent": "null"
      },
      "virtualNetworkRules": {
       "type": "array",
       "items": {
        "type": "object",
        "required": ["reference"],
        "properties": {
         "action": {"type":"string","enum":["Allow"]},
         "reference": {"type":"reference","arm":"id"},
         "state": {"type":"string","enum":["Deprovisioning","Failed","NetworkSourceDeleted","Provisioning","Succeeded"]}
        }
       },
       "whenAbsent": "null"
      }
     }
    },
    "placement": {"type":"object","properties":{"zonePlacementPolicy":{"type":"string","enum":["Any","None"]}}},
    "publicNetworkAccess": {"type":"string","enum":["Disabled","Enabled","SecuredByPerimeter"]},
    "routingPreference": {
     "type": "object",
     "properties": {
      "publishInternetEndpoints": {"type":"boolean"},
      "publishMicrosoftEndpoints": {"type":"boolean"},
      "routingChoice": {"type":"string","enum":["InternetRouting","MicrosoftRouting"]}
     }
    },
    "sasPolicy": {
     "type": "object",
     "required": ["expirationAction","sasExpirationPeriod"],
     "properties": {"expirationAction":{"type":"string","enum":["Block","Log"]},"sasExpirationPeriod":{"type":"string"}}
    },
    "sku": {
     "type": "object",
     "required": ["name"],
     "properties": {
      "name": {
       "type": "string",
       "enum": [
        "PremiumV2_LRS",
        "PremiumV2_ZRS",
        "Premium_LRS",
        "Premium_ZRS",
        "StandardV2_GRS",
        "StandardV2_GZRS",
        "StandardV2_LRS",
        "StandardV2_ZRS",
        "Standard_GRS",
        "Standard_GZRS",
        "Standard_LRS",
        "Standard_RAGRS",
        "Standard_RAGZRS",
        "Standard_ZRS"
       ]
      },
      "tier": {
       "type": "string",
       "enum": ["Premium","Standard"],
       "onlyIn": ["v20230101","v1api20230101","v20220901","v1api20220901","v20210401","v1api20210401"]
      }
     }
    },
    "supportsHttpsTrafficOnly": {"type":"boolean"},
    "tags": {"type":"map","values":{"type":"string"},"whenAbsent":"null"},
    "zones": {
     "type": "array",
     "items": {"type":"string"},
     "whenAbsent": "null",
     "whenAbsentNotIn": ["v20230101","v1api20230101","v20220901","v1api20220901","v20210401","v1api20210401"]
    }
   }
  }
 }
};
