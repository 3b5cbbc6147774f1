// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface StorageAccountsBlobServiceSpec {
  automaticSnapshotPolicyEnabled?: boolean;
  changeFeed?: {
    enabled?: boolean;
    retentionInDays?: number;
  };
  containerDeleteRetentionPolicy?: {
    allowPermanentDelete?: boolean;
    days?: number;
    enabled?: boolean;
  };
  cors?: {
    corsRules?: ({
      allowedHeaders: string[];
      allowedMethods: ('CONNECT' | 'DELETE' | 'GET' | 'HEAD' | 'MERGE' | 'OPTIONS' | 'PATCH' | 'POST' | 'PUT' | 'TRACE')[];
      allowedOrigins: string[];
      exposedHeaders: string[];
      maxAgeInSeconds: number;
    })[];
  };
  defaultServiceVersion?: string;
  deleteRetentionPolicy?: {
    allowPermanentDelete?: boolean;
    days?: number;
    enabled?: boolean;
  };
  isVersioningEnabled?: boolean;
  lastAccessTimeTrackingPolicy?: {
    blobType?: string[];
    enable: boolean;
    name?: 'AccessTimeTracking';
    trackingGranularityInDays?: number;
  };
  restorePolicy?: {
    days?: number;
    enabled: boolean;
  };
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface StorageAccountsBlobService {
  spec: StorageAccountsBlobServiceSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "storage.azure.com",
 "kind": "StorageAccountsBlobService",
 "plural": "storageaccountsblobservices",
 "singular": "storageaccountsblobservice",
 "shortNames": ["stblobsvc"],
 "arm": {
  "armType": "Microsoft.Storage/storageAccounts/blobServices",
  "apiVersions": {
   "v20250601": "2025-06-01",
   "v20230101": "2023-01-01",
   "v1api20230101": "2023-01-01",
   "v20220901": "2022-09-01",
   "v1api20220901": "2022-09-01",
   "v20210401": "2021-04-01",
   "v1api20210401": "2021-04-01"
  },
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Storage/storageAccounts/{accountName}/blobServices/default",
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
    "automaticSnapshotPolicyEnabled": {"type":"boolean"},
    "changeFeed": {
     "type": "object",
     "properties": {"enabled":{"type":"boolean"},"retentionInDays":{"type":"integer","minimum":1,"maximum":146000}}
    },
    "containerDeleteRetentionPolicy": {
     "type": "object",
     "properties": {
      "allowPermanentDelete": {"type":"boolean"},
      "days": {"type":"integer","minimum":1,"maximum":365},
      "enabled": {"type":"boolean"}
     }
    },
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
    },
    "defaultServiceVersion": {"type":"string"},
    "deleteRetentionPolicy": {
     "type": "object",
     "properties": {
      "allowPermanentDelete": {"type":"boolean"},
      "days": {"type":"integer","minimum":1,"maximum":365},
      "enabled": {"type":"boolean"}
     }
    },
    "isVersioningEnabled": {"type":"boolean"},
    "lastAccessTimeTrackingPolicy": {
     "type": "object",
     "required": ["enable"],
     "properties": {
      "blobType": {"type":"array","items":{"type":"string"},"whenAbsent":"null"},
      "enable": {"type":"boolean"},
      "name": {"type":"string","enum":["AccessTimeTracking"]},
      "trackingGranularityInDays": {"type":"integer"}
     }
    },
    "restorePolicy": {
     "type": "object",
     "required": ["enabled"],
     "properties": {"days":{"type":"integer","minimum":1,"maximum":365},"enabled":{"type":"boolean"}}
    }
   }
  }
 }
};
