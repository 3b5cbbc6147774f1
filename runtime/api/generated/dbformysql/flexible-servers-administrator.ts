// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface FlexibleServersAdministratorSpec {
  administratorType?: 'ActiveDirectory';
  identityResourceReference?: ArmReference;
  login?: string;
  sid?: string;
  sidFromConfig?: ConfigMapKeyReference;
  tenantId?: string;
  tenantIdFromConfig?: ConfigMapKeyReference;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface FlexibleServersAdministrator {
  spec: FlexibleServersAdministratorSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "dbformysql.azure.com",
 "kind": "FlexibleServersAdministrator",
 "plural": "flexibleserversadministrators",
 "singular": "flexibleserversadministrator",
 "shortNames": ["mysqladmin"],
 "arm": {
  "armType": "Microsoft.DBforMySQL/flexibleServers/administrators",
  "apiVersions": {
   "v20241230": "2024-12-30",
   "v20250601preview": "2025-06-01-preview",
   "v20231230": "2023-12-30",
   "v1api20231230": "2023-12-30",
   "v20230630": "2023-06-30",
   "v1api20230630": "2023-06-30",
   "v20220101": "2022-01-01",
   "v1api20220101": "2022-01-01"
  },
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.DBforMySQL/flexibleServers/{serverName}/administrators/{administratorName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["FlexibleServer"],"group":"dbformysql.azure.com"},
  "azureNameFixed": "ActiveDirectory",
  "topLevel": ["name"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "properties": {
    "administratorType": {"type":"string","enum":["ActiveDirectory"]},
    "identityResourceReference": {"type":"reference","arm":"properties.identityResourceId"},
    "login": {"type":"string"},
    "sid": {"type":"string"},
    "sidFromConfig": {"type":"configMap","arm":"properties.sid"},
    "tenantId": {"type":"string"},
    "tenantIdFromConfig": {"type":"configMap","arm":"properties.tenantId"}
   }
  }
 }
};
