// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface NamespaceSpec {
  azureName?: string;
  alternateName?: string;
  clusterArmReference?: ArmReference;
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
  isAutoInflateEnabled?: boolean;
  kafkaEnabled?: boolean;
  location?: string;
  maximumThroughputUnits?: number;
  minimumTlsVersion?: '1.0' | '1.1' | '1.2';
  publicNetworkAccess?: 'Disabled' | 'Enabled' | 'SecuredByPerimeter';
  sku?: {
    capacity?: number;
    name: 'Basic' | 'Premium' | 'Standard';
    tier?: 'Basic' | 'Premium' | 'Standard';
  };
  tags?: Record<string, string>;
  zoneRedundant?: boolean;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<'primaryConnectionString' | 'primaryKey' | 'secondaryConnectionString' | 'secondaryKey', never, 'primaryConnectionString' | 'primaryKey' | 'secondaryConnectionString' | 'secondaryKey'>;
}

export interface Namespace {
  spec: NamespaceSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "eventhub.azure.com",
 "kind": "Namespace",
 "plural": "namespaces",
 "singular": "namespace",
 "shortNames": ["ehns"],
 "arm": {
  "armType": "Microsoft.EventHub/namespaces",
  "apiVersions": {"v1api20240101":"2024-01-01","v1api20211101":"2021-11-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.EventHub/namespaces/{namespaceName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["ResourceGroup"],"group":"resources.azure.com"},
  "azureName": {"pattern":"^[a-zA-Z][a-zA-Z0-9-]{6,50}[a-zA-Z0-9]$","minLength":6,"maxLength":50},
  "topLevel": ["identity","location","name","sku","tags"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":["primaryConnectionString","primaryKey","secondaryConnectionString","secondaryKey"],"configMaps":[]},
  "secretSource": {
   "action": {"method":"POST","path":"authorizationRules/RootManageSharedAccessKey/listKeys","apiVersion":"2024-01-01"},
   "secrets": {
    "primaryKey": {"from":"action","path":"primaryKey"},
    "secondaryKey": {"from":"action","path":"secondaryKey"},
    "primaryConnectionString": {"from":"action","path":"primaryConnectionString"},
    "secondaryConnectionString": {"from":"action","path":"secondaryConnectionString"}
   },
   "celNames": ["primaryKey","secondaryKey","primaryConnectionString","secondaryConnectionString"]
  },
  "keyRotation": {
   "action": {"method":"POST","path":"authorizationRules/RootManageSharedAccessKey/regenerateKeys","apiVersion":"2024-01-01"},
   "primary": [{"secret":"primaryKey","body":{"keyType":"PrimaryKey"}}],
   "secondary": [{"secret":"secondaryKey","body":{"keyType":"SecondaryKey"}}],
   "counterparts": {"primaryKey":"secondaryKey","primaryConnectionString":"secondaryConnectionString"}
  },
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "properties": {
    "alternateName": {"type":"string"},
    "clusterArmReference": {"type":"reference","arm":"properties.clusterArmId"},
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
    "isAutoInflateEnabled": {"type":"boolean"},
    "kafkaEnabled": {"type":"boolean"},
    "location": {"type":"string"},
    "maximumThroughputUnits": {"type":"integer"},
    "minimumTlsVersion": {"type":"string","enum":["1.0","1.1","1.2"]},
    "publicNetworkAccess": {"type":"string","enum":["Disabled","Enabled","SecuredByPerimeter"]},
    "sku": {
     "type": "object",
     "required": ["name"],
     "properties": {
      "capacity": {"type":"integer","minimum":0},
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
