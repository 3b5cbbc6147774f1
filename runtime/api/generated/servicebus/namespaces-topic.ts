// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface NamespacesTopicSpec {
  azureName?: string;
  autoDeleteOnIdle?: string;
  defaultMessageTimeToLive?: string;
  duplicateDetectionHistoryTimeWindow?: string;
  enableBatchedOperations?: boolean;
  enableExpress?: boolean;
  enablePartitioning?: boolean;
  maxMessageSizeInKilobytes?: number;
  maxSizeInMegabytes?: number;
  requiresDuplicateDetection?: boolean;
  supportOrdering?: boolean;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface NamespacesTopic {
  spec: NamespacesTopicSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "servicebus.azure.com",
 "kind": "NamespacesTopic",
 "plural": "namespacestopics",
 "singular": "namespacestopic",
 "shortNames": ["sbtopic"],
 "arm": {
  "armType": "Microsoft.ServiceBus/namespaces/topics",
  "apiVersions": {
   "v1api20240101": "2024-01-01",
   "v1api20221001preview": "2022-10-01-preview",
   "v1api20211101": "2021-11-01",
   "v1api20210101preview": "2021-01-01-preview"
  },
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.ServiceBus/namespaces/{namespaceName}/topics/{topicName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["Namespace"],"group":"servicebus.azure.com"},
  "azureName": {"minLength":1},
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
    "autoDeleteOnIdle": {"type":"string"},
    "defaultMessageTimeToLive": {"type":"string"},
    "duplicateDetectionHistoryTimeWindow": {"type":"string"},
    "enableBatchedOperations": {"type":"boolean"},
    "enableExpress": {"type":"boolean"},
    "enablePartitioning": {"type":"boolean"},
    "maxMessageSizeInKilobytes": {"type":"integer"},
    "maxSizeInMegabytes": {"type":"integer"},
    "requiresDuplicateDetection": {"type":"boolean"},
    "supportOrdering": {"type":"boolean"}
   }
  }
 }
};
