// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface NetworkInterfaceSpec {
  azureName?: string;
  auxiliaryMode?: 'AcceleratedConnections' | 'Floating' | 'MaxConnections' | 'None';
  auxiliarySku?: 'A1' | 'A2' | 'A4' | 'A8' | 'None';
  disableTcpStateTracking?: boolean;
  dnsSettings?: {
    dnsServers?: string[];
    internalDnsNameLabel?: string;
  };
  enableAcceleratedNetworking?: boolean;
  enableIPForwarding?: boolean;
  extendedLocation?: {
    name?: string;
    type?: 'EdgeZone';
  };
  ipConfigurations?: ({
    applicationGatewayBackendAddressPools?: ({
      reference?: ArmReference;
    })[];
    applicationSecurityGroups?: ({
      reference?: ArmReference;
    })[];
    gatewayLoadBalancer?: {
      reference?: ArmReference;
    };
    loadBalancerBackendAddressPools?: ({
      reference?: ArmReference;
    })[];
    loadBalancerInboundNatRules?: ({
      reference?: ArmReference;
    })[];
    name?: string;
    primary?: boolean;
    privateIPAddress?: string;
    privateIPAddressPrefixLength?: number;
    privateIPAddressVersion?: 'IPv4' | 'IPv6';
    privateIPAllocationMethod?: 'Dynamic' | 'Static';
    publicIPAddress?: {
      reference?: ArmReference;
    };
    subnet?: {
      reference?: ArmReference;
    };
    virtualNetworkTaps?: ({
      reference?: ArmReference;
    })[];
  })[];
  location?: string;
  networkSecurityGroup?: {
    reference?: ArmReference;
  };
  nicType?: 'Elastic' | 'Standard';
  privateLinkService?: {
    reference?: ArmReference;
  };
  tags?: Record<string, string>;
  workloadType?: string;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface NetworkInterface {
  spec: NetworkInterfaceSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "network.azure.com",
 "kind": "NetworkInterface",
 "plural": "networkinterfaces",
 "singular": "networkinterface",
 "shortNames": ["nic"],
 "arm": {
  "armType": "Microsoft.Network/networkInterfaces",
  "apiVersions": {"v20250301":"2025-03-01","v1api20240301":"2024-03-01","v1api20201101":"2020-11-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Network/networkInterfaces/{networkInterfaceName}",
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
    "auxiliaryMode": {"type":"string","enum":["AcceleratedConnections","Floating","MaxConnections","None"]},
    "auxiliarySku": {"type":"string","enum":["A1","A2","A4","A8","None"]},
    "disableTcpStateTracking": {"type":"boolean"},
    "dnsSettings": {
     "type": "object",
     "properties": {"dnsServers":{"type":"array","items":{"type":"string"}},"internalDnsNameLabel":{"type":"string"}}
    },
    "enableAcceleratedNetworking": {"type":"boolean"},
    "enableIPForwarding": {"type":"boolean"},
    "extendedLocation": {"type":"object","properties":{"name":{"type":"string"},"type":{"type":"string","enum":["EdgeZone"]}}},
    "ipConfigurations": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "applicationGatewayBackendAddressPools": {
        "type": "array",
        "items": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
        "arm": "properties.applicationGatewayBackendAddressPools"
       },
       "applicationSecurityGroups": {
        "type": "array",
        "items": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
        "arm": "properties.applicationSecurityGroups"
       },
       "gatewayLoadBalancer": {
        "type": "object",
        "properties": {"reference":{"type":"reference","arm":"id"}},
        "arm": "properties.gatewayLoadBalancer"
       },
       "loadBalancerBackendAddressPools": {
        "type": "array",
        "items": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
        "arm": "properties.loadBalancerBackendAddressPools"
       },
       "loadBalancerInboundNatRules": {
        "type": "array",
        "items": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
        "arm": "properties.loadBalancerInboundNatRules"
       },
       "name": {"type":"string"},
       "primary": {"type":"boolean","arm":"properties.primary"},
       "privateIPAddress": {"type":"string","arm":"properties.privateIPAddress"},
       "privateIPAddressPrefixLength": {"type":"integer","minimum":1,"maximum":128,"arm":"properties.privateIPAddressPrefixLength"},
       "privateIPAddressVersion": {"type":"string","enum":["IPv4","IPv6"],"arm":"properties.privateIPAddressVersion"},
       "privateIPAllocationMethod": {"type":"string","enum":["Dynamic","Static"],"arm":"properties.privateIPAllocationMethod"},
       "publicIPAddress": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}},"arm":"properties.publicIPAddress"},
       "subnet": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}},"arm":"properties.subnet"},
       "virtualNetworkTaps": {
        "type": "array",
        "items": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
        "arm": "properties.virtualNetworkTaps"
       }
      }
     }
    },
    "location": {"type":"string"},
    "networkSecurityGroup": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
    "nicType": {"type":"string","enum":["Elastic","Standard"]},
    "privateLinkService": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
    "tags": {"type":"map","values":{"type":"string"}},
    "workloadType": {"type":"string"}
   }
  }
 }
};
