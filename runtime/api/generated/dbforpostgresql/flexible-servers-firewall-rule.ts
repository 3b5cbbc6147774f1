// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface FlexibleServersFirewallRuleSpec {
  azureName?: string;
  endIpAddress: string;
  startIpAddress: string;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface FlexibleServersFirewallRule {
  spec: FlexibleServersFirewallRuleSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "dbforpostgresql.azure.com",
 "kind": "FlexibleServersFirewallRule",
 "plural": "flexibleserversfirewallrules",
 "singular": "flexibleserversfirewallrule",
 "shortNames": ["psqlfwr"],
 "arm": {
  "armType": "Microsoft.DBforPostgreSQL/flexibleServers/firewallRules",
  "apiVersions": {
   "v20250801": "2025-08-01",
   "v1api20240801": "2024-08-01",
   "v1api20230601preview": "2023-06-01-preview",
   "v1api20221201": "2022-12-01",
   "v1api20220120preview": "2022-01-20-preview",
   "v1api20210601": "2021-06-01"
  },
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.DBforPostgreSQL/flexibleServers/{serverName}/firewallRules/{firewallRuleName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["FlexibleServer"],"group":"dbforpostgresql.azure.com"},
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
   "required": ["endIpAddress","startIpAddress"],
   "properties": {
    "endIpAddress": {
     "type": "string",
     "pattern": "^(([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])\\.){3}([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])$"
    },
    "startIpAddress": {
     "type": "string",
     "pattern": "^(([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])\\.){3}([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])$"
    }
   }
  }
 }
};
