// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface RedisFirewallRuleSpec {
  azureName?: string;
  endIP: string;
  startIP: string;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface RedisFirewallRule {
  spec: RedisFirewallRuleSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "cache.azure.com",
 "kind": "RedisFirewallRule",
 "plural": "redisfirewallrules",
 "singular": "redisfirewallrule",
 "shortNames": ["redisfwr"],
 "arm": {
  "armType": "Microsoft.Cache/redis/firewallRules",
  "apiVersions": {
   "v20241101": "2024-11-01",
   "v1api20241101": "2024-11-01",
   "v20230801": "2023-08-01",
   "v1api20230801": "2023-08-01",
   "v20230401": "2023-04-01",
   "v1api20230401": "2023-04-01",
   "v20201201": "2020-12-01",
   "v1api20201201": "2020-12-01"
  },
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Cache/redis/{cacheName}/firewallRules/{ruleName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["Redis"],"group":"cache.azure.com"},
  "azureName": {},
  "topLevel": ["name"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "required": ["endIP","startIP"],
   "properties": {"endIP":{"type":"string"},"startIP":{"type":"string"}}
  }
 }
};
