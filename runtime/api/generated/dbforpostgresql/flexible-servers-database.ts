// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface FlexibleServersDatabaseSpec {
  azureName?: string;
  charset?: string;
  collation?: string;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface FlexibleServersDatabase {
  spec: FlexibleServersDatabaseSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "dbforpostgresql.azure.com",
 "kind": "FlexibleServersDatabase",
 "plural": "flexibleserversdatabases",
 "singular": "flexibleserversdatabase",
 "shortNames": ["psqldb"],
 "arm": {
  "armType": "Microsoft.DBforPostgreSQL/flexibleServers/databases",
  "apiVersions": {
   "v20250801": "2025-08-01",
   "v1api20240801": "2024-08-01",
   "v1api20230601preview": "2023-06-01-preview",
   "v1api20221201": "2022-12-01",
   "v1api20220120preview": "2022-01-20-preview",
   "v1api20210601": "2021-06-01"
  },
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.DBforPostgreSQL/flexibleServers/{serverName}/databases/{databaseName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["FlexibleServer"],"group":"dbforpostgresql.azure.com"},
  "azureName": {},
  "topLevel": ["name"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [],
  "fields": {"type":"object","properties":{"charset":{"type":"string"},"collation":{"type":"string"}}}
 }
};
