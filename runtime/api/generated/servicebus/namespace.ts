// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface NamespaceSpec {
  azureName?: string;
  alternateName?: string;
  disableLocalAuth?: boolean;
  encryption?: {
    keySource?: 'Microsoft.KeyVault';
    keyVaultProperties?: ({
      identity?: {
        userAssignedIdentityReference?: ArmReference;
      };
      keyName?: string;
      keyVaultUri?: string;
      keyVersion?: string;
    })[];
    requireInfrastructureEncryption?: boolean;
  };
  identity?: {
    type?: 'None' | 'SystemAssigned' | 'SystemAssigned, UserAssigned' | 'UserAssigned';
    userAssignedIdentities?: ({
      reference?: ArmReference;
    })[];
  };
  location: string;
  minimumTlsVersion?: '1.0' | '1.1' | '1.2';
  premiumMessagingPartitions?: number;
  publicNetworkAccess?: 'Disabled' | 'Enabled' | 'SecuredByPerimeter';
  sku?: {
    capacity?: number;
    name: 'Basic' | 'Premium' | 'Standard';
    tier?: 'Basic' | 'Premium' | 'Standard';
  };
  tags?: Record<string, string>;
  zoneRedundant?: boolean;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<'endpoint' | 'primaryConnectionString' | 'primaryKey' | 'secondaryConnectionString' | 'secondaryKey', never, 'endpoint' | 'primaryConnectionString' | 'primaryKey' | 'secondaryConnectionString' | 'secondaryKey'>;
}

export interface Namespace {
  spec: NamespaceSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "servicebus.azure.com",
 "kind": "Namespace",
 "plural": "namespaces",
 "singular": "namespace",
 "shortNames": ["sbns"],
 "arm": {
  "armType": "Microsoft.ServiceBus/namespaces",
  "apiVersions": {
   "v1api20240101": "2024-01-01",
   "v1api20221001preview": "2022-10-01-preview",
   "v1api20211101": "2021-11-01",
   "v1api20210101preview": "2021-01-01-preview"
  },
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.ServiceBus/namespaces/{namespaceName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["ResourceGroup"],"group":"resources.azure.com"},
  "azureName": {},
  "topLevel": ["identity","location","name","sku","tags"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {
   "secrets": ["endpoint","primaryConnectionString","primaryKey","secondaryConnectionString","secondaryKey"],
   "configMaps": []
  },
  "secretSource": {
   "action": {"method":"POST","path":"AuthorizationRules/RootManageSharedAccessKey/listKeys","apiVersion":"2021-11-01"},
   "secrets": {
    "primaryKey": {"from":"action","path":"primaryKey"},
    "secondaryKey": {"from":"action","path":"secondaryKey"},
    "primaryConnectionString": {"from":"action","path":"primaryConnectionString"},
    "secondaryConnectionString": {"from":"action","path":"secondaryConnectionString"},
    "endpoint": {"from":"status","crPath":"status.serviceBusEndpoint","armPath":"properties.serviceBusEndpoint"}
   },
   "celNames": ["primaryKey","secondaryKey","primaryConnectionString","secondaryConnectionString","endpoint"]
  },
  "keyRotation": {
   "action": {"method":"POST","path":"AuthorizationRules/RootManageSharedAccessKey/regenerateKeys","apiVersion":"2021-11-01"},
   "primary": [{"secret":"primaryKey","body":{"keyType":"PrimaryKey"}}],
   "secondary": [{"secret":"secondaryKey","body":{"keyType":"SecondaryKey"}}],
   "counterparts": {"primaryKey":"secondaryKey","primaryConnectionString":"secondaryConnectionString"}
  },
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "required": ["location"],
   "properties": {
    "alternateName": {"type":"string"},
    "disableLocalAuth": {"type":"boolean"},
    "encryption": {
     "type": "object",
     "properties": {
      "keySource": {"type":"string","enum":["Microsoft.KeyVault"]},
      "keyVaultProperties": {
       "type": "array",
       "items": {
        "type": "object",
        "properties": {
         "identity": {
          "type": "object",
          "properties": {"userAssignedIdentityReference":{"type":"reference","arm":"userAssignedIdentity"}}
         },
         "keyName": {"type":"string"},
         "keyVaultUri": {"type":"string"},
         "keyVersion": {"type":"string"}
        }
       }
      },
      "requireInfrastructureEncryption": {"type":"boolean"}
     }
    },
    "identity": {
     "type": "object",
     "properties": {
      "type": {"type":"string","enum":["None","SystemAssigned","SystemAssigned, UserAssigned","UserAssigned"]},
      "userAssignedIdentities": {"type":"array","items":{"type":"object","properties":{"reference":{"type":"reference"}}},"as":"identityMap"}
     }
    },
    "location": {"type":"string"},
    "minimumTlsVersion": {"type":"string","enum":["1.0","1.1","1.2"]},
    "premiumMessagingPartitions": {"type":"integer"},
    "publicNetworkAccess": {"type":"string","enum":["Disabled","Enabled","SecuredByPerimeter"]},
    "sku": {
     "type": "object",
     "required": ["name"],
     "properties": {
      "capacity": {"type":"integer"},
      "name": {"type":"string","enum":["Basic","Premium","Standard"]},
      "tier": {"type":"string","enum":["Basic","Premium","Standard"]}
     }
    },
    "tags": {"type":"map","values":{"type":"string"}},
    "zoneRedundant": {"type":"boolean"}
   }
  }
 }
};
