// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface ServersAdministratorSpec {
  administratorType?: 'ActiveDirectory';
  login: string;
  sid?: string;
  sidFromConfig?: ConfigMapKeyReference;
  tenantId?: string;
  tenantIdFromConfig?: ConfigMapKeyReference;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ServersAdministrator {
  spec: ServersAdministratorSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "sql.azure.com",
 "kind": "ServersAdministrator",
 "plural": "serversadministrators",
 "singular": "serversadministrator",
 "shortNames": ["sqladmin"],
 "arm": {
  "armType": "Microsoft.Sql/servers/administrators",
  "apiVersions": {"v20250101":"2025-01-01","v20211101":"2021-11-01","v1api20211101":"2021-11-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Sql/servers/{serverName}/administrators/{administratorName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["Server"],"group":"sql.azure.com"},
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
   "required": ["login"],
   "properties": {
    "administratorType": {"type":"string","enum":["ActiveDirectory"]},
    "login": {"type":"string"},
    "sid": {"type":"string","pattern":"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"},
    "sidFromConfig": {"type":"configMap","arm":"properties.sid"},
    "tenantId": {"type":"string","pattern":"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"},
    "tenantIdFromConfig": {"type":"configMap","arm":"properties.tenantId"}
   }
  }
 }
};
