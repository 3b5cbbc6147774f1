// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface NetworkSecurityGroupSpec {
  azureName?: string;
  flushConnection?: boolean;
  location?: string;
  tags?: Record<string, string>;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface NetworkSecurityGroup {
  spec: NetworkSecurityGroupSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "network.azure.com",
 "kind": "NetworkSecurityGroup",
 "plural": "networksecuritygroups",
 "singular": "networksecuritygroup",
 "shortNames": ["nsg"],
 "arm": {
  "armType": "Microsoft.Network/networkSecurityGroups",
  "apiVersions": {"v20250301":"2025-03-01","v1api20240301":"2024-03-01","v1api20201101":"2020-11-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Network/networkSecurityGroups/{networkSecurityGroupName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["ResourceGroup"],"group":"resources.azure.com"},
  "azureName": {},
  "topLevel": ["location","name","tags"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "properties": {
    "flushConnection": {"type":"boolean"},
    "location": {"type":"string"},
    "tags": {"type":"map","values":{"type":"string"}}
   }
  }
 }
};
