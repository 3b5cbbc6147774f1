// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface SqlDatabaseContainerSpec {
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
    clientEncryptionPolicy?: {
      includedPaths: ({
        clientEncryptionKeyId: string;
        encryptionAlgorithm: string;
        encryptionType: string;
        path: string;
      })[];
      policyFormatVersion: number;
    };
    computedProperties?: ({
      name?: string;
      query?: string;
    })[];
    conflictResolutionPolicy?: {
      conflictResolutionPath?: string;
      conflictResolutionProcedure?: string;
      mode?: 'Custom' | 'LastWriterWins';
    };
    createMode?: 'Default' | 'Restore';
    defaultTtl?: number;
    id: string;
    indexingPolicy?: {
      automatic?: boolean;
      compositeIndexes?: (({
        order?: 'ascending' | 'descending';
        path?: string;
      })[])[];
      excludedPaths?: ({
        path?: string;
      })[];
      includedPaths?: ({
        indexes?: ({
          dataType?: 'LineString' | 'MultiPolygon' | 'Number' | 'Point' | 'Polygon' | 'String';
          kind?: 'Hash' | 'Range' | 'Spatial';
          precision?: number;
        })[];
        path?: string;
      })[];
      indexingMode?: 'consistent' | 'lazy' | 'none';
      spatialIndexes?: ({
        path?: string;
        types?: ('LineString' | 'MultiPolygon' | 'Point' | 'Polygon')[];
      })[];
    };
    partitionKey?: {
      kind?: 'Hash' | 'MultiHash' | 'Range';
      paths?: string[];
      version?: number;
    };
    restoreParameters?: {
      restoreSource?: string;
      restoreTimestampInUtc?: string;
      restoreWithTtlDisabled?: boolean;
    };
    uniqueKeyPolicy?: {
      uniqueKeys?: ({
        paths?: string[];
      })[];
    };
  };
  tags?: Record<string, string>;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface SqlDatabaseContainer {
  spec: SqlDatabaseContainerSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "documentdb.azure.com",
 "kind": "SqlDatabaseContainer",
 "plural": "sqldatabasecontainers",
 "singular": "sqldatabasecontainer",
 "shortNames": ["cosmossqlct"],
 "arm": {
  "armType": "Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers",
  "apiVersions": {"v1api20240815":"2024-08-15","v1api20231115":"2023-11-15","v1api20210515":"2021-05-15"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.DocumentDB/databaseAccounts/{accountName}/sqlDatabases/{databaseName}/containers/{containerName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["SqlDatabase"],"group":"documentdb.azure.com"},
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
      "clientEncryptionPolicy": {
       "type": "object",
       "required": ["includedPaths","policyFormatVersion"],
       "properties": {
        "includedPaths": {
         "type": "array",
         "items": {
          "type": "object",
          "required": ["clientEncryptionKeyId","encryptionAlgorithm","encryptionType","path"],
          "properties": {
           "clientEncryptionKeyId": {"type":"string"},
           "encryptionAlgorithm": {"type":"string"},
           "encryptionType": {"type":"string"},
           "path": {"type":"string"}
          }
         }
        },
        "policyFormatVersion": {"type":"integer","minimum":1,"maximum":2}
       }
      },
      "computedProperties": {"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"query":{"type":"string"}}}},
      "conflictResolutionPolicy": {
       "type": "object",
       "properties": {
        "conflictResolutionPath": {"type":"string"},
        "conflictResolutionProcedure": {"type":"string"},
        "mode": {"type":"string","enum":["Custom","LastWriterWins"]}
       }
      },
      "createMode": {"type":"string","enum":["Default","Restore"]},
      "defaultTtl": {"type":"integer"},
      "id": {"type":"string"},
      "indexingPolicy": {
       "type": "object",
       "properties": {
        "automatic": {"type":"boolean"},
        "compositeIndexes": {
         "type": "array",
         "items": {
          "type": "array",
          "items": {
           "type": "object",
           "properties": {"order":{"type":"string","enum":["ascending","descending"]},"path":{"type":"string"}}
          }
         }
        },
        "excludedPaths": {"type":"array","items":{"type":"object","properties":{"path":{"type":"string"}}}},
        "includedPaths": {
         "type": "array",
         "items": {
          "type": "object",
          "properties": {
           "indexes": {
            "type": "array",
            "items": {
             "type": "object",
             "properties": {
              "dataType": {"type":"string","enum":["LineString","MultiPolygon","Number","Point","Polygon","String"]},
              "kind": {"type":"string","enum":["Hash","Range","Spatial"]},
              "precision": {"type":"integer"}
             }
            }
           },
           "path": {"type":"string"}
          }
         }
        },
        "indexingMode": {"type":"string","enum":["consistent","lazy","none"]},
        "spatialIndexes": {
         "type": "array",
         "items": {
          "type": "object",
          "properties": {
           "path": {"type":"string"},
           "types": {"type":"array","items":{"type":"string","enum":["LineString","MultiPolygon","Point","Polygon"]}}
          }
         }
        }
       }
      },
      "partitionKey": {
       "type": "object",
       "properties": {
        "kind": {"type":"string","enum":["Hash","MultiHash","Range"]},
        "paths": {"type":"array","items":{"type":"string"}},
        "version": {"type":"integer","minimum":1,"maximum":2}
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
      "uniqueKeyPolicy": {
       "type": "object",
       "properties": {
        "uniqueKeys": {"type":"array","items":{"type":"object","properties":{"paths":{"type":"array","items":{"type":"string"}}}}}
       }
      }
     }
    },
    "tags": {"type":"map","values":{"type":"string"}}
   }
  }
 }
};
