// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, WellKnownReference } from '../../common-schemas.ts';

export interface RoleAssignmentSpec {
  azureName?: string;
  condition?: string;
  conditionVersion?: string;
  delegatedManagedIdentityResourceReference?: ArmReference;
  description?: string;
  principalId?: string;
  principalIdFromConfig?: ConfigMapKeyReference;
  principalType?: 'Device' | 'ForeignGroup' | 'Group' | 'ServicePrincipal' | 'User';
  roleDefinitionReference: WellKnownReference;
  owner: ArmReference;
  operatorSpec?: OperatorSpec<never, never> & {
    namingConvention?: 'random' | 'stable';
  };
}

export interface RoleAssignment {
  spec: RoleAssignmentSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "authorization.azure.com",
 "kind": "RoleAssignment",
 "plural": "roleassignments",
 "singular": "roleassignment",
 "shortNames": ["ra"],
 "arm": {
  "armType": "Microsoft.Authorization/roleAssignments",
  "apiVersions": {
   "v20220401": "2022-04-01",
   "v1api20220401": "2022-04-01",
   "v20200801preview": "2020-08-01-preview",
   "v1api20200801preview": "2020-08-01-preview"
  },
  "armPath": "/{scope}/providers/Microsoft.Authorization/roleAssignments/{roleAssignmentName}",
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
   "required": ["roleDefinitionReference"],
   "properties": {
    "condition": {"type":"string"},
    "conditionVersion": {"type":"string"},
    "delegatedManagedIdentityResourceReference": {"type":"reference","arm":"properties.delegatedManagedIdentityResourceId"},
    "description": {"type":"string"},
    "principalId": {"type":"string"},
    "principalIdFromConfig": {"type":"configMap","arm":"properties.principalId"},
    "principalType": {"type":"string","enum":["Device","ForeignGroup","Group","ServicePrincipal","User"]},
    "roleDefinitionReference": {"type":"wellKnownReference","arm":"properties.roleDefinitionId"}
   }
  }
 }
};
