// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface StorageAccountsBlobServicesContainerSpec {
  azureName?: string;
  defaultEncryptionScope?: string;
  denyEncryptionScopeOverride?: boolean;
  enableNfsV3AllSquash?: boolean;
  enableNfsV3RootSquash?: boolean;
  immutableStorageWithVersioning?: {
    enabled?: boolean;
  };
  metadata?: Record<string, string>;
  publicAccess?: 'Blob' | 'Container' | 'None';
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface StorageAccountsBlobServicesContainer {
  spec: StorageAccountsBlobServicesContainerSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "storage.azure.com",
 "kind": "StorageAccountsBlobServicesContainer",
 "plural": "storageaccountsblobservicescontainers",
 "singular": "storageaccountsblobservicescontainer",
 "shortNames": ["stcontainer"],
 "arm": {
  "armType": "Microsoft.Storage/storageAccounts/blobServices/containers",
  "apiVersions": {
   "v20250601": "2025-06-01",
   "v20230101": "2023-01-01",
   "v1api20230101": "2023-01-01",
   "v20220901": "2022-09-01",
   "v1api20220901": "2022-09-01",
   "v20210401": "2021-04-01",
   "v1api20210401": "2021-04-01"
  },
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Storage/storageAccounts/{accountName}/blobServices/default/containers/{containerName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["StorageAccountsBlobService"],"group":"storage.azure.com"},
  "azureName": {"minLength":3,"maxLength":63},
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
    "defaultEncryptionScope": {"type":"string"},
    "denyEncryptionScopeOverride": {"type":"boolean"},
    "enableNfsV3AllSquash": {"type":"boolean"},
    "enableNfsV3RootSquash": {"type":"boolean"},
    "immutableStorageWithVersioning": {"type":"object","properties":{"enabled":{"type":"boolean"}}},
    "metadata": {"type":"map","values":{"type":"string"},"whenAbsent":"null"},
    "publicAccess": {"type":"string","enum":["Blob","Container","None"]}
   }
  }
 }
};
