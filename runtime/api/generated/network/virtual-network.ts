// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface VirtualNetworkSpec {
  azureName?: string;
  addressSpace?: {
    addressPrefixes?: string[];
    ipamPoolPrefixAllocations?: ({
      numberOfIpAddresses?: string;
      reference?: ArmReference;
    })[];
  };
  bgpCommunities?: {
    virtualNetworkCommunity: string;
  };
  ddosProtectionPlan?: {
    reference?: ArmReference;
  };
  dhcpOptions?: {
    dnsServers?: string[];
  };
  enableDdosProtection?: boolean;
  enableVmProtection?: boolean;
  encryption?: {
    enabled: boolean;
    enforcement?: 'AllowUnencrypted' | 'DropUnencrypted';
  };
  extendedLocation?: {
    name?: string;
    type?: 'EdgeZone';
  };
  flowTimeoutInMinutes?: number;
  ipAllocations?: ({
    reference?: ArmReference;
  })[];
  location?: string;
  privateEndpointVNetPolicies?: 'Basic' | 'Disabled';
  tags?: Record<string, string>;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface VirtualNetwork {
  spec: VirtualNetworkSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "network.azure.com",
 "kind": "VirtualNetwork",
 "plural": "virtualnetworks",
 "singular": "virtualnetwork",
 "shortNames": ["vnet"],
 "arm": {
  "armType": "Microsoft.Network/virtualNetworks",
  "apiVersions": {"v20250301":"2025-03-01","v1api20240301":"2024-03-01","v1api20201101":"2020-11-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Network/virtualNetworks/{virtualNetworkName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["ResourceGroup"],"group":"resources.azure.com"},
  "azureName": {},
  "topLevel": ["extendedLocation","location","name","tags"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "properties": {
    "addressSpace": {
     "type": "object",
     "properties": {
      "addressPrefixes": {"type":"array","items":{"type":"string"}},
      "ipamPoolPrefixAllocations": {
       "type": "array",
       "items": {
        "type": "object",
        "properties": {"numberOfIpAddresses":{"type":"string"},"reference":{"type":"reference","arm":"pool.id"}}
       }
      }
     }
    },
    "bgpCommunities": {
     "type": "object",
     "required": ["virtualNetworkCommunity"],
     "properties": {"virtualNetworkCommunity":{"type":"string"}}
    },
    "ddosProtectionPlan": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
    "dhcpOptions": {"type":"object","properties":{"dnsServers":{"type":"array","items":{"type":"string"}}}},
    "enableDdosProtection": {"type":"boolean"},
    "enableVmProtection": {"type":"boolean"},
    "encryption": {
     "type": "object",
     "required": ["enabled"],
     "properties": {"enabled":{"type":"boolean"},"enforcement":{"type":"string","enum":["AllowUnencrypted","DropUnencrypted"]}}
    },
    "extendedLocation": {"type":"object","properties":{"name":{"type":"string"},"type":{"type":"string","enum":["EdgeZone"]}}},
    "flowTimeoutInMinutes": {"type":"integer"},
    "ipAllocations": {"type":"array","items":{"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}}},
    "location": {"type":"string"},
    "privateEndpointVNetPolicies": {"type":"string","enum":["Basic","Disabled"]},
    "tags": {"type":"map","values":{"type":"string"}}
   }
  }
 }
};
