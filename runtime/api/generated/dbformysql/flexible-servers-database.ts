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
 "group": "dbformysql.azure.com",
 "kind": "FlexibleServersDatabase",
 "plural": "flexibleserversdatabases",
 "singular": "flexibleserversdatabase",
 "shortNames": ["mysqldb"],
 "arm": {
  "armType": "Microsoft.DBforMySQL/flexibleServers/databases",
  "apiVersions": {
   "v20241230": "2024-12-30",
   "v20250601preview": "2025-06-01-preview",
   "v20231230": "2023-12-30",
   "v1api20231230": "2023-12-30",
   "v20230630": "2023-06-30",
   "v1api20230630": "2023-06-30",
   "v20210501": "2021-05-01",
   "v1api20210501": "2021-05-01"
  },
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.DBforMySQL/flexibleServers/{serverName}/databases/{databaseName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["FlexibleServer"],"group":"dbformysql.azure.com"},
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
