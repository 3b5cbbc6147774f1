// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface StorageAccountsTableServicesTableSpec {
  azureName?: string;
  signedIdentifiers?: ({
    accessPolicy?: {
      expiryTime?: string;
      permission: string;
      startTime?: string;
    };
    reference: ArmReference;
  })[];
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface StorageAccountsTableServicesTable {
  spec: StorageAccountsTableServicesTableSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "storage.azure.com",
 "kind": "StorageAccountsTableServicesTable",
 "plural": "storageaccountstableservicestables",
 "singular": "storageaccountstableservicestable",
 "shortNames": ["sttable"],
 "arm": {
  "armType": "Microsoft.Storage/storageAccounts/tableServices/tables",
  "apiVersions": {
   "v20250601": "2025-06-01",
   "v20230101": "2023-01-01",
   "v1api20230101": "2023-01-01",
   "v20220901": "2022-09-01",
   "v1api20220901": "2022-09-01"
  },
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Storage/storageAccounts/{accountName}/tableServices/default/tables/{tableName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["StorageAccountsTableService"],"group":"storage.azure.com"},
  "azureName": {"pattern":"^[A-Za-z][A-Za-z0-9]{2,62}$","minLength":3,"maxLength":63},
  "topLevel": ["name"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "properties": {
    "signedIdentifiers": {
     "type": "array",
     "items": {
      "type": "object",
      "required": ["reference"],
      "properties": {
       "accessPolicy": {
        "type": "object",
        "required": ["permission"],
        "properties": {"expiryTime":{"type":"string"},"permission":{"type":"string"},"startTime":{"type":"string"}}
       },
       "reference": {"type":"reference","arm":"id"}
      }
     },
     "whenAbsent": "null"
    }
   }
  }
 }
};
