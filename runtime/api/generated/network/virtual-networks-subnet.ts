// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface VirtualNetworksSubnetSpec {
  azureName?: string;
  addressPrefix?: string;
  addressPrefixes?: string[];
  applicationGatewayIPConfigurations?: ({
    reference?: ArmReference;
  })[];
  applicationGatewayIpConfigurations?: ({
    reference?: ArmReference;
  })[];
  defaultOutboundAccess?: boolean;
  delegations?: ({
    name?: string;
    serviceName?: string;
  })[];
  ipAllocations?: ({
    reference?: ArmReference;
  })[];
  ipamPoolPrefixAllocations?: ({
    numberOfIpAddresses?: string;
    reference?: ArmReference;
  })[];
  natGateway?: {
    reference?: ArmReference;
  };
  networkSecurityGroup?: {
    reference?: ArmReference;
  };
  privateEndpointNetworkPolicies?: 'Disabled' | 'Enabled' | 'NetworkSecurityGroupEnabled' | 'RouteTableEnabled';
  privateLinkServiceNetworkPolicies?: 'Disabled' | 'Enabled';
  routeTable?: {
    reference?: ArmReference;
  };
  serviceEndpointPolicies?: ({
    reference?: ArmReference;
  })[];
  serviceEndpoints?: ({
    locations?: string[];
    networkIdentifier?: {
      reference?: ArmReference;
    };
    service?: string;
  })[];
  sharingScope?: 'DelegatedServices' | 'Tenant';
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface VirtualNetworksSubnet {
  spec: VirtualNetworksSubnetSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "network.azure.com",
 "kind": "VirtualNetworksSubnet",
 "plural": "virtualnetworkssubnets",
 "singular": "virtualnetworkssubnet",
 "shortNames": ["subnet"],
 "arm": {
  "armType": "Microsoft.Network/virtualNetworks/subnets",
  "apiVersions": {"v20250301":"2025-03-01","v1api20240301":"2024-03-01","v1api20201101":"2020-11-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Network/virtualNetworks/{virtualNetworkName}/subnets/{subnetName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["VirtualNetwork"],"group":"network.azure.com"},
  "azureName": {},
  "topLevel": ["name"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [{"code":"NetcfgSubnetRangeOutsideVnet","class":"retryable"}],
  "fields": {
   "type": "object",
   "properties": {
    "addressPrefix": {"type":"string"},
    "addressPrefixes": {"type":"array","items":{"type":"string"}},
    "applicationGatewayIPConfigurations": {"type":"array","items":{"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}}},
    "defaultOutboundAccess": {"type":"boolean"},
    "delegations": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {"name":{"type":"string"},"serviceName":{"type":"string","arm":"properties.serviceName"}}
     }
    },
    "ipAllocations": {"type":"array","items":{"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}}},
    "ipamPoolPrefixAllocations": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {"numberOfIpAddresses":{"type":"string"},"reference":{"type":"reference","arm":"pool.id"}}
     }
    },
    "natGateway": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
    "networkSecurityGroup": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
    "privateEndpointNetworkPolicies": {"type":"string","enum":["Disabled","Enabled","NetworkSecurityGroupEnabled","RouteTableEnabled"]},
    "privateLinkServiceNetworkPolicies": {"type":"string","enum":["Disabled","Enabled"]},
    "routeTable": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
    "serviceEndpointPolicies": {"type":"array","items":{"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}}},
    "serviceEndpoints": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "locations": {"type":"array","items":{"type":"string"}},
       "networkIdentifier": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
       "service": {"type":"string"}
      }
     }
    },
    "sharingScope": {"type":"string","enum":["DelegatedServices","Tenant"]},
    "applicationGatewayIpConfigurations": {
     "type": "array",
     "items": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
     "onlyIn": ["v1api20201101"]
    }
   }
  }
 }
};
