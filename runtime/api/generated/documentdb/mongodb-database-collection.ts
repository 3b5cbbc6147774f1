// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface MongodbDatabaseCollectionSpec {
  azureName?: string;
  location?: string;
  options?: {
    autoscaleSettings?: {
      maxThroughput?: number;
    };
    throughput?: number;
  };
  resource: {
    analyticalStorageTtl?: number;
    createMode?: 'Default' | 'Restore';
    id: string;
    indexes?: ({
      key?: {
        keys?: string[];
      };
      options?: {
        expireAfterSeconds?: number;
        unique?: boolean;
      };
    })[];
    restoreParameters?: {
      restoreSource?: string;
      restoreTimestampInUtc?: string;
      restoreWithTtlDisabled?: boolean;
    };
    shardKey?: Record<string, string>;
  };
  tags?: Record<string, string>;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface MongodbDatabaseCollection {
  spec: MongodbDatabaseCollectionSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "documentdb.azure.com",
 "kind": "MongodbDatabaseCollection",
 "plural": "mongodbdatabasecollections",
 "singular": "mongodbdatabasecollection",
 "shortNames": ["cosmosmongocoll"],
 "arm": {
  "armType": "Microsoft.DocumentDB/databaseAccounts/mongodbDatabases/collections",
  "apiVersions": {"v1api20240815":"2024-08-15","v1api20231115":"2023-11-15","v1api20210515":"2021-05-15"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.DocumentDB/databaseAccounts/{accountName}/mongodbDatabases/{databaseName}/collections/{collectionName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["MongodbDatabase"],"group":"documentdb.azure.com"},
  "azureName": {},
  "topLevel": ["location","name","tags"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "required": ["resource"],
   "properties": {
    "location": {"type":"string"},
    "options": {
     "type": "object",
     "properties": {
      "autoscaleSettings": {"type":"object","properties":{"maxThroughput":{"type":"integer"}}},
      "throughput": {"type":"integer"}
     }
    },
    "resource": {
     "type": "object",
     "required": ["id"],
     "properties": {
      "analyticalStorageTtl": {"type":"integer"},
      "createMode": {"type":"string","enum":["Default","Restore"]},
      "id": {"type":"string"},
      "indexes": {
       "type": "array",
       "items": {
        "type": "object",
        "properties": {
         "key": {"type":"object","properties":{"keys":{"type":"array","items":{"type":"string"}}}},
         "options": {"type":"object","properties":{"expireAfterSeconds":{"type":"integer"},"unique":{"type":"boolean"}}}
        }
       }
      },
      "restoreParameters": {
       "type": "object",
       "properties": {
        "restoreSource": {"type":"string"},
        "restoreTimestampInUtc": {"type":"string"},
        "restoreWithTtlDisabled": {"type":"boolean"}
       }
      },
      "shardKey": {"type":"map","values":{"type":"string"}}
     }
    },
    "tags": {"type":"map","values":{"type":"string"}}
   }
  }
 }
};
