// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface LoadBalancerSpec {
  azureName?: string;
  backendAddressPools?: ({
    drainPeriodInSeconds?: number;
    loadBalancerBackendAddresses?: ({
      adminState?: 'Down' | 'None' | 'Up';
      ipAddress?: string;
      loadBalancerFrontendIPConfiguration?: {
        reference?: ArmReference;
      };
      name?: string;
      subnet?: {
        reference?: ArmReference;
      };
      virtualNetwork?: {
        reference?: ArmReference;
      };
    })[];
    location?: string;
    name?: string;
    syncMode?: 'Automatic' | 'Manual';
    tunnelInterfaces?: ({
      identifier?: number;
      port?: number;
      protocol?: 'Native' | 'None' | 'VXLAN';
      type?: 'External' | 'Internal' | 'None';
    })[];
    virtualNetwork?: {
      reference?: ArmReference;
    };
  })[];
  extendedLocation?: {
    name?: string;
    type?: 'EdgeZone';
  };
  frontendIPConfigurations?: ({
    gatewayLoadBalancer?: {
      reference?: ArmReference;
    };
    name?: string;
    privateIPAddress?: string;
    privateIPAddressVersion?: 'IPv4' | 'IPv6';
    privateIPAllocationMethod?: 'Dynamic' | 'Static';
    publicIPAddress?: {
      reference?: ArmReference;
    };
    publicIPPrefix?: {
      reference?: ArmReference;
    };
    subnet?: {
      reference?: ArmReference;
    };
    zones?: string[];
  })[];
  inboundNatPools?: ({
    backendPort: number;
    enableFloatingIP?: boolean;
    enableTcpReset?: boolean;
    frontendIPConfiguration?: {
      reference?: ArmReference;
    };
    frontendPortRangeEnd: number;
    frontendPortRangeStart: number;
    idleTimeoutInMinutes?: number;
    name?: string;
    protocol: 'All' | 'Quic' | 'Tcp' | 'Udp';
  })[];
  inboundNatRules?: ({
    backendAddressPool?: {
      reference?: ArmReference;
    };
    backendPort?: number;
    enableFloatingIP?: boolean;
    enableTcpReset?: boolean;
    frontendIPConfiguration?: {
      reference?: ArmReference;
    };
    frontendPort?: number;
    frontendPortRangeEnd?: number;
    frontendPortRangeStart?: number;
    idleTimeoutInMinutes?: number;
    name?: string;
    protocol?: 'All' | 'Quic' | 'Tcp' | 'Udp';
  })[];
  loadBalancingRules?: ({
    backendAddressPool?: {
      reference?: ArmReference;
    };
    backendAddressPools?: ({
      reference?: ArmReference;
    })[];
    backendPort?: number;
    disableOutboundSnat?: boolean;
    enableConnectionTracking?: boolean;
    enableFloatingIP?: boolean;
    enableTcpReset?: boolean;
    frontendIPConfiguration?: {
      reference?: ArmReference;
    };
    frontendPort: number;
    idleTimeoutInMinutes?: number;
    loadDistribution?: 'Default' | 'SourceIP' | 'SourceIPProtocol';
    name?: string;
    probe?: {
      reference?: ArmReference;
    };
    protocol: 'All' | 'Quic' | 'Tcp' | 'Udp';
  })[];
  location?: string;
  outboundRules?: ({
    allocatedOutboundPorts?: number;
    backendAddressPool: {
      reference?: ArmReference;
    };
    enableTcpReset?: boolean;
    frontendIPConfigurations: ({
      reference?: ArmReference;
    })[];
    idleTimeoutInMinutes?: number;
    name?: string;
    protocol: 'All' | 'Tcp' | 'Udp';
  })[];
  probes?: ({
    intervalInSeconds?: number;
    name?: string;
    noHealthyBackendsBehavior?: 'AllProbedDown' | 'AllProbedUp';
    numberOfProbes?: number;
    port: number;
    probeThreshold?: number;
    protocol: 'Http' | 'Https' | 'Tcp';
    requestPath?: string;
  })[];
  scope?: 'Private' | 'Public';
  sku?: {
    name?: 'Basic' | 'Gateway' | 'Standard';
    tier?: 'Global' | 'Regional';
  };
  tags?: Record<string, string>;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface LoadBalancer {
  spec: LoadBalancerSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "network.azure.com",
 "kind": "LoadBalancer",
 "plural": "loadbalancers",
 "singular": "loadbalancer",
 "shortNames": ["lb"],
 "arm": {
  "armType": "Microsoft.Network/loadBalancers",
  "apiVersions": {"v20250301":"2025-03-01","v1api20240301":"2024-03-01","v1api20201101":"2020-11-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Network/loadBalancers/{loadBalancerName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["ResourceGroup"],"group":"resources.azure.com"},
  "azureName": {},
  "topLevel": ["extendedLocation","location","name","sku","tags"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "properties": {
    "backendAddressPools": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "drainPeriodInSeconds": {"type":"integer","arm":"properties.drainPeriodInSeconds"},
       "loadBalancerBackendAddresses": {
        "type": "array",
        "items": {
         "type": "object",
         "properties": {
          "adminState": {"type":"string","enum":["Down","None","Up"],"arm":"properties.adminState"},
          "ipAddress": {"type":"string","arm":"properties.ipAddress"},
          "loadBalancerFrontendIPConfiguration": {
           "type": "object",
           "properties": {"reference":{"type":"reference","arm":"id"}},
           "arm": "properties.loadBalancerFrontendIPConfiguration"
          },
          "name": {"type":"string"},
          "subnet": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}},"arm":"properties.subnet"},
          "virtualNetwork": {
           "type": "object",
           "properties": {"reference":{"type":"reference","arm":"id"}},
           "arm": "properties.virtualNetwork"
          }
         }
        },
        "arm": "properties.loadBalancerBackendAddresses"
       },
       "location": {"type":"string","arm":"properties.location"},
       "name": {"type":"string"},
       "syncMode": {"type":"string","enum":["Automatic","Manual"],"arm":"properties.syncMode"},
       "tunnelInterfaces": {
        "type": "array",
        "items": {
         "type": "object",
         "properties": {
          "identifier": {"type":"integer"},
          "port": {"type":"integer"},
          "protocol": {"type":"string","enum":["Native","None","VXLAN"]},
          "type": {"type":"string","enum":["External","Internal","None"]}
         }
        },
        "arm": "properties.tunnelInterfaces"
       },
       "virtualNetwork": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}},"arm":"properties.virtualNetwork"}
      }
     }
    },
    "extendedLocation": {"type":"object","properties":{"name":{"type":"string"},"type":{"type":"string","enum":["EdgeZone"]}}},
    "frontendIPConfigurations": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "gatewayLoadBalancer": {
        "type": "object",
        "properties": {"reference":{"type":"reference","arm":"id"}},
        "arm": "properties.gatewayLoadBalancer"
       },
       "name": {"type":"string"},
       "privateIPAddress": {"type":"string","arm":"properties.privateIPAddress"},
       "privateIPAddressVersion": {"type":"string","enum":["IPv4","IPv6"],"arm":"properties.privateIPAddressVersion"},
       "privateIPAllocationMethod": {"type":"string","enum":["Dynamic","Static"],"arm":"properties.privateIPAllocationMethod"},
       "publicIPAddress": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}},"arm":"properties.publicIPAddress"},
       "publicIPPrefix": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}},"arm":"properties.publicIPPrefix"},
       "subnet": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}},"arm":"properties.subnet"},
       "zones": {"type":"array","items":{"type":"string"}}
      }
     }
    },
    "inboundNatPools": {
     "type": "array",
     "items": {
      "type": "object",
      "required": ["backendPort","frontendPortRangeEnd","frontendPortRangeStart","protocol"],
      "properties": {
       "backendPort": {"type":"integer","arm":"properties.backendPort"},
       "enableFloatingIP": {"type":"boolean","arm":"properties.enableFloatingIP"},
       "enableTcpReset": {"type":"boolean","arm":"properties.enableTcpReset"},
       "frontendIPConfiguration": {
        "type": "object",
        "properties": {"reference":{"type":"reference","arm":"id"}},
        "arm": "properties.frontendIPConfiguration"
       },
       "frontendPortRangeEnd": {"type":"integer","arm":"properties.frontendPortRangeEnd"},
       "frontendPortRangeStart": {"type":"integer","arm":"properties.frontendPortRangeStart"},
       "idleTimeoutInMinutes": {"type":"integer","arm":"properties.idleTimeoutInMinutes"},
       "name": {"type":"string"},
       "protocol": {"type":"string","enum":["All","Quic","Tcp","Udp"],"arm":"properties.protocol"}
      }
     }
    },
    "inboundNatRules": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "backendAddressPool": {
        "type": "object",
        "properties": {"reference":{"type":"reference","arm":"id"}},
        "arm": "properties.backendAddressPool"
       },
       "backendPort": {"type":"integer","arm":"properties.backendPort"},
       "enableFloatingIP": {"type":"boolean","arm":"properties.enableFloatingIP"},
       "enableTcpReset": {"type":"boolean","arm":"properties.enableTcpReset"},
       "frontendIPConfiguration": {
        "type": "object",
        "properties": {"reference":{"type":"reference","arm":"id"}},
        "arm": "properties.frontendIPConfiguration"
       },
       "frontendPort": {"type":"integer","arm":"properties.frontendPort"},
       "frontendPortRangeEnd": {"type":"integer","arm":"properties.frontendPortRangeEnd"},
       "frontendPortRangeStart": {"type":"integer","arm":"properties.frontendPortRangeStart"},
       "idleTimeoutInMinutes": {"type":"integer","arm":"properties.idleTimeoutInMinutes"},
       "name": {"type":"string"},
       "protocol": {"type":"string","enum":["All","Quic","Tcp","Udp"],"arm":"properties.protocol"}
      }
     }
    },
    "loadBalancingRules": {
     "type": "array",
     "items": {
      "type": "object",
      "required": ["frontendPort","protocol"],
      "properties": {
       "backendAddressPool": {
        "type": "object",
        "properties": {"reference":{"type":"reference","arm":"id"}},
        "arm": "properties.backendAddressPool"
       },
       "backendAddressPools": {
        "type": "array",
        "items": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
        "arm": "properties.backendAddressPools"
       },
       "backendPort": {"type":"integer","arm":"properties.backendPort"},
       "disableOutboundSnat": {"type":"boolean","arm":"properties.disableOutboundSnat"},
       "enableConnectionTracking": {"type":"boolean","arm":"properties.enableConnectionTracking"},
       "enableFloatingIP": {"type":"boolean","arm":"properties.enableFloatingIP"},
       "enableTcpReset": {"type":"boolean","arm":"properties.enableTcpReset"},
       "frontendIPConfiguration": {
        "type": "object",
        "properties": {"reference":{"type":"reference","arm":"id"}},
        "arm": "properties.frontendIPConfiguration"
       },
       "frontendPort": {"type":"integer","arm":"properties.frontendPort"},
       "idleTimeoutInMinutes": {"type":"integer","arm":"properties.idleTimeoutInMinutes"},
       "loadDistribution": {"type":"string","enum":["Default","SourceIP","SourceIPProtocol"],"arm":"properties.loadDistribution"},
       "name": {"type":"string"},
       "probe": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}},"arm":"properties.probe"},
       "protocol": {"type":"string","enum":["All","Quic","Tcp","Udp"],"arm":"properties.protocol"}
      }
     }
    },
    "location": {"type":"string"},
    "outboundRules": {
     "type": "array",
     "items": {
      "type": "object",
      "required": ["backendAddressPool","frontendIPConfigurations","protocol"],
      "properties": {
       "allocatedOutboundPorts": {"type":"integer","arm":"properties.allocatedOutboundPorts"},
       "backendAddressPool": {
        "type": "object",
        "properties": {"reference":{"type":"reference","arm":"id"}},
        "arm": "properties.backendAddressPool"
       },
       "enableTcpReset": {"type":"boolean","arm":"properties.enableTcpReset"},
       "frontendIPConfigurations": {
        "type": "array",
        "items": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
        "arm": "properties.frontendIPConfigurations"
       },
       "idleTimeoutInMinutes": {"type":"integer","arm":"properties.idleTimeoutInMinutes"},
       "name": {"type":"string"},
       "protocol": {"type":"string","enum":["All","Tcp","Udp"],"arm":"properties.protocol"}
      }
     }
    },
    "probes": {
     "type": "array",
     "items": {
      "type": "object",
      "required": ["port","protocol"],
      "properties": {
       "intervalInSeconds": {"type":"integer","arm":"properties.intervalInSeconds"},
       "name": {"type":"string"},
       "noHealthyBackendsBehavior": {"type":"string","enum":["AllProbedDown","AllProbedUp"],"arm":"properties.noHealthyBackendsBehavior"},
       "numberOfProbes": {"type":"integer","arm":"properties.numberOfProbes"},
       "port": {"type":"integer","arm":"properties.port"},
       "probeThreshold": {"type":"integer","arm":"properties.probeThreshold"},
       "protocol": {"type":"string","enum":["Http","Https","Tcp"],"arm":"properties.protocol"},
       "requestPath": {"type":"string","arm":"properties.requestPath"}
      }
     }
    },
    "scope": {"type":"string","enum":["Private","Public"]},
    "sku": {
     "type": "object",
     "properties": {
      "name": {"type":"string","enum":["Basic","Gateway","Standard"]},
      "tier": {"type":"string","enum":["Global","Regional"]}
     }
    },
    "tags": {"type":"map","values":{"type":"string"}}
   }
  }
 }
};
