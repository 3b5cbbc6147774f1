// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface SqlDatabaseSpec {
  azureName?: string;
  location?: string;
  options?: {
    autoscaleSettings?: {
      maxThroughput?: number;
    };
    throughput?: number;
  };
  resource: {
    createMode?: 'Default' | 'Restore';
    id: string;
    restoreParameters?: {
      restoreSource?: string;
      restoreTimestampInUtc?: string;
      restoreWithTtlDisabled?: boolean;
    };
  };
  tags?: Record<string, string>;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface SqlDatabase {
  spec: SqlDatabaseSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "documentdb.azure.com",
 "kind": "SqlDatabase",
 "plural": "sqldatabases",
 "singular": "sqldatabase",
 "shortNames": ["cosmossqldb"],
 "arm": {
  "armType": "Microsoft.DocumentDB/databaseAccounts/sqlDatabases",
  "apiVersions": {"v1api20240815":"2024-08-15","v1api20231115":"2023-11-15","v1api20210515":"2021-05-15"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.DocumentDB/databaseAccounts/{accountName}/sqlDatabases/{databaseName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["DatabaseAccount"],"group":"documentdb.azure.com"},
  "azureName": {},
  "topLevel": ["location","name","tags"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [{"code":"BadRequest","class":"retryable"}],
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
      "createMode": {"type":"string","enum":["Default","Restore"]},
      "id": {"type":"string"},
      "restoreParameters": {
       "type": "object",
       "properties": {
        "restoreSource": {"type":"string"},
        "restoreTimestampInUtc": {"type":"string"},
        "restoreWithTtlDisabled": {"type":"boolean"}
       }
      }
     }
    },
    "tags": {"type":"map","values":{"type":"string"}}
   }
  }
 }
};
