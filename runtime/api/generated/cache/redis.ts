// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface RedisSpec {
  azureName?: string;
  disableAccessKeyAuthentication?: boolean;
  enableNonSslPort?: boolean;
  identity?: {
    type: 'None' | 'SystemAssigned' | 'SystemAssigned, UserAssigned' | 'UserAssigned';
    userAssignedIdentities?: ({
      reference?: ArmReference;
    })[];
  };
  location: string;
  minimumTlsVersion?: '1.0' | '1.1' | '1.2';
  publicNetworkAccess?: 'Disabled' | 'Enabled';
  redisConfiguration?: {
    'aad-enabled'?: string;
    additionalProperties?: Record<string, unknown>;
    'aof-backup-enabled'?: string;
    'aof-storage-connection-string-0'?: string;
    'aof-storage-connection-string-1'?: string;
    authnotrequired?: string;
    'maxfragmentationmemory-reserved'?: string;
    'maxmemory-delta'?: string;
    'maxmemory-policy'?: string;
    'maxmemory-reserved'?: string;
    'notify-keyspace-events'?: string;
    'preferred-data-persistence-auth-method'?: string;
    'rdb-backup-enabled'?: string;
    'rdb-backup-frequency'?: string;
    'rdb-backup-max-snapshot-count'?: string;
    'rdb-storage-connection-string'?: string;
    'storage-subscription-id'?: string;
  };
  redisVersion?: string;
  replicasPerMaster?: number;
  replicasPerPrimary?: number;
  shardCount?: number;
  sku: {
    capacity: number;
    family: 'C' | 'P';
    name: 'Basic' | 'Premium' | 'Standard';
  };
  staticIP?: string;
  subnetReference?: ArmReference;
  tags?: Record<string, string>;
  tenantSettings?: Record<string, string>;
  updateChannel?: 'Preview' | 'Stable';
  zonalAllocationPolicy?: 'Automatic' | 'NoZones' | 'UserDefined';
  zones?: string[];
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<'hostName' | 'port' | 'primaryKey' | 'secondaryKey' | 'sslPort', never, 'primaryKey' | 'secondaryKey'>;
}

export interface Redis {
  spec: RedisSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "cache.azure.com",
 "kind": "Redis",
 "plural": "redis",
 "singular": "redis",
 "shortNames": ["rediscache"],
 "arm": {
  "armType": "Microsoft.Cache/redis",
  "apiVersions": {
   "v20241101": "2024-11-01",
   "v1api20241101": "2024-11-01",
   "v20230801": "2023-08-01",
   "v1api20230801": "2023-08-01",
   "v20230401": "2023-04-01",
   "v1api20230401": "2023-04-01",
   "v20201201": "2020-12-01",
   "v1api20201201": "2020-12-01"
  },
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Cache/redis/{name}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["ResourceGroup"],"group":"resources.azure.com"},
  "azureName": {},
  "topLevel": ["identity","location","name","tags","zones"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":["hostName","port","primaryKey","secondaryKey","sslPort"],"configMaps":[]},
  "secretSource": {
   "action": {"method":"POST","path":"listKeys","apiVersion":"2021-06-01"},
   "secrets": {
    "primaryKey": {"from":"action","path":"primaryKey"},
    "secondaryKey": {"from":"action","path":"secondaryKey"},
    "hostName": {"from":"status","crPath":"status.hostName","armPath":"properties.hostName"},
    "port": {"from":"status","crPath":"status.port","armPath":"properties.port","as":"decimal string"},
    "sslPort": {"from":"status","crPath":"status.sslPort","armPath":"properties.sslPort","as":"decimal string"}
   },
   "celNames": ["primaryKey","secondaryKey"]
  },
  "keyRotation": {
   "action": {"method":"POST","path":"regenerateKey","apiVersion":"2021-06-01"},
   "primary": [{"secret":"primaryKey","body":{"keyType":"Primary"}}],
   "secondary": [{"secret":"secondaryKey","body":{"keyType":"Secondary"}}],
   "counterparts": {"primaryKey":"secondaryKey"}
  },
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "required": ["location","sku"],
   "properties": {
    "disableAccessKeyAuthentication": {"type":"boolean"},
    "enableNonSslPort": {"type":"boolean"},
    "identity": {
     "type": "object",
     "required": ["type"],
     "properties": {
      "type": {"type":"string","enum":["None","SystemAssigned","SystemAssigned, UserAssigned","UserAssigned"]},
      "userAssignedIdentities": {"type":"array","items":{"type":"object","properties":{"reference":{"type":"reference"}}},"as":"identityMap"}
     }
    },
    "location": {"type":"string"},
    "minimumTlsVersion": {"type":"string","enum":["1.0","1.1","1.2"]},
    "publicNetworkAccess": {"type":"string","enum":["Disabled","Enabled"]},
    "redisConfiguration": {
     "type": "object",
     "properties": {
      "aad-enabled": {"type":"string"},
      "additionalProperties": {"type":"map","values":{"type":"any"}},
      "aof-backup-enabled": {"type":"string"},
      "aof-storage-connection-string-0": {"type":"string"},
      "aof-storage-connection-string-1": {"type":"string"},
      "authnotrequired": {"type":"string"},
      "maxfragmentationmemory-reserved": {"type":"string"},
      "maxmemory-delta": {"type":"string"},
      "maxmemory-policy": {"type":"string"},
      "maxmemory-reserved": {"type":"string"},
      "notify-keyspace-events": {"type":"string"},
      "preferred-data-persistence-auth-method": {"type":"string"},
      "rdb-backup-enabled": {"type":"string"},
      "rdb-backup-frequency": {"type":"string"},
      "rdb-backup-max-snapshot-count": {"type":"string"},
      "rdb-storage-connection-string": {"type":"string"},
      "storage-subscription-id": {"type":"string"}
     }
    },
    "redisVersion": {"type":"string"},
    "replicasPerMaster": {"type":"integer"},
    "replicasPerPrimary": {"type":"integer"},
    "shardCount": {"type":"integer"},
    "sku": {
     "type": "object",
     "required": ["capacity","family","name"],
     "properties": {
      "capacity": {"type":"integer"},
      "family": {"type":"string","enum":["C","P"]},
      "name": {"type":"string","enum":["Basic","Premium","Standard"]}
     }
    },
    "staticIP": {"type":"string","pattern":"^\\d+\\.\\d+\\.\\d+\\.\\d+$"},
    "subnetReference": {"type":"reference","arm":"properties.subnetId"},
    "tags": {"type":"map","values":{"type":"string"}},
    "tenantSettings": {"type":"map","values":{"type":"string"}},
    "updateChannel": {"type":"string","enum":["Preview","Stable"]},
    "zonalAllocationPolicy": {"type":"string","enum":["Automatic","NoZones","UserDefined"]},
    "zones": {"type":"array","items":{"type":"string"}}
   }
  }
 }
};
