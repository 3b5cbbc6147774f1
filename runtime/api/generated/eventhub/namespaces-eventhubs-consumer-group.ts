// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface NamespacesEventhubsConsumerGroupSpec {
  azureName?: string;
  userMetadata?: string;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface NamespacesEventhubsConsumerGroup {
  spec: NamespacesEventhubsConsumerGroupSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "eventhub.azure.com",
 "kind": "NamespacesEventhubsConsumerGroup",
 "plural": "namespaceseventhubsconsumergroups",
 "singular": "namespaceseventhubsconsumergroup",
 "shortNames": ["ehcg"],
 "arm": {
  "armType": "Microsoft.EventHub/namespaces/eventhubs/consumergroups",
  "apiVersions": {"v1api20240101":"2024-01-01","v1api20211101":"2021-11-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.EventHub/namespaces/{namespaceName}/eventhubs/{eventHubName}/consumergroups/{consumerGroupName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["NamespacesEventhub"],"group":"eventhub.azure.com"},
  "azureName": {"minLength":1,"maxLength":50},
  "topLevel": ["name"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [],
  "fields": {"type":"object","properties":{"userMetadata":{"type":"string"}}}
 }
};
