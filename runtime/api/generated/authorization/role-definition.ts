// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference } from '../../common-schemas.ts';

export interface RoleDefinitionSpec {
  azureName?: string;
  assignableScopesReferences?: ArmReference[];
  description?: string;
  permissions?: ({
    actions?: string[];
    dataActions?: string[];
    notActions?: string[];
    notDataActions?: string[];
  })[];
  roleName?: string;
  type?: string;
  owner: ArmReference;
  operatorSpec?: OperatorSpec<never, never> & {
    namingConvention?: 'random' | 'stable';
  };
}

export interface RoleDefinition {
  spec: RoleDefinitionSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "authorization.azure.com",
 "kind": "RoleDefinition",
 "plural": "roledefinitions",
 "singular": "roledefinition",
 "shortNames": ["rd"],
 "arm": {
  "armType": "Microsoft.Authorization/roleDefinitions",
  "apiVersions": {"v20220401":"2022-04-01","v1api20220401":"2022-04-01"},
  "armPath": "/{scope}/providers/Microsoft.Authorization/roleDefinitions/{roleDefinitionId}",
  "scope": "Extension",
  "owner": {"extension":true,"kinds":["*"],"group":"*"},
  "azureName": {},
  "topLevel": ["name"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[],"other":{"namingConvention":{"type":"string","enum":["random","stable"]}}},
  "secretSource": null,
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "properties": {
    "assignableScopesReferences": {"type":"array","items":{"type":"reference"},"arm":"properties.assignableScopes"},
    "description": {"type":"string"},
    "permissions": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "actions": {"type":"array","items":{"type":"string"}},
       "dataActions": {"type":"array","items":{"type":"string"}},
       "notActions": {"type":"array","items":{"type":"string"}},
       "notDataActions": {"type":"array","items":{"type":"string"}}
      }
     }
    },
    "roleName": {"type":"string"},
    "type": {"type":"string"}
   }
  }
 }
};
