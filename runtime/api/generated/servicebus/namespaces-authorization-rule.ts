// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface NamespacesAuthorizationRuleSpec {
  azureName?: string;
  rights: ('Listen' | 'Manage' | 'Send')[];
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<'primaryConnectionString' | 'primaryKey' | 'secondaryConnectionString' | 'secondaryKey', never, 'primaryConnectionString' | 'primaryKey' | 'secondaryConnectionString' | 'secondaryKey'>;
}

export interface NamespacesAuthorizationRule {
  spec: NamespacesAuthorizationRuleSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "servicebus.azure.com",
 "kind": "NamespacesAuthorizationRule",
 "plural": "namespacesauthorizationrules",
 "singular": "namespacesauthorizationrule",
 "shortNames": ["sbnsrule"],
 "arm": {
  "armType": "Microsoft.ServiceBus/namespaces/AuthorizationRules",
  "apiVersions": {
   "v1api20240101": "2024-01-01",
   "v1api20221001preview": "2022-10-01-preview",
   "v1api20211101": "2021-11-01",
   "v1api20210101preview": "2021-01-01-preview"
  },
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.ServiceBus/namespaces/{namespaceName}/AuthorizationRules/{authorizationRuleName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["Namespace"],"group":"servicebus.azure.com"},
  "azureName": {"minLength":1,"maxLength":50},
  "topLevel": ["name"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":["primaryConnectionString","primaryKey","secondaryConnectionString","secondaryKey"],"configMaps":[]},
  "secretSource": {
   "action": {"method":"POST","path":"listKeys","apiVersion":"2021-11-01"},
   "secrets": {
    "primaryKey": {"from":"action","path":"primaryKey"},
    "secondaryKey": {"from":"action","path":"secondaryKey"},
    "primaryConnectionString": {"from":"action","path":"primaryConnectionString"},
    "secondaryConnectionString": {"from":"action","path":"secondaryConnectionString"}
   },
   "celNames": ["primaryKey","secondaryKey","primaryConnectionString","secondaryConnectionString"]
  },
  "keyRotation": {
   "action": {"method":"POST","path":"regenerateKeys","apiVersion":"2021-11-01"},
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
