// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, CredentialsSpec, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface FlexibleServerSpec {
  azureName?: string;
  administratorLogin?: string;
  administratorLoginPassword?: SecretKeyReference;
  availabilityZone?: string;
  backup?: {
    backupIntervalHours?: number;
    backupRetentionDays?: number;
    geoRedundantBackup?: 'Disabled' | 'Enabled';
  };
  createMode?: 'Default' | 'GeoRestore' | 'PointInTimeRestore' | 'Replica';
  dataEncryption?: {
    geoBackupKeyURI?: string;
    geoBackupUserAssignedIdentityReference?: ArmReference;
    primaryKeyURI?: string;
    primaryUserAssignedIdentityReference?: ArmReference;
    type?: 'AzureKeyVault' | 'SystemManaged';
  };
  databasePort?: number;
  highAvailability?: {
    mode?: 'Disabled' | 'SameZone' | 'ZoneRedundant';
    replicationMode?: 'BinaryLog' | 'RedoLog';
    standbyAvailabilityZone?: string;
  };
  identity?: {
    type?: 'UserAssigned';
    userAssignedIdentities?: ({
      reference?: ArmReference;
    })[];
  };
  importSourceProperties?: {
    dataDirPath?: string;
    sasToken?: SecretKeyReference;
    storageType?: 'AzureBlob';
    storageUrl?: string;
  };
  location: string;
  lowerCaseTableNames?: number;
  maintenancePolicy?: {
    patchStrategy?: 'Regular' | 'VirtualCanary';
  };
  maintenanceWindow?: {
    batchOfMaintenance?: 'Batch1' | 'Batch2' | 'Default';
    customWindow?: string;
    dayOfWeek?: number;
    startHour?: number;
    startMinute?: number;
  };
  network?: {
    delegatedSubnetResourceReference?: ArmReference;
    privateDnsZoneResourceReference?: ArmReference;
    publicNetworkAccess?: 'Disabled' | 'Enabled';
  };
  replicationRole?: 'None' | 'Replica' | 'Source';
  restorePointInTime?: string;
  sku?: {
    name: string;
    tier: 'Burstable' | 'GeneralPurpose' | 'MemoryOptimized';
  };
  sourceServerResourceId?: string;
  sourceServerResourceReference?: ArmReference;
  storage?: {
    autoGrow?: 'Disabled' | 'Enabled';
    autoIoScaling?: 'Disabled' | 'Enabled';
    iops?: number;
    logOnDisk?: 'Disabled' | 'Enabled';
    storageRedundancy?: 'LocalRedundancy' | 'ZoneRedundancy';
    storageSizeGB?: number;
  };
  tags?: Record<string, string>;
  version?: string;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<'fullyQualifiedDomainName', 'administratorLogin' | 'fullyQualifiedDomainName', 'username' | 'password' | 'fullyQualifiedUsername' | 'mySqlServerName' | 'fullyQualifiedServerName'> & CredentialsSpec;
}

