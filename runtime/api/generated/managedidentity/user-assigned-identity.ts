// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface UserAssignedIdentitySpec {
  azureName?: string;
  location: string;
  tags?: Record<string, string>;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<'clientId' | 'principalId' | 'subscriptionId' | 'tenantId', 'clientId' | 'principalId' | 'tenantId', 'clientId' | 'principalId' | 'subscriptionId' | 'tenantId'>;
}

export interface UserAssignedIdentity {
  spec: UserAssignedIdentitySpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "managedidentity.azure.com",
 "kind": "UserAssignedIdentity",
 "plural": "userassignedidentities",
 "singular": "userassignedidentity",
 "shortNames": ["uai"],
 "arm": {
  "armType": "Microsoft.ManagedIdentity/userAssignedIdentities",
  "apiVersions": {"v1api20230131":"2023-01-31","v1api20181130":"2018-11-30"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/{resourceName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["ResourceGroup"],"group":"resources.azure.com"},
  "azureName": {},
  "topLevel": ["location","name","tags"],
  "propertiesFlattened": false,
  "noProperties": true,
  "deletable": true,
  "operatorSpec": {
   "secrets": ["clientId","principalId","subscriptionId","tenantId"],
   "configMaps": ["clientId","principalId","tenantId"]
  },
  "secretSource": {
   "action": null,
   "secrets": {
    "clientId": {"from":"status","crPath":"status.clientId","armPath":"properties.clientId"},
    "principalId": {"from":"status","crPath":"status.principalId","armPath":"properties.principalId"},
    "tenantId": {"from":"status","crPath":"status.tenantId","armPath":"properties.tenantId"},
    "subscriptionId": {"from":"resourceId","segment":"subscriptions"}
   },
   "configMaps": {
    "clientId": {"from":"status","crPath":"status.clientId","armPath":"properties.clientId"},
    "principalId": {"from":"status","crPath":"status.principalId","armPath":"properties.principalId"},
    "tenantId": {"from":"status","crPath":"status.tenantId","armPath":"properties.tenantId"}
   },
   "celNames": []
  },
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "required": ["location"],
   "properties": {"location":{"type":"string"},"tags":{"type":"map","values":{"type":"string"}}}
  }
 }
};
