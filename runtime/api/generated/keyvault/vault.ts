// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface VaultSpec {
  azureName?: string;
  location: string;
  properties: {
    accessPolicies?: ({
      applicationId?: string;
      applicationIdFromConfig?: ConfigMapKeyReference;
      objectId?: string;
      objectIdFromConfig?: ConfigMapKeyReference;
      permissions: {
        certificates?: ('all' | 'backup' | 'create' | 'delete' | 'deleteissuers' | 'get' | 'getissuers' | 'import' | 'list' | 'listissuers' | 'managecontacts' | 'manageissuers' | 'purge' | 'recover' | 'restore' | 'setissuers' | 'update')[];
        keys?: ('all' | 'backup' | 'create' | 'decrypt' | 'delete' | 'encrypt' | 'get' | 'getrotationpolicy' | 'import' | 'list' | 'purge' | 'recover' | 'release' | 'restore' | 'rotate' | 'setrotationpolicy' | 'sign' | 'unwrapKey' | 'update' | 'verify' | 'wrapKey')[];
        secrets?: ('all' | 'backup' | 'delete' | 'get' | 'list' | 'purge' | 'recover' | 'restore' | 'set')[];
        storage?: ('all' | 'backup' | 'delete' | 'deletesas' | 'get' | 'getsas' | 'list' | 'listsas' | 'purge' | 'recover' | 'regeneratekey' | 'restore' | 'set' | 'setsas' | 'update')[];
      };
      tenantId?: string;
      tenantIdFromConfig?: ConfigMapKeyReference;
    })[];
    createMode?: 'createOrRecover' | 'default' | 'purgeThenCreate' | 'recover';
    enablePurgeProtection?: boolean;
    enableRbacAuthorization?: boolean;
    enableSoftDelete?: boolean;
    enabledForDeployment?: boolean;
    enabledForDiskEncryption?: boolean;
    enabledForTemplateDeployment?: boolean;
    networkAcls?: {
      bypass?: 'AzureServices' | 'None';
      defaultAction?: 'Allow' | 'Deny';
      ipRules?: ({
        value: string;
      })[];
      virtualNetworkRules?: ({
        ignoreMissingVnetServiceEndpoint?: boolean;
        reference: ArmReference;
      })[];
    };
    provisioningState?: 'RegisteringDns' | 'Succeeded';
    publicNetworkAccess?: string;
    sku: {
      family: 'A';
      name: 'premium' | 'standard';
    };
    softDeleteRetentionInDays?: number;
    tenantId?: string;
    tenantIdFromConfig?: ConfigMapKeyReference;
    vaultUri?: string;
  };
  tags?: Record<string, string>;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Vault {
  spec: VaultSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "keyvault.azure.com",
 "kind": "Vault",
 "plural": "vaults",
 "singular": "vault",
 "shortNames": ["kv"],
 "arm": {
  "armType": "Microsoft.KeyVault/vaults",
  "apiVersions": {"v1api20230701":"2023-07-01","v1api20210401preview":"2021-04-01-preview"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.KeyVault/vaults/{vaultName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["ResourceGroup"],"group":"resources.azure.com"},
  "azureName": {"pattern":"^[a-zA-Z0-9-]{3,24}$"},
  "topLevel": ["location","name","tags"],
  "propertiesFlattened": false,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "softDelete": {
   "lookup": {
    "method": "GET",
    "path": "/subscriptions/{sub}/providers/Microsoft.KeyVault/locations/{spec.location}/deletedVaults/{name}",
    "apiVersion": "2024-11-01",
    "notFound": 404
   },
   "purge": {
    "method": "POST",
    "path": "/subscriptions/{sub}/providers/Microsoft.KeyVault/locations/{spec.location}/deletedVaults/{name}/purge",
    "apiVersion": "2024-11-01",
    "lro": true
   },
   "originalId": "properties.vaultId"
  },
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "required": ["location","properties"],
   "properties": {
    "location": {"type":"string"},
    "properties": {
     "type": "object",
     "required": ["sku"],
     "properties": {
      "accessPolicies": {
       "type": "array",
       "items": {
        "type": "object",
        "required": ["permissions"],
        "properties": {
         "applicationId": {"type":"string","pattern":"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"},
         "applicationIdFromConfig": {"type":"configMap","arm":"applicationId"},
         "objectId": {"type":"string"},
         "objectIdFromConfig": {"type":"configMap","arm":"objectId"},
         "permissions": {
          "type": "object",
          "properties": {
           "certificates": {
            "type": "array",
            "items": {
             "type": "string",
             "enum": [
              "all",
              "backup",
              "create",
              "delete",
              "deleteissuers",
              "get",
              "getissuers",
              "import",
              "list",
              "listissuers",
              "managecontacts",
              "manageissuers",
              "purge",
              "recover",
              "restore",
              "setissuers",
              "update"
             ]
            }
           },
           "keys": {
            "type": "array",
            "items": {
             "type": "string",
             "enum": [
              "all",
              "backup",
              "create",
              "decrypt",
              "delete",
              "encrypt",
              "get",
              "getrotationpolicy",
              "import",
              "list",
              "purge",
              "recover",
              "release",
              "restore",
              "rotate",
              "setrotationpolicy",
              "sign",
              "unwrapKey",
              "update",
              "verify",
              "wrapKey"
             ]
            }
           },
           "secrets": {
            "type": "array",
            "items": {"type":"string","enum":["all","backup","delete","get","list","purge","recover","restore","set"]}
           },
           "storage": {
            "type": "array",
            "items": {
             "type": "string",
             "enum": [
              "all",
              "backup",
              "delete",
              "deletesas",
              "get",
              "getsas",
              "list",
              "listsas",
              "purge",
              "recover",
              "regeneratekey",
              "restore",
              "set",
              "setsas",
              "update"
             ]
            }
           }
          }
         },
         "tenantId": {"type":"string","pattern":"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"},
         "tenantIdFromConfig": {"type":"configMap","arm":"tenantId"}
        }
       }
      },
      "createMode": {"type":"string","enum":["createOrRecover","default","purgeThenCreate","recover"]},
      "enablePurgeProtection": {"type":"boolean"},
      "enableRbacAuthorization": {"type":"boolean"},
      "enableSoftDelete": {"type":"boolean"},
      "enabledForDeployment": {"type":"boolean"},
      "enabledForDiskEncryption": {"type":"boolean"},
      "enabledForTemplateDeployment": {"type":"boolean"},
      "networkAcls": {
       "type": "object",
       "properties": {
        "bypass": {"type":"string","enum":["AzureServices","None"]},
        "defaultAction": {"type":"string","enum":["Allow","Deny"]},
        "ipRules": {"type":"array","items":{"type":"object","required":["value"],"properties":{"value":{"type":"string"}}}},
        "virtualNetworkRules": {
         "type": "array",
         "items": {
          "type": "object",
          "required": ["reference"],
          "properties": {"ignoreMissingVnetServiceEndpoint":{"type":"boolean"},"reference":{"type":"reference","arm":"id"}}
         }
        }
       }
      },
      "provisioningState": {"type":"string","enum":["RegisteringDns","Succeeded"]},
      "publicNetworkAccess": {"type":"string"},
      "sku": {
       "type": "object",
       "required": ["family","name"],
       "properties": {"family":{"type":"string","enum":["A"]},"name":{"type":"string","enum":["premium","standard"]}}
      },
      "softDeleteRetentionInDays": {"type":"integer"},
      "tenantId": {"type":"string","pattern":"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"},
      "tenantIdFromConfig": {"type":"configMap","arm":"tenantId"},
      "vaultUri": {"type":"string"}
     }
    },
    "tags": {"type":"map","values":{"type":"string"}}
   }
  }
 }
};
