// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface StorageAccountsTableServiceSpec {
  cors?: {
    corsRules?: ({
      allowedHeaders: string[];
      allowedMethods: ('CONNECT' | 'DELETE' | 'GET' | 'HEAD' | 'MERGE' | 'OPTIONS' | 'PATCH' | 'POST' | 'PUT' | 'TRACE')[];
      allowedOrigins: string[];
      exposedHeaders: string[];
      maxAgeInSeconds: number;
    })[];
  };
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface StorageAccountsTableService {
  spec: StorageAccountsTableServiceSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "storage.azure.com",
 "kind": "StorageAccountsTableService",
 "plural": "storageaccountstableservices",
 "singular": "storageaccountstableservice",
 "shortNames": ["sttablesvc"],
 "arm": {
  "armType": "Microsoft.Storage/storageAccounts/tableServices",
  "apiVersions": {
   "v20250601": "2025-06-01",
   "v20230101": "2023-01-01",
   "v1api20230101": "2023-01-01",
   "v20220901": "2022-09-01",
   "v1api20220901": "2022-09-01"
  },
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Storage/storageAccounts/{accountName}/tableServices/default",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["StorageAccount"],"group":"storage.azure.com"},
  "azureNameFixed": "default",
  "topLevel": ["name"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": false,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "properties": {
    "cors": {
     "type": "object",
     "properties": {
      "corsRules": {
       "type": "array",
       "items": {
        "type": "object",
        "required": ["allowedHeaders","allowedMethods","allowedOrigins","exposedHeaders","maxAgeInSeconds"],
        "properties": {
         "allowedHeaders": {"type":"array","items":{"type":"string"},"whenAbsent":"null"},
         "allowedMethods": {
          "type": "array",
          "items": {"type":"string","enum":["CONNECT","DELETE","GET","HEAD","MERGE","OPTIONS","PATCH","POST","PUT","TRACE"]},
          "whenAbsent": "null"
         },
         "allowedOrigins": {"type":"array","items":{"type":"string"},"whenAbsent":"null"},
         "exposedHeaders": {"type":"array","items":{"type":"string"},"whenAbsent":"null"},
         "maxAgeInSeconds": {"type":"integer"}
        }
       },
       "whenAbsent": "null"
      }
     }
    }
   }
  }
 }
};
