// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface ServersFirewallRuleSpec {
  azureName?: string;
  endIpAddress?: string;
  startIpAddress?: string;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ServersFirewallRule {
  spec: ServersFirewallRuleSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "sql.azure.com",
 "kind": "ServersFirewallRule",
 "plural": "serversfirewallrules",
 "singular": "serversfirewallrule",
 "shortNames": ["sqlfwr"],
 "arm": {
  "armType": "Microsoft.Sql/servers/firewallRules",
  "apiVersions": {"v20250101":"2025-01-01","v20211101":"2021-11-01","v1api20211101":"2021-11-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Sql/servers/{serverName}/firewallRules/{firewallRuleName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["Server"],"group":"sql.azure.com"},
  "azureName": {},
  "topLevel": ["name"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [],
  "fields": {"type":"object","properties":{"endIpAddress":{"type":"string"},"startIpAddress":{"type":"string"}}}
 }
};
