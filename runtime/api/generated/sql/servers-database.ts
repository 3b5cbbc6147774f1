// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface ServersDatabaseSpec {
  azureName?: string;
  autoPauseDelay?: number;
  availabilityZone?: '1' | '2' | '3' | 'NoPreference';
  catalogCollation?: 'DATABASE_DEFAULT' | 'SQL_Latin1_General_CP1_CI_AS';
  collation?: string;
  createMode?: 'Copy' | 'Default' | 'OnlineSecondary' | 'PointInTimeRestore' | 'Recovery' | 'Restore' | 'RestoreExternalBackup' | 'RestoreExternalBackupSecondary' | 'RestoreLongTermRetentionBackup' | 'Secondary';
  elasticPoolReference?: ArmReference;
  encryptionProtector?: string;
  encryptionProtectorAutoRotation?: boolean;
  federatedClientId?: string;
  freeLimitExhaustionBehavior?: 'AutoPause' | 'BillOverUsage';
  highAvailabilityReplicaCount?: number;
  identity?: {
    type?: 'None' | 'UserAssigned';
    userAssignedIdentities?: ({
      reference?: ArmReference;
    })[];
  };
  isLedgerOn?: boolean;
  licenseType?: 'BasePrice' | 'LicenseIncluded';
  location: string;
  longTermRetentionBackupResourceReference?: ArmReference;
  maintenanceConfigurationId?: string;
  manualCutover?: boolean;
  maxSizeBytes?: number;
  minCapacity?: number;
  performCutover?: boolean;
  preferredEnclaveType?: 'Default' | 'VBS';
  readScale?: 'Disabled' | 'Enabled';
  recoverableDatabaseReference?: ArmReference;
  recoveryServicesRecoveryPointReference?: ArmReference;
  requestedBackupStorageRedundancy?: 'Geo' | 'GeoZone' | 'Local' | 'Zone';
  restorableDroppedDatabaseReference?: ArmReference;
  restorePointInTime?: string;
  sampleName?: 'AdventureWorksLT' | 'WideWorldImportersFull' | 'WideWorldImportersStd';
  secondaryType?: 'Geo' | 'Named' | 'Standby';
  sku?: {
    capacity?: number;
    family?: string;
    name: string;
    size?: string;
    tier?: string;
  };
  sourceDatabaseDeletionDate?: string;
  sourceDatabaseReference?: ArmReference;
  sourceResourceReference?: ArmReference;
  tags?: Record<string, string>;
  useFreeLimit?: boolean;
  zoneRedundant?: boolean;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ServersDatabase {
  spec: ServersDatabaseSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "sql.azure.com",
 "kind": "ServersDatabase",
 "plural": "serversdatabases",
 "singular": "serversdatabase",
 "shortNames": ["sqldb"],
 "arm": {
  "armType": "Microsoft.Sql/servers/databases",
  "apiVersions": {"v20250101":"2025-01-01","v20211101":"2021-11-01","v1api20211101":"2021-11-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Sql/servers/{serverName}/databases/{databaseName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["Server"],"group":"sql.azure.com"},
  "azureName": {},
  "topLevel": ["identity","location","name","sku","tags"],
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
    "catalogCollation": {"type":"string","enum":["DATABASE_DEFAULT","SQL_Latin1_General_CP1_CI_AS"]},
    "collation": {"type":"string"},
    "createMode": {
     "type": "string",
     "enum": [
      "Copy",
      "Default",
      "OnlineSecondary",
      "PointInTimeRestore",
      "Recovery",
      "Restore",
      "RestoreExternalBackup",
      "RestoreExternalBackupSecondary",
      "RestoreLongTermRetentionBackup",
      "Secondary"
     ]
    },
    "elasticPoolReference": {"type":"reference","arm":"properties.elasticPoolId"},
    "encryptionProtector": {"type":"string"},
    "encryptionProtectorAutoRotation": {"type":"boolean"},
    "federatedClientId": {"type":"string","pattern":"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"},
    "freeLimitExhaustionBehavior": {"type":"string","enum":["AutoPause","BillOverUsage"]},
    "highAvailabilityReplicaCount": {"type":"integer"},
    "identity": {
     "type": "object",
     "properties": {
      "type": {"type":"string","enum":["None","UserAssigned"]},
      "userAssignedIdentities": {"type":"array","items":{"type":"object","properties":{"reference":{"type":"reference"}}},"as":"identityMap"}
     }
    },
    "isLedgerOn": {"type":"boolean"},
    "licenseType": {"type":"string","enum":["BasePrice","LicenseIncluded"]},
    "location": {"type":"string"},
    "longTermRetentionBackupResourceReference": {"type":"reference","arm":"properties.longTermRetentionBackupResourceId"},
    "maintenanceConfigurationId": {"type":"string"},
    "manualCutover": {"type":"boolean"},
    "maxSizeBytes": {"type":"integer"},
    "minCapacity": {"type":"number"},
    "performCutover": {"type":"boolean"},
    "preferredEnclaveType": {"type":"string","enum":["Default","VBS"]},
    "readScale": {"type":"string","enum":["Disabled","Enabled"]},
    "recoverableDatabaseReference": {"type":"reference","arm":"properties.recoverableDatabaseId"},
    "recoveryServicesRecoveryPointReference": {"type":"reference","arm":"properties.recoveryServicesRecoveryPointId"},
    "requestedBackupStorageRedundancy": {"type":"string","enum":["Geo","GeoZone","Local","Zone"]},
    "restorableDroppedDatabaseReference": {"type":"reference","arm":"properties.restorableDroppedDatabaseId"},
    "restorePointInTime": {"type":"string"},
    "sampleName": {"type":"string","enum":["AdventureWorksLT","WideWorldImportersFull","WideWorldImportersStd"]},
    "secondaryType": {"type":"string","enum":["Geo","Named","Standby"]},
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
    "sourceDatabaseDeletionDate": {"type":"string"},
    "sourceDatabaseReference": {"type":"reference","arm":"properties.sourceDatabaseId"},
    "sourceResourceReference": {"type":"reference","arm":"properties.sourceResourceId"},
    "tags": {"type":"map","values":{"type":"string"}},
    "useFreeLimit": {"type":"boolean"},
    "zoneRedundant": {"type":"boolean"}
   }
  }
 }
};
