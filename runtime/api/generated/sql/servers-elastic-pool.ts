// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface ServersElasticPoolSpec {
  azureName?: string;
  autoPauseDelay?: number;
  availabilityZone?: '1' | '2' | '3' | 'NoPreference';
  highAvailabilityReplicaCount?: number;
  licenseType?: 'BasePrice' | 'LicenseIncluded';
  location: string;
  maintenanceConfigurationId?: string;
  maxSizeBytes?: number;
  minCapacity?: number;
  perDatabaseSettings?: {
    autoPauseDelay?: number;
    maxCapacity?: number;
    minCapacity?: number;
  };
  preferredEnclaveType?: 'Default' | 'VBS';
  sku?: {
    capacity?: number;
    family?: string;
    name: string;
    size?: string;
    tier?: string;
  };
  tags?: Record<string, string>;
  zoneRedundant?: boolean;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ServersElasticPool {
  spec: ServersElasticPoolSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "sql.azure.com",
 "kind": "ServersElasticPool",
 "plural": "serverselasticpools",
 "singular": "serverselasticpool",
 "shortNames": ["sqlpool"],
 "arm": {
  "armType": "Microsoft.Sql/servers/elasticPools",
  "apiVersions": {"v20250101":"2025-01-01","v20211101":"2021-11-01","v1api20211101":"2021-11-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Sql/servers/{serverName}/elasticPools/{elasticPoolName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["Server"],"group":"sql.azure.com"},
  "azureName": {},
  "topLevel": ["location","name","sku","tags"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "required": ["location"],
   "properties": {
    "autoPauseDelay": {"type":"integer"},
    "availabilityZone": {"type":"string","enum":["1","2","3","NoPreference"]},
    "highAvailabilityReplicaCount": {"type":"integer"},
    "licenseType": {"type":"string","enum":["BasePrice","LicenseIncluded"]},
    "location": {"type":"string"},
    "maintenanceConfigurationId": {"type":"string"},
    "maxSizeBytes": {"type":"integer"},
    "minCapacity": {"type":"number"},
    "perDatabaseSettings": {
     "type": "object",
     "properties": {"autoPauseDelay":{"type":"integer"},"maxCapacity":{"type":"number"},"minCapacity":{"type":"number"}}
    },
    "preferredEnclaveType": {"type":"string","enum":["Default","VBS"]},
    "sku": {
     "type": "object",
     "required": ["name"],
     "properties": {
      "capacity": {"type":"integer"},
      "family": {"type":"string"},
      "name": {"type":"string"},
      "size": {"type":"string"},
      "tier": {"type":"string"}
     }
    },
    "tags": {"type":"map","values":{"type":"string"}},
    "zoneRedundant": {"type":"boolean"}
   }
  }
 }
};
