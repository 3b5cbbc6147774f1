// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface FlexibleServersConfigurationSpec {
  azureName?: string;
  source?: string;
  value?: string;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface FlexibleServersConfiguration {
  spec: FlexibleServersConfigurationSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "dbforpostgresql.azure.com",
 "kind": "FlexibleServersConfiguration",
 "plural": "flexibleserversconfigurations",
 "singular": "flexibleserversconfiguration",
 "shortNames": ["psqlconf"],
 "arm": {
  "armType": "Microsoft.DBforPostgreSQL/flexibleServers/configurations",
  "apiVersions": {
   "v20250801": "2025-08-01",
   "v1api20240801": "2024-08-01",
   "v1api20230601preview": "2023-06-01-preview",
   "v1api20221201": "2022-12-01",
   "v1api20220120preview": "2022-01-20-preview",
   "v1api20210601": "2021-06-01"
  },
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.DBforPostgreSQL/flexibleServers/{serverName}/configurations/{configurationName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["FlexibleServer"],"group":"dbforpostgresql.azure.com"},
  "azureName": {},
  "topLevel": ["name"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": false,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [],
  "fields": {"type":"object","properties":{"source":{"type":"string"},"value":{"type":"string"}}}
 }
};
