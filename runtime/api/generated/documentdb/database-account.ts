// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface DatabaseAccountSpec {
  azureName?: string;
  analyticalStorageConfiguration?: {
    schemaType?: 'FullFidelity' | 'WellDefined';
  };
  apiProperties?: {
    serverVersion?: '3.2' | '3.6' | '4.0' | '4.2' | '5.0' | '6.0' | '7.0';
  };
  backupPolicy?: {
    continuous?: {
      continuousModeProperties?: {
        tier?: 'Continuous30Days' | 'Continuous7Days';
      };
      migrationState?: {
        startTime?: string;
        status?: 'Completed' | 'Failed' | 'InProgress' | 'Invalid';
        targetType?: 'Continuous' | 'Periodic';
      };
      type: 'Continuous';
    };
    periodic?: {
      migrationState?: {
        startTime?: string;
        status?: 'Completed' | 'Failed' | 'InProgress' | 'Invalid';
        targetType?: 'Continuous' | 'Periodic';
      };
      periodicModeProperties?: {
        backupIntervalInMinutes?: number;
        backupRetentionIntervalInHours?: number;
        backupStorageRedundancy?: 'Geo' | 'Local' | 'Zone';
      };
      type: 'Periodic';
    };
  };
  capabilities?: ({
    name?: string;
  })[];
  capacity?: {
    totalThroughputLimit?: number;
  };
  connectorOffer?: 'Small';
  consistencyPolicy?: {
    defaultConsistencyLevel: 'BoundedStaleness' | 'ConsistentPrefix' | 'Eventual' | 'Session' | 'Strong';
    maxIntervalInSeconds?: number;
    maxStalenessPrefix?: number;
  };
  cors?: ({
    allowedHeaders?: string;
    allowedMethods?: string;
    allowedOrigins: string;
    exposedHeaders?: string;
    maxAgeInSeconds?: number;
  })[];
  createMode?: 'Default' | 'Restore';
  databaseAccountOfferType: 'Standard';
  defaultIdentity?: string;
  disableKeyBasedMetadataWriteAccess?: boolean;
  disableLocalAuth?: boolean;
  enableAnalyticalStorage?: boolean;
  enableAutomaticFailover?: boolean;
  enableBurstCapacity?: boolean;
  enableCassandraConnector?: boolean;
  enableFreeTier?: boolean;
  enableMultipleWriteLocations?: boolean;
  enablePartitionMerge?: boolean;
  identity?: {
    type?: 'None' | 'SystemAssigned' | 'SystemAssigned,UserAssigned' | 'UserAssigned';
    userAssignedIdentities?: ({
      reference?: ArmReference;
    })[];
  };
  ipRules?: ({
    ipAddressOrRange?: string;
  })[];
  isVirtualNetworkFilterEnabled?: boolean;
  keyVaultKeyUri?: string;
  kind?: 'GlobalDocumentDB' | 'MongoDB' | 'Parse';
  location?: string;
  locations: ({
    failoverPriority?: number;
    isZoneRedundant?: boolean;
    locationName?: string;
  })[];
  minimalTlsVersion?: 'Tls' | 'Tls11' | 'Tls12';
  networkAclBypass?: 'AzureServices' | 'None';
  networkAclBypassResourceIds?: string[];
  networkAclBypassResourceReferences?: ArmReference[];
  publicNetworkAccess?: 'Disabled' | 'Enabled' | 'SecuredByPerimeter';
  restoreParameters?: {
    databasesToRestore?: ({
      collectionNames?: string[];
      databaseName?: string;
    })[];
    gremlinDatabasesToRestore?: ({
      databaseName?: string;
      graphNames?: string[];
    })[];
    restoreMode?: 'PointInTime';
    restoreSource?: string;
    restoreTimestampInUtc?: string;
    restoreWithTtlDisabled?: boolean;
    tablesToRestore?: string[];
  };
  tags?: Record<string, string>;
  virtualNetworkRules?: ({
    ignoreMissingVNetServiceEndpoint?: boolean;
    reference?: ArmReference;
  })[];
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<'documentEndpoint' | 'primaryMasterKey' | 'primaryReadonlyMasterKey' | 'secondaryMasterKey' | 'secondaryReadonlyMasterKey', never, 'primaryEndpoint' | 'primaryMasterKey' | 'secondaryMasterKey' | 'primaryReadonlyMasterKey' | 'secondaryReadonlyMasterKey' | 'connectionStrings' | 'locationEndpoints'>;
}

