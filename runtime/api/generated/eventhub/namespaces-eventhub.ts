// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface NamespacesEventhubSpec {
  azureName?: string;
  captureDescription?: {
    destination?: {
      archiveNameFormat?: string;
      blobContainer?: string;
      dataLakeAccountName?: string;
      dataLakeFolderPath?: string;
      dataLakeSubscriptionId?: string;
      identity?: {
        type?: 'SystemAssigned' | 'UserAssigned';
        userAssignedIdentityReference?: ArmReference;
      };
      name?: string;
      storageAccountResourceReference?: ArmReference;
    };
    enabled?: boolean;
    encoding?: 'Avro' | 'AvroDeflate';
    intervalInSeconds?: number;
    sizeLimitInBytes?: number;
    skipEmptyArchives?: boolean;
  };
  messageRetentionInDays?: number;
  partitionCount?: number;
  retentionDescription?: {
    cleanupPolicy?: 'Compact' | 'Delete';
    retentionTimeInHours?: number;
    tombstoneRetentionTimeInHours?: number;
  };
  userMetadata?: string;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface NamespacesEventhub {
  spec: NamespacesEventhubSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "eventhub.azure.com",
 "kind": "NamespacesEventhub",
 "plural": "namespaceseventhubs",
 "singular": "namespaceseventhub",
 "shortNames": ["eh"],
 "arm": {
  "armType": "Microsoft.EventHub/namespaces/eventhubs",
  "apiVersions": {"v1api20240101":"2024-01-01","v1api20211101":"2021-11-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.EventHub/namespaces/{namespaceName}/eventhubs/{eventHubName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["Namespace"],"group":"eventhub.azure.com"},
  "azureName": {"minLength":1,"maxLength":256},
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
    "captureDescription": {
     "type": "object",
     "properties": {
      "destination": {
       "type": "object",
       "properties": {
        "archiveNameFormat": {"type":"string","arm":"properties.archiveNameFormat"},
        "blobContainer": {"type":"string","arm":"properties.blobContainer"},
        "dataLakeAccountName": {"type":"string","arm":"properties.dataLakeAccountName"},
        "dataLakeFolderPath": {"type":"string","arm":"properties.dataLakeFolderPath"},
        "dataLakeSubscriptionId": {
         "type": "string",
         "pattern": "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
         "arm": "properties.dataLakeSubscriptionId"
        },
        "identity": {
         "type": "object",
         "properties": {
          "type": {"type":"string","enum":["SystemAssigned","UserAssigned"]},
          "userAssignedIdentityReference": {"type":"reference","arm":"userAssignedIdentity"}
         }
        },
        "name": {"type":"string"},
        "storageAccountResourceReference": {"type":"reference","arm":"properties.storageAccountResourceId"}
       }
      },
      "enabled": {"type":"boolean"},
      "encoding": {"type":"string","enum":["Avro","AvroDeflate"]},
      "intervalInSeconds": {"type":"integer"},
      "sizeLimitInBytes": {"type":"integer"},
      "skipEmptyArchives": {"type":"boolean"}
     }
    },
    "messageRetentionInDays": {"type":"integer","minimum":1},
    "partitionCount": {"type":"integer","minimum":1},
    "retentionDescription": {
     "type": "object",
     "properties": {
      "cleanupPolicy": {"type":"string","enum":["Compact","Delete"]},
      "retentionTimeInHours": {"type":"integer"},
      "tombstoneRetentionTimeInHours": {"type":"integer"}
     }
    },
    "userMetadata": {"type":"string"}
   }
  }
 }
};
