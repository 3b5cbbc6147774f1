// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface NetworkSecurityGroupsSecurityRuleSpec {
  azureName?: string;
  access: 'Allow' | 'Deny';
  description?: string;
  destinationAddressPrefix?: string;
  destinationAddressPrefixes?: string[];
  destinationApplicationSecurityGroups?: ({
    reference?: ArmReference;
  })[];
  destinationPortRange?: string;
  destinationPortRanges?: string[];
  direction: 'Inbound' | 'Outbound';
  priority?: number;
  protocol: 'Ah' | 'Esp' | 'Icmp' | '*' | 'Tcp' | 'Udp';
  sourceAddressPrefix?: string;
  sourceAddressPrefixes?: string[];
  sourceApplicationSecurityGroups?: ({
    reference?: ArmReference;
  })[];
  sourcePortRange?: string;
  sourcePortRanges?: string[];
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface NetworkSecurityGroupsSecurityRule {
  spec: NetworkSecurityGroupsSecurityRuleSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "network.azure.com",
 "kind": "NetworkSecurityGroupsSecurityRule",
 "plural": "networksecuritygroupssecurityrules",
 "singular": "networksecuritygroupssecurityrule",
 "shortNames": ["nsgrule"],
 "arm": {
  "armType": "Microsoft.Network/networkSecurityGroups/securityRules",
  "apiVersions": {"v20250301":"2025-03-01","v1api20240301":"2024-03-01","v1api20201101":"2020-11-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Network/networkSecurityGroups/{networkSecurityGroupName}/securityRules/{securityRuleName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["NetworkSecurityGroup"],"group":"network.azure.com"},
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
   "required": ["access","direction","protocol"],
   "properties": {
    "access": {"type":"string","enum":["Allow","Deny"]},
    "description": {"type":"string"},
    "destinationAddressPrefix": {"type":"string"},
    "destinationAddressPrefixes": {"type":"array","items":{"type":"string"}},
    "destinationApplicationSecurityGroups": {"type":"array","items":{"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}}},
    "destinationPortRange": {"type":"string"},
    "destinationPortRanges": {"type":"array","items":{"type":"string"}},
    "direction": {"type":"string","enum":["Inbound","Outbound"]},
    "priority": {"type":"integer"},
    "protocol": {"type":"string","enum":["Ah","Esp","Icmp","*","Tcp","Udp"]},
    "sourceAddressPrefix": {"type":"string"},
    "sourceAddressPrefixes": {"type":"array","items":{"type":"string"}},
    "sourceApplicationSecurityGroups": {"type":"array","items":{"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}}},
    "sourcePortRange": {"type":"string"},
    "sourcePortRanges": {"type":"array","items":{"type":"string"}}
   }
  }
 }
};
