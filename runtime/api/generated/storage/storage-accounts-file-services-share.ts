// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface StorageAccountsFileServicesShareSpec {
  azureName?: string;
  accessTier?: 'Cool' | 'Hot' | 'Premium' | 'TransactionOptimized';
  enabledProtocols?: 'NFS' | 'SMB';
  fileSharePaidBursting?: {
    paidBurstingEnabled?: boolean;
    paidBurstingMaxBandwidthMibps?: number;
    paidBurstingMaxIops?: number;
  };
  metadata?: Record<string, string>;
  provisionedBandwidthMibps?: number;
  provisionedIops?: number;
  rootSquash?: 'AllSquash' | 'NoRootSquash' | 'RootSquash';
  shareQuota?: number;
  signedIdentifiers?: ({
    accessPolicy?: {
      expiryTime?: string;
      permission?: string;
      startTime?: string;
    };
    reference?: ArmReference;
  })[];
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface StorageAccountsFileServicesShare {
  spec: StorageAccountsFileServicesShareSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "storage.azure.com",
 "kind": "StorageAccountsFileServicesShare",
 "plural": "storageaccountsfileservicesshares",
 "singular": "storageaccountsfileservicesshare",
 "shortNames": ["stshare"],
 "arm": {
  "armType": "Microsoft.Storage/storageAccounts/fileServices/shares",
  "apiVersions": {
   "v20250601": "2025-06-01",
   "v20230101": "2023-01-01",
   "v1api20230101": "2023-01-01",
   "v20220901": "2022-09-01",
   "v1api20220901": "2022-09-01"
  },
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Storage/storageAccounts/{accountName}/fileServices/default/shares/{shareName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["StorageAccountsFileService"],"group":"storage.azure.com"},
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
    "accessTier": {"type":"string","enum":["Cool","Hot","Premium","TransactionOptimized"]},
    "enabledProtocols": {"type":"string","enum":["NFS","SMB"]},
    "fileSharePaidBursting": {
     "type": "object",
     "properties": {
      "paidBurstingEnabled": {"type":"boolean"},
      "paidBurstingMaxBandwidthMibps": {"type":"integer"},
      "paidBurstingMaxIops": {"type":"integer"}
     }
    },
    "metadata": {"type":"map","values":{"type":"string"},"whenAbsent":"null"},
    "provisionedBandwidthMibps": {"type":"integer"},
    "provisionedIops": {"type":"integer"},
    "rootSquash": {"type":"string","enum":["AllSquash","NoRootSquash","RootSquash"]},
    "shareQuota": {"type":"integer"},
    "signedIdentifiers": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "accessPolicy": {
        "type": "object",
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
