// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface RegistrySpec {
  azureName?: string;
  adminUserEnabled?: boolean;
  dataEndpointEnabled?: boolean;
  encryption?: {
    keyVaultProperties?: {
      identity?: string;
      identityFromConfig?: ConfigMapKeyReference;
      keyIdentifier?: string;
    };
    status?: 'disabled' | 'enabled';
  };
  identity?: {
    principalId?: string;
    tenantId?: string;
    type?: 'None' | 'SystemAssigned' | 'SystemAssigned, UserAssigned' | 'UserAssigned';
    userAssignedIdentities?: ({
      reference?: ArmReference;
    })[];
  };
  location: string;
  networkRuleBypassOptions?: 'AzureServices' | 'None';
  networkRuleSet?: {
    defaultAction: 'Allow' | 'Deny';
    ipRules?: ({
      action?: 'Allow';
      value: string;
    })[];
  };
  policies?: {
    exportPolicy?: {
      status?: 'disabled' | 'enabled';
    };
    quarantinePolicy?: {
      status?: 'disabled' | 'enabled';
    };
    retentionPolicy?: {
      days?: number;
      status?: 'disabled' | 'enabled';
    };
    trustPolicy?: {
      status?: 'disabled' | 'enabled';
      type?: 'Notary';
    };
  };
  publicNetworkAccess?: 'Disabled' | 'Enabled';
  sku: {
    name: 'Basic' | 'Classic' | 'Premium' | 'Standard';
  };
  tags?: Record<string, string>;
  zoneRedundancy?: 'Disabled' | 'Enabled';
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<'adminPassword' | 'adminPassword2' | 'adminUsername' | 'loginServer', never, 'adminPassword' | 'adminPassword2' | 'adminUsername' | 'loginServer'>;
}

export interface Registry {
  spec: RegistrySpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "containerregistry.azure.com",
 "kind": "Registry",
 "plural": "registries",
 "singular": "registry",
 "shortNames": ["acr"],
 "arm": {
  "armType": "Microsoft.ContainerRegistry/registries",
  "apiVersions": {"v1api20230701":"2023-07-01","v1api20210901":"2021-09-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.ContainerRegistry/registries/{registryName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["ResourceGroup"],"group":"resources.azure.com"},
  "azureName": {"pattern":"^[a-zA-Z0-9]*$","minLength":5,"maxLength":50},
  "topLevel": ["identity","location","name","sku","tags"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":["adminPassword","adminPassword2","adminUsername","loginServer"],"configMaps":[]},
  "secretSource": {
   "action": {"method":"POST","path":"listCredentials","apiVersion":"2023-07-01"},
   "secrets": {
    "adminUsername": {"from":"action","path":"username"},
    "adminPassword": {"from":"action","path":"passwords[?name==password].value"},
    "adminPassword2": {"from":"action","path":"passwords[?name==password2].value"},
    "loginServer": {"from":"status","crPath":"status.loginServer","armPath":"properties.loginServer"}
   },
   "celNames": ["adminUsername","adminPassword","adminPassword2"]
  },
  "keyRotation": {
   "action": {"method":"POST","path":"regenerateCredential","apiVersion":"2023-07-01"},
   "primary": [{"secret":"adminPassword","body":{"name":"password"}}],
   "secondary": [{"secret":"adminPassword2","body":{"name":"password2"}}],
   "counterparts": {"adminPassword":"adminPassword2"}
  },
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "required": ["location","sku"],
   "properties": {
    "adminUserEnabled": {"type":"boolean"},
    "dataEndpointEnabled": {"type":"boolean"},
    "encryption": {
     "type": "object",
     "properties": {
      "keyVaultProperties": {
       "type": "object",
       "properties": {
        "identity": {"type":"string"},
        "identityFromConfig": {"type":"configMap","arm":"identity"},
        "keyIdentifier": {"type":"string"}
       }
      },
      "status": {"type":"string","enum":["disabled","enabled"]}
     }
    },
    "identity": {
     "type": "object",
     "properties": {
      "type": {"type":"string","enum":["None","SystemAssigned","SystemAssigned, UserAssigned","UserAssigned"]},
      "userAssignedIdentities": {"type":"array","items":{"type":"object","properties":{"reference":{"type":"reference"}}},"as":"identityMap"},
      "principalId": {"type":"string","onlyIn":["v1api20210901"]},
      "tenantId": {"type":"string","onlyIn":["v1api20210901"]}
     }
    },
    "location": {"type":"string"},
    "networkRuleBypassOptions": {"type":"string","enum":["AzureServices","None"]},
    "networkRuleSet": {
     "type": "object",
     "required": ["defaultAction"],
     "properties": {
      "defaultAction": {"type":"string","enum":["Allow","Deny"]},
      "ipRules": {
       "type": "array",
       "items": {
        "type": "object",
        "required": ["value"],
        "properties": {"action":{"type":"string","enum":["Allow"]},"value":{"type":"string"}}
       }
      }
     }
    },
    "policies": {
     "type": "object",
     "properties": {
      "exportPolicy": {"type":"object","properties":{"status":{"type":"string","enum":["disabled","enabled"]}}},
      "quarantinePolicy": {"type":"object","properties":{"status":{"type":"string","enum":["disabled","enabled"]}}},
      "retentionPolicy": {
       "type": "object",
       "properties": {"days":{"type":"integer"},"status":{"type":"string","enum":["disabled","enabled"]}}
      },
      "trustPolicy": {
       "type": "object",
       "properties": {"status":{"type":"string","enum":["disabled","enabled"]},"type":{"type":"string","enum":["Notary"]}}
      }
     }
    },
    "publicNetworkAccess": {"type":"string","enum":["Disabled","Enabled"]},
    "sku": {
     "type": "object",
     "required": ["name"],
     "properties": {"name":{"type":"string","enum":["Basic","Classic","Premium","Standard"]}}
    },
    "tags": {"type":"map","values":{"type":"string"}},
    "zoneRedundancy": {"type":"string","enum":["Disabled","Enabled"]}
   }
  }
 }
};