export interface DatabaseAccount {
  spec: DatabaseAccountSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "documentdb.azure.com",
 "kind": "DatabaseAccount",
 "plural": "databaseaccounts",
 "singular": "databaseaccount",
 "shortNames": ["cosmos"],
 "arm": {
  "armType": "Microsoft.DocumentDB/databaseAccounts",
  "apiVersions": {"v1api20240815":"2024-08-15","v1api20231115":"2023-11-15","v1api20210515":"2021-05-15"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.DocumentDB/databaseAccounts/{accountName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["ResourceGroup"],"group":"resources.azure.com"},
  "azureName": {"pattern":"^[a-z0-9]+(-[a-z0-9]+)*","minLength":3,"maxLength":50},
  "topLevel": ["identity","kind","location","name","tags"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {
   "secrets": [
    "documentEndpoint",
    "primaryMasterKey",
    "primaryReadonlyMasterKey",
    "secondaryMasterKey",
    "secondaryReadonlyMasterKey"
   ],
   "configMaps": []
  },
  "secretSource": {
   "action": {"method":"POST","path":"listKeys","apiVersion":"2021-10-15"},
   "secrets": {
    "primaryMasterKey": {"from":"action","path":"primaryMasterKey"},
    "secondaryMasterKey": {"from":"action","path":"secondaryMasterKey"},
    "primaryReadonlyMasterKey": {"from":"action","path":"primaryReadonlyMasterKey"},
    "secondaryReadonlyMasterKey": {"from":"action","path":"secondaryReadonlyMasterKey"},
    "documentEndpoint": {"from":"status","crPath":"status.documentEndpoint","armPath":"properties.documentEndpoint"}
   },
   "celNames": ["primaryMasterKey","secondaryMasterKey","primaryReadonlyMasterKey","secondaryReadonlyMasterKey"]
  },
  "keyRotation": {
   "action": {"method":"POST","path":"regenerateKey","apiVersion":"2021-10-15"},
   "primary": [
    {"secret":"primaryMasterKey","body":{"keyKind":"primary"}},
    {"secret":"primaryReadonlyMasterKey","body":{"keyKind":"primaryReadonly"}}
   ],
   "secondary": [
    {"secret":"secondaryMasterKey","body":{"keyKind":"secondary"}},
    {"secret":"secondaryReadonlyMasterKey","body":{"keyKind":"secondaryReadonly"}}
   ],
   "counterparts": {"primaryMasterKey":"secondaryMasterKey","primaryReadonlyMasterKey":"secondaryReadonlyMasterKey"}
  },
  "errorOverrides": [{"code":"ServiceUnavailable","class":"fatal","message":"currently experiencing high demand","match":"contains"}],
  "fields": {
   "type": "object",
   "required": ["databaseAccountOfferType","locations"],
   "properties": {
    "analyticalStorageConfiguration": {"type":"object","properties":{"schemaType":{"type":"string","enum":["FullFidelity","WellDefined"]}}},
    "apiProperties": {
     "type": "object",
     "properties": {"serverVersion":{"type":"string","enum":["3.2","3.6","4.0","4.2","5.0","6.0","7.0"]}}
    },
    "backupPolicy": {
     "type": "object",
     "properties": {
      "continuous": {
       "type": "object",
       "required": ["type"],
       "properties": {
        "continuousModeProperties": {"type":"object","properties":{"tier":{"type":"string","enum":["Continuous30Days","Continuous7Days"]}}},
        "migrationState": {
         "type": "object",
         "properties": {
          "startTime": {"type":"string"},
          "status": {"type":"string","enum":["Completed","Failed","InProgress","Invalid"]},
          "targetType": {"type":"string","enum":["Continuous","Periodic"]}
         }
        },
        "type": {"type":"string","enum":["Continuous"]}
       },
       "arm": ""
      },
      "periodic": {
       "type": "object",
       "required": ["type"],
       "properties": {
        "migrationState": {
         "type": "object",
         "properties": {
          "startTime": {"type":"string"},
          "status": {"type":"string","enum":["Completed","Failed","InProgress","Invalid"]},
          "targetType": {"type":"string","enum":["Continuous","Periodic"]}
         }
        },
        "periodicModeProperties": {
         "type": "object",
         "properties": {
          "backupIntervalInMinutes": {"type":"integer","minimum":0},
          "backupRetentionIntervalInHours": {"type":"integer","minimum":0},
          "backupStorageRedundancy": {"type":"string","enum":["Geo","Local","Zone"]}
         }
        },
        "type": {"type":"string","enum":["Periodic"]}
       },
       "arm": ""
      }
     },
     "oneOf": true
    },
    "capabilities": {"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}}}},
    "capacity": {"type":"object","properties":{"totalThroughputLimit":{"type":"integer","minimum":-1}}},
    "connectorOffer": {"type":"string","enum":["Small"]},
    "consistencyPolicy": {
     "type": "object",
     "required": ["defaultConsistencyLevel"],
     "properties": {
      "defaultConsistencyLevel": {"type":"string","enum":["BoundedStaleness","ConsistentPrefix","Eventual","Session","Strong"]},
      "maxIntervalInSeconds": {"type":"integer","minimum":5,"maximum":86400},
      "maxStalenessPrefix": {"type":"integer","minimum":1,"maximum":2147483647}
     }
    },
    "cors": {
     "type": "array",
     "items": {
      "type": "object",
      "required": ["allowedOrigins"],
      "properties": {
       "allowedHeaders": {"type":"string"},
       "allowedMethods": {"type":"string"},
       "allowedOrigins": {"type":"string"},
       "exposedHeaders": {"type":"string"},
       "maxAgeInSeconds": {"type":"integer","minimum":1,"maximum":2147483647}
      }
     }
    },
    "createMode": {"type":"string","enum":["Default","Restore"]},
    "databaseAccountOfferType": {"type":"string","enum":["Standard"]},
    "defaultIdentity": {"type":"string"},
    "disableKeyBasedMetadataWriteAccess": {"type":"boolean"},
    "disableLocalAuth": {"type":"boolean"},
    "enableAnalyticalStorage": {"type":"boolean"},
    "enableAutomaticFailover": {"type":"boolean"},
    "enableBurstCapacity": {"type":"boolean"},
    "enableCassandraConnector": {"type":"boolean"},
    "enableFreeTier": {"type":"boolean"},
    "enableMultipleWriteLocations": {"type":"boolean"},
    "enablePartitionMerge": {"type":"boolean"},
    "identity": {
     "type": "object",
     "properties": {
      "type": {"type":"string","enum":["None","SystemAssigned","SystemAssigned,UserAssigned","UserAssigned"]},
      "userAssignedIdentities": {"type":"array","items":{"type":"object","properties":{"reference":{"type":"reference"}}},"as":"identityMap"}
     }
    },
    "ipRules": {"type":"array","items":{"type":"object","properties":{"ipAddressOrRange":{"type":"string"}}}},
    "isVirtualNetworkFilterEnabled": {"type":"boolean"},
    "keyVaultKeyUri": {"type":"string"},
    "kind": {"type":"string","enum":["GlobalDocumentDB","MongoDB","Parse"]},
    "location": {"type":"string"},
    "locations": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "failoverPriority": {"type":"integer","minimum":0},
       "isZoneRedundant": {"type":"boolean"},
       "locationName": {"type":"string"}
      }
     }
    },
    "minimalTlsVersion": {"type":"string","enum":["Tls","Tls11","Tls12"]},
    "networkAclBypass": {"type":"string","enum":["AzureServices","None"]},
    "networkAclBypassResourceReferences": {"type":"array","items":{"type":"reference"},"arm":"properties.networkAclBypassResourceIds"},
    "publicNetworkAccess": {"type":"string","enum":["Disabled","Enabled","SecuredByPerimeter"]},
    "restoreParameters": {
     "type": "object",
     "properties": {
      "databasesToRestore": {
       "type": "array",
       "items": {
        "type": "object",
        "properties": {"collectionNames":{"type":"array","items":{"type":"string"}},"databaseName":{"type":"string"}}
       }
      },
      "gremlinDatabasesToRestore": {
       "type": "array",
       "items": {
        "type": "object",
        "properties": {"databaseName":{"type":"string"},"graphNames":{"type":"array","items":{"type":"string"}}}
       }
      },
      "restoreMode": {"type":"string","enum":["PointInTime"]},
      "restoreSource": {"type":"string"},
      "restoreTimestampInUtc": {"type":"string"},
      "restoreWithTtlDisabled": {"type":"boolean"},
      "tablesToRestore": {"type":"array","items":{"type":"string"}}
     }
    },
    "tags": {"type":"map","values":{"type":"string"}},
    "virtualNetworkRules": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {"ignoreMissingVNetServiceEndpoint":{"type":"boolean"},"reference":{"type":"reference","arm":"id"}}
     }
    },
    "networkAclBypassResourceIds": {"type":"array","items":{"type":"string"},"onlyIn":["v1api20210515"]}
   }
  }
 }
};
