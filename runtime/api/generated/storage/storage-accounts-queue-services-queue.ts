// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface StorageAccountsQueueServicesQueueSpec {
  azureName?: string;
  metadata?: Record<string, string>;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface StorageAccountsQueueServicesQueue {
  spec: StorageAccountsQueueServicesQueueSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "storage.azure.com",
 "kind": "StorageAccountsQueueServicesQueue",
 "plural": "storageaccountsqueueservicesqueues",
 "singular": "storageaccountsqueueservicesqueue",
 "shortNames": ["stqueue"],
 "arm": {
  "armType": "Microsoft.Storage/storageAccounts/queueServices/queues",
  "apiVersions": {
   "v20250601": "2025-06-01",
   "v20230101": "2023-01-01",
   "v1api20230101": "2023-01-01",
   "v20220901": "2022-09-01",
   "v1api20220901": "2022-09-01",
   "v20210401": "2021-04-01",
   "v1api20210401": "2021-04-01"
  },
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Storage/storageAccounts/{accountName}/queueServices/default/queues/{queueName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["StorageAccountsQueueService"],"group":"storage.azure.com"},
  "azureName": {"minLength":3,"maxLength":63},
  "topLevel": ["name"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [],
  "fields": {"type":"object","properties":{"metadata":{"type":"map","values":{"type":"string"},"whenAbsent":"null"}}}
 }
};
