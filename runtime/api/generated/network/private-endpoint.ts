// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner, WellKnownReference } from '../../common-schemas.ts';

export interface PrivateEndpointSpec {
  azureName?: string;
  applicationSecurityGroups?: ({
    reference?: ArmReference;
  })[];
  customNetworkInterfaceName?: string;
  extendedLocation?: {
    name?: string;
    type?: 'EdgeZone';
  };
  ipConfigurations?: ({
    groupId?: string;
    memberName?: string;
    name?: string;
    privateIPAddress?: string;
  })[];
  ipVersionType?: 'DualStack' | 'IPv4' | 'IPv6';
  location?: string;
  manualPrivateLinkServiceConnections?: ({
    groupIds?: string[];
    name?: string;
    privateLinkServiceConnectionState?: {
      actionsRequired?: string;
      description?: string;
      status?: string;
    };
    privateLinkServiceReference?: WellKnownReference;
    requestMessage?: string;
  })[];
  privateLinkServiceConnections?: ({
    groupIds?: string[];
    name?: string;
    privateLinkServiceConnectionState?: {
      actionsRequired?: string;
      description?: string;
      status?: string;
    };
    privateLinkServiceReference?: WellKnownReference;
    requestMessage?: string;
  })[];
  subnet?: {
    reference?: ArmReference;
  };
  tags?: Record<string, string>;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, 'primaryNicPrivateIpAddress'>;
}

export interface PrivateEndpoint {
  spec: PrivateEndpointSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "network.azure.com",
 "kind": "PrivateEndpoint",
 "plural": "privateendpoints",
 "singular": "privateendpoint",
 "shortNames": ["pe"],
 "arm": {
  "armType": "Microsoft.Network/privateEndpoints",
  "apiVersions": {"v20250301":"2025-03-01","v1api20240301":"2024-03-01","v1api20220701":"2022-07-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Network/privateEndpoints/{privateEndpointName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["ResourceGroup"],"group":"resources.azure.com"},
  "azureName": {},
  "topLevel": ["extendedLocation","location","name","tags"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":["primaryNicPrivateIpAddress"]},
  "secretSource": {
   "action": {"method":"GET","path":"{status.networkInterfaces[0].id}","apiVersion":"2022-01-01"},
   "secrets": {},
   "configMaps": {
    "primaryNicPrivateIpAddress": {"from":"action","path":"properties.ipConfigurations[0].properties.privateIPAddress"}
   },
   "celNames": []
  },
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "properties": {
    "applicationSecurityGroups": {"type":"array","items":{"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}}},
    "customNetworkInterfaceName": {"type":"string"},
    "extendedLocation": {"type":"object","properties":{"name":{"type":"string"},"type":{"type":"string","enum":["EdgeZone"]}}},
    "ipConfigurations": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "groupId": {"type":"string","arm":"properties.groupId"},
       "memberName": {"type":"string","arm":"properties.memberName"},
       "name": {"type":"string"},
       "privateIPAddress": {"type":"string","arm":"properties.privateIPAddress"}
      }
     }
    },
    "ipVersionType": {"type":"string","enum":["DualStack","IPv4","IPv6"]},
    "location": {"type":"string"},
    "manualPrivateLinkServiceConnections": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "groupIds": {"type":"array","items":{"type":"string"},"arm":"properties.groupIds"},
       "name": {"type":"string"},
       "privateLinkServiceConnectionState": {
        "type": "object",
        "properties": {"actionsRequired":{"type":"string"},"description":{"type":"string"},"status":{"type":"string"}},
        "arm": "properties.privateLinkServiceConnectionState"
       },
       "privateLinkServiceReference": {"type":"wellKnownReference","arm":"properties.privateLinkServiceId"},
       "requestMessage": {"type":"string","arm":"properties.requestMessage"}
      }
     }
    },
    "privateLinkServiceConnections": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "groupIds": {"type":"array","items":{"type":"string"},"arm":"properties.groupIds"},
       "name": {"type":"string"},
       "privateLinkServiceConnectionState": {
        "type": "object",
        "properties": {"actionsRequired":{"type":"string"},"description":{"type":"string"},"status":{"type":"string"}},
        "arm": "properties.privateLinkServiceConnectionState"
       },
       "privateLinkServiceReference": {"type":"wellKnownReference","arm":"properties.privateLinkServiceId"},
       "requestMessage": {"type":"string","arm":"properties.requestMessage"}
      }
     }
    },
    "subnet": {"type":"object","properties":{"reference":{"type":"reference","arm":"id"}}},
    "tags": {"type":"map","values":{"type":"string"}}
   }
  }
 }
};
