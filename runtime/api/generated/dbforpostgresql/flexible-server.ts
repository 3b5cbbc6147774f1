// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, CredentialsSpec, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface FlexibleServerSpec {
  azureName?: string;
  administratorLogin?: string;
  administratorLoginPassword?: SecretKeyReference;
  authConfig?: {
    activeDirectoryAuth?: 'Disabled' | 'Enabled';
    passwordAuth?: 'Disabled' | 'Enabled';
    tenantId?: string;
    tenantIdFromConfig?: ConfigMapKeyReference;
  };
  availabilityZone?: string;
  backup?: {
    backupRetentionDays?: number;
    geoRedundantBackup?: 'Disabled' | 'Enabled';
  };
  cluster?: {
    clusterSize?: number;
    defaultDatabaseName?: string;
  };
  createMode?: 'Create' | 'Default' | 'GeoRestore' | 'PointInTimeRestore' | 'Replica' | 'ReviveDropped' | 'Update';
  dataEncryption?: {
    geoBackupEncryptionKeyStatus?: 'Invalid' | 'Valid';
    geoBackupKeyURI?: string;
    geoBackupKeyURIFromConfig?: ConfigMapKeyReference;
    geoBackupUserAssignedIdentityReference?: ArmReference;
    primaryEncryptionKeyStatus?: 'Invalid' | 'Valid';
    primaryKeyURI?: string;
    primaryKeyURIFromConfig?: ConfigMapKeyReference;
    primaryUserAssignedIdentityReference?: ArmReference;
    type?: 'AzureKeyVault' | 'SystemManaged';
  };
  highAvailability?: {
    mode?: 'Disabled' | 'SameZone' | 'ZoneRedundant';
    standbyAvailabilityZone?: string;
  };
  identity?: {
    principalId?: string;
    type: 'None' | 'SystemAssigned' | 'SystemAssigned,UserAssigned' | 'UserAssigned';
    userAssignedIdentities?: ({
      reference?: ArmReference;
    })[];
  };
  location: string;
  maintenanceWindow?: {
    customWindow?: string;
    dayOfWeek?: number;
    startHour?: number;
    startMinute?: number;
  };
  network?: {
    delegatedSubnetResourceReference?: ArmReference;
    privateDnsZoneArmResourceReference?: ArmReference;
    publicNetworkAccess?: 'Disabled' | 'Enabled';
  };
  pointInTimeUTC?: string;
  replica?: {
    promoteMode?: 'Standalone' | 'Switchover' | 'standalone' | 'switchover';
    promoteOption?: 'Forced' | 'Planned' | 'forced' | 'planned';
    role?: 'AsyncReplica' | 'GeoAsyncReplica' | 'None' | 'Primary';
  };
  replicationRole?: 'AsyncReplica' | 'GeoAsyncReplica' | 'None' | 'Primary';
  sku?: {
    name: string;
    tier: 'Burstable' | 'GeneralPurpose' | 'MemoryOptimized';
  };
  sourceServerResourceReference?: ArmReference;
  storage?: {
    autoGrow?: 'Disabled' | 'Enabled';
    iops?: number;
    storageSizeGB?: number;
    throughput?: number;
    tier?: 'P1' | 'P10' | 'P15' | 'P2' | 'P20' | 'P3' | 'P30' | 'P4' | 'P40' | 'P50' | 'P6' | 'P60' | 'P70' | 'P80';
    type?: 'PremiumV2_LRS' | 'Premium_LRS' | 'UltraSSD_LRS';
  };
  tags?: Record<string, string>;
  version?: '11' | '12' | '13' | '14' | '15' | '16' | '17' | '18';
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<'fullyQualifiedDomainName', 'fullyQualifiedDomainName', 'username' | 'password' | 'fullyQualifiedUsername' | 'postgreSqlServerName' | 'fullyQualifiedServerName'> & CredentialsSpec;
}

