// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';

export interface ResourceGroupSpec {
  azureName?: string;
  location: string;
  managedBy?: string;
  tags?: Record<string, string>;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ResourceGroup {
  spec: ResourceGroupSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "resources.azure.com",
 "kind": "ResourceGroup",
 "plural": "resourcegroups",
 "singular": "resourcegroup",
 "shortNames": ["rg"],
 "arm": {
  "armType": "Microsoft.Resources/resourceGroups",
  "apiVersions": {"v1api20200601":"2020-06-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourcegroups/{resourceGroupName}",
  "scope": "Location",
  "owner": null,
  "azureName": {"minLength":1,"maxLength":90},
  "topLevel": ["location","managedBy","name","tags"],
  "propertiesFlattened": false,
  "noProperties": true,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "required": ["location"],
   "properties": {"location":{"type":"string"},"managedBy":{"type":"string"},"tags":{"type":"map","values":{"type":"string"}}}
  }
 }
};
