// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface NamespacesEventhubsAuthorizationRuleSpec {
  azureName?: string;
  rights: ('Listen' | 'Manage' | 'Send')[];
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<'primaryConnectionString' | 'primaryKey' | 'secondaryConnectionString' | 'secondaryKey', never, 'primaryConnectionString' | 'secondaryConnectionString' | 'primaryKey' | 'secondaryKey' | 'sharedaccessKey' | 'eventhubNamespace' | 'eventhubName'>;
}

export interface NamespacesEventhubsAuthorizationRule {
  spec: NamespacesEventhubsAuthorizationRuleSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "eventhub.azure.com",
 "kind": "NamespacesEventhubsAuthorizationRule",
 "plural": "namespaceseventhubsauthorizationrules",
 "singular": "namespaceseventhubsauthorizationrule",
 "shortNames": ["ehrule"],
 "arm": {
  "armType": "Microsoft.EventHub/namespaces/eventhubs/authorizationRules",
  "apiVersions": {"v1api20240101":"2024-01-01","v1api20211101":"2021-11-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.EventHub/namespaces/{namespaceName}/eventhubs/{eventHubName}/authorizationRules/{authorizationRuleName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["NamespacesEventhub"],"group":"eventhub.azure.com"},
  "azureName": {"minLength":1},
  "topLevel": ["name"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":["primaryConnectionString","primaryKey","secondaryConnectionString","secondaryKey"],"configMaps":[]},
  "secretSource": {
   "action": {"method":"POST","path":"listKeys","apiVersion":"2024-01-01"},
   "secrets": {
    "primaryKey": {"from":"action","path":"primaryKey"},
    "secondaryKey": {"from":"action","path":"secondaryKey"},
    "primaryConnectionString": {"from":"action","path":"primaryConnectionString"},
    "secondaryConnectionString": {"from":"action","path":"secondaryConnectionString"}
   },
   "celNames": ["primaryKey","secondaryKey","primaryConnectionString","secondaryConnectionString"]
  },
  "keyRotation": {
   "action": {"method":"POST","path":"regenerateKeys","apiVersion":"2024-01-01"},
   "primary": [{"secret":"primaryKey","body":{"keyType":"PrimaryKey"}}],
   "secondary": [{"secret":"secondaryKey","body":{"keyType":"SecondaryKey"}}],
   "counterparts": {"primaryKey":"secondaryKey","primaryConnectionString":"secondaryConnectionString"}
  },
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "required": ["rights"],
   "properties": {"rights":{"type":"array","items":{"type":"string","enum":["Listen","Manage","Send"]}}}
  }
 }
};