export interface FlexibleServer {
  spec: FlexibleServerSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "dbforpostgresql.azure.com",
 "kind": "FlexibleServer",
 "plural": "flexibleservers",
 "singular": "flexibleserver",
 "shortNames": ["psqlsrv"],
 "arm": {
  "armType": "Microsoft.DBforPostgreSQL/flexibleServers",
  "apiVersions": {
   "v20250801": "2025-08-01",
   "v1api20240801": "2024-08-01",
   "v1api20230601preview": "2023-06-01-preview",
   "v1api20221201": "2022-12-01",
   "v1api20220120preview": "2022-01-20-preview",
   "v1api20210601": "2021-06-01"
  },
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.DBforPostgreSQL/flexibleServers/{serverName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["ResourceGroup"],"group":"resources.azure.com"},
  "azureName": {},
  "topLevel": ["identity","location","name","sku","tags"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":["fullyQualifiedDomainName"],"configMaps":["fullyQualifiedDomainName"]},
  "secretSource": {
   "action": null,
   "secrets": {
    "fullyQualifiedDomainName": {"from":"status","crPath":"status.fullyQualifiedDomainName","armPath":"properties.fullyQualifiedDomainName"}
   },
   "configMaps": {
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
    "authConfig": {
     "type": "object",
     "properties": {
      "activeDirectoryAuth": {"type":"string","enum":["Disabled","Enabled"]},
      "passwordAuth": {"type":"string","enum":["Disabled","Enabled"]},
      "tenantId": {"type":"string"},
      "tenantIdFromConfig": {"type":"configMap","arm":"tenantId"}
     }
    },
    "availabilityZone": {"type":"string"},
    "backup": {
     "type": "object",
     "properties": {"backupRetentionDays":{"type":"integer"},"geoRedundantBackup":{"type":"string","enum":["Disabled","Enabled"]}}
    },
    "cluster": {"type":"object","properties":{"clusterSize":{"type":"integer"},"defaultDatabaseName":{"type":"string"}}},
    "createMode": {"type":"string","enum":["Create","Default","GeoRestore","PointInTimeRestore","Replica","ReviveDropped","Update"]},
    "dataEncryption": {
     "type": "object",
     "properties": {
      "geoBackupKeyURI": {"type":"string"},
      "geoBackupKeyURIFromConfig": {"type":"configMap","arm":"geoBackupKeyURI"},
      "geoBackupUserAssignedIdentityReference": {"type":"reference","arm":"geoBackupUserAssignedIdentityId"},
      "primaryKeyURI": {"type":"string"},
      "primaryKeyURIFromConfig": {"type":"configMap","arm":"primaryKeyURI"},
      "primaryUserAssignedIdentityReference": {"type":"reference","arm":"primaryUserAssignedIdentityId"},
      "type": {"type":"string","enum":["AzureKeyVault","SystemManaged"]},
      "geoBackupEncryptionKeyStatus": {"type":"string","enum":["Invalid","Valid"],"onlyIn":["v1api20240801","v1api20230601preview"]},
      "primaryEncryptionKeyStatus": {"type":"string","enum":["Invalid","Valid"],"onlyIn":["v1api20240801","v1api20230601preview"]}
     }
    },
    "highAvailability": {
     "type": "object",
     "properties": {
      "mode": {"type":"string","enum":["Disabled","SameZone","ZoneRedundant"]},
      "standbyAvailabilityZone": {"type":"string"}
     }
    },
    "identity": {
     "type": "object",
     "required": ["type"],
     "properties": {
      "principalId": {"type":"string"},
      "type": {"type":"string","enum":["None","SystemAssigned","SystemAssigned,UserAssigned","UserAssigned"]},
      "userAssignedIdentities": {"type":"array","items":{"type":"object","properties":{"reference":{"type":"reference"}}},"as":"identityMap"}
     }
    },
    "location": {"type":"string"},
    "maintenanceWindow": {
     "type": "object",
     "properties": {
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
      "privateDnsZoneArmResourceReference": {"type":"reference","arm":"privateDnsZoneArmResourceId"},
      "publicNetworkAccess": {"type":"string","enum":["Disabled","Enabled"]}
     }
    },
    "pointInTimeUTC": {"type":"string"},
    "replica": {
     "type": "object",
     "properties": {
      "promoteMode": {"type":"string","enum":["Standalone","Switchover","standalone","switchover"]},
      "promoteOption": {"type":"string","enum":["Forced","Planned","forced","planned"]},
      "role": {"type":"string","enum":["AsyncReplica","GeoAsyncReplica","None","Primary"]}
     }
    },
    "replicationRole": {"type":"string","enum":["AsyncReplica","GeoAsyncReplica","None","Primary"]},
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
      "iops": {"type":"integer"},
      "storageSizeGB": {"type":"integer"},
      "throughput": {"type":"integer"},
      "tier": {"type":"string","enum":["P1","P10","P15","P2","P20","P3","P30","P4","P40","P50","P6","P60","P70","P80"]},
      "type": {"type":"string","enum":["PremiumV2_LRS","Premium_LRS","UltraSSD_LRS"]}
     }
    },
    "tags": {"type":"map","values":{"type":"string"}},
    "version": {"type":"string","enum":["11","12","13","14","15","16","17","18"]}
   }
  }
 }
};