export interface FlexibleServer {
  spec: FlexibleServerSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "dbformysql.azure.com",
 "kind": "FlexibleServer",
 "plural": "flexibleservers",
 "singular": "flexibleserver",
 "shortNames": ["mysqlsrv"],
 "arm": {
  "armType": "Microsoft.DBforMySQL/flexibleServers",
  "apiVersions": {
   "v20241230": "2024-12-30",
   "v20250601preview": "2025-06-01-preview",
   "v20231230": "2023-12-30",
   "v1api20231230": "2023-12-30",
   "v20230630": "2023-06-30",
   "v1api20230630": "2023-06-30",
   "v20210501": "2021-05-01",
   "v1api20210501": "2021-05-01"
  },
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.DBforMySQL/flexibleServers/{serverName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["ResourceGroup"],"group":"resources.azure.com"},
  "azureName": {},
  "topLevel": ["identity","location","name","sku","tags"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":["fullyQualifiedDomainName"],"configMaps":["administratorLogin","fullyQualifiedDomainName"]},
  "secretSource": {
   "action": null,
   "secrets": {
    "fullyQualifiedDomainName": {"from":"status","crPath":"status.fullyQualifiedDomainName","armPath":"properties.fullyQualifiedDomainName"}
   },
   "configMaps": {
    "administratorLogin": {"from":"status","crPath":"status.administratorLogin","armPath":"properties.administratorLogin"},
    "fullyQualifiedDomainName": {"from":"status","crPath":"status.fullyQualifiedDomainName","armPath":"properties.fullyQualifiedDomainName"}
   },
   "celNames": []
  },
  "generatedCredentials": {
   "login": "administratorLogin",
   "password": "administratorLoginPassword",
   "notFor": ["GeoRestore","PointInTimeRestore","Replica","Restore","ReviveDropped"]
  },
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "required": ["location"],
   "properties": {
    "administratorLogin": {"type":"string"},
    "administratorLoginPassword": {"type":"secret"},
    "availabilityZone": {"type":"string"},
    "backup": {
     "type": "object",
     "properties": {
      "backupIntervalHours": {"type":"integer"},
      "backupRetentionDays": {"type":"integer"},
      "geoRedundantBackup": {"type":"string","enum":["Disabled","Enabled"]}
     }
    },
    "createMode": {"type":"string","enum":["Default","GeoRestore","PointInTimeRestore","Replica"]},
    "dataEncryption": {
     "type": "object",
     "properties": {
      "geoBackupKeyURI": {"type":"string"},
      "geoBackupUserAssignedIdentityReference": {"type":"reference","arm":"geoBackupUserAssignedIdentityId"},
      "primaryKeyURI": {"type":"string"},
      "primaryUserAssignedIdentityReference": {"type":"reference","arm":"primaryUserAssignedIdentityId"},
      "type": {"type":"string","enum":["AzureKeyVault","SystemManaged"]}
     }
    },
    "databasePort": {"type":"integer"},
    "highAvailability": {
     "type": "object",
     "properties": {
      "mode": {"type":"string","enum":["Disabled","SameZone","ZoneRedundant"]},
      "standbyAvailabilityZone": {"type":"string"},
      "replicationMode": {"type":"string","enum":["BinaryLog","RedoLog"],"onlyIn":["v20250601preview"]}
     }
    },
    "identity": {
     "type": "object",
     "properties": {
      "type": {"type":"string","enum":["UserAssigned"]},
      "userAssignedIdentities": {"type":"array","items":{"type":"object","properties":{"reference":{"type":"reference"}}},"as":"identityMap"}
     }
    },
    "importSourceProperties": {
     "type": "object",
     "properties": {
      "dataDirPath": {"type":"string"},
      "sasToken": {"type":"secret"},
      "storageType": {"type":"string","enum":["AzureBlob"]},
      "storageUrl": {"type":"string"}
     }
    },
    "location": {"type":"string"},
    "maintenancePolicy": {"type":"object","properties":{"patchStrategy":{"type":"string","enum":["Regular","VirtualCanary"]}}},
    "maintenanceWindow": {
     "type": "object",
     "properties": {
      "batchOfMaintenance": {"type":"string","enum":["Batch1","Batch2","Default"]},
      "customWindow": {"type":"string"},
      "dayOfWeek": {"type":"integer"},
      "startHour": {"type":"integer"},
      "startMinute": {"type":"integer"}
     }
    },
    "network": {
     "type": "object",
     "properties": {
      "delegatedSubnetResourceReference": {"type":"reference","arm":"delegatedSubnetResourceId"},
      "privateDnsZoneResourceReference": {"type":"reference","arm":"privateDnsZoneResourceId"},
      "publicNetworkAccess": {"type":"string","enum":["Disabled","Enabled"]}
     }
    },
    "replicationRole": {"type":"string","enum":["None","Replica","Source"]},
    "restorePointInTime": {"type":"string"},
    "sku": {
     "type": "object",
     "required": ["name","tier"],
     "properties": {"name":{"type":"string"},"tier":{"type":"string","enum":["Burstable","GeneralPurpose","MemoryOptimized"]}}
    },
    "sourceServerResourceReference": {"type":"reference","arm":"properties.sourceServerResourceId"},
    "storage": {
     "type": "object",
     "properties": {
      "autoGrow": {"type":"string","enum":["Disabled","Enabled"]},
      "autoIoScaling": {"type":"string","enum":["Disabled","Enabled"]},
      "iops": {"type":"integer"},
      "logOnDisk": {"type":"string","enum":["Disabled","Enabled"]},
      "storageRedundancy": {"type":"string","enum":["LocalRedundancy","ZoneRedundancy"]},
      "storageSizeGB": {"type":"integer"}
     }
    },
    "tags": {"type":"map","values":{"type":"string"}},
    "version": {"type":"string"},
    "lowerCaseTableNames": {"type":"integer","onlyIn":["v20250601preview"]},
    "sourceServerResourceId": {"type":"string","onlyIn":["v20210501","v1api20210501"]}
   }
  }
 }
};
