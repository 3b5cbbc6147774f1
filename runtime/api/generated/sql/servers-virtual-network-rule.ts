// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface ServersVirtualNetworkRuleSpec {
  azureName?: string;
  ignoreMissingVnetServiceEndpoint?: boolean;
  virtualNetworkSubnetReference: ArmReference;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ServersVirtualNetworkRule {
  spec: ServersVirtualNetworkRuleSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "sql.azure.com",
 "kind": "ServersVirtualNetworkRule",
 "plural": "serversvirtualnetworkrules",
 "singular": "serversvirtualnetworkrule",
 "shortNames": ["sqlvnr"],
 "arm": {
  "armType": "Microsoft.Sql/servers/virtualNetworkRules",
  "apiVersions": {"v20250101":"2025-01-01","v20211101":"2021-11-01","v1api20211101":"2021-11-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Sql/servers/{serverName}/virtualNetworkRules/{virtualNetworkRuleName}",
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
  "fields": {
   "type": "object",
   "required": ["virtualNetworkSubnetReference"],
   "properties": {
    "ignoreMissingVnetServiceEndpoint": {"type":"boolean"},
    "virtualNetworkSubnetReference": {"type":"reference","arm":"properties.virtualNetworkSubnetId"}
   }
  }
 }
};
