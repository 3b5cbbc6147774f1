// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface NatGatewaySpec {
  azureName?: string;
  idleTimeoutInMinutes?: number;
  location?: string;
  publicIpAddresses?: ({
    reference?: ArmReference;
  })[];
  publicIpAddressesV6?: ({
    reference?: ArmReference;
  })[];
  publicIpPrefixes?: ({
    reference?: ArmReference;
  })[];
  publicIpPrefixesV6?: ({
    reference?: ArmReference;
  })[];
  sku?: {
    name?: 'Standard' | 'StandardV2';
  };
  sourceVirtualNetwork?: {
    reference?: ArmReference;
  };
  tags?: Record<string, string>;
  zones?: string[];
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface NatGateway {
  spec: NatGatewaySpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "network.azure.com",
 "kind": "NatGateway",
 "plural": "natgateways",
 "singular": "natgateway",
 "shortNames": ["natgw"],
 "arm": {
  "armType": "Microsoft.Network/natGateways",
  "apiVersions": {"v20250301":"2025-03-01","v1api20240301":"2024-03-01","v1api20220701":"2022-07-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Network/natGateways/{natGatewayName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["ResourceGroup"],"group":"resources.azure.com"},
  "azureName": {},
  "topLevel": ["location","name","sku","tags","zones"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "properties": {
    "idleTimeoutInMinutes": {"type":"integer"},
    "location": {"type":"string"},
    "publicIpAddresses": {"type":"array","items":{"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}}},
    "publicIpAddressesV6": {"type":"array","items":{"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}}},
    "publicIpPrefixes": {"type":"array","items":{"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}}},
    "publicIpPrefixesV6": {"type":"array","items":{"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}}},
    "sku": {"type":"object","properties":{"name":{"type":"string","enum":["Standard","StandardV2"]}}},
    "sourceVirtualNetwork": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
    "tags": {"type":"map","values":{"type":"string"}},
    "zones": {"type":"array","items":{"type":"string"}}
   }
  }
 }
};
