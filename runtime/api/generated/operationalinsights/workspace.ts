// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface WorkspaceSpec {
  azureName?: string;
  defaultDataCollectionRuleResourceReference?: ArmReference;
  etag?: string;
  features?: {
    additionalProperties?: Record<string, unknown>;
    clusterResourceReference?: ArmReference;
    disableLocalAuth?: boolean;
    enableDataExport?: boolean;
    enableLogAccessUsingOnlyResourcePermissions?: boolean;
    immediatePurgeDataOn30Days?: boolean;
  };
  forceCmkForQuery?: boolean;
  identity?: {
    type: 'None' | 'SystemAssigned' | 'UserAssigned';
    userAssignedIdentities?: ({
      reference?: ArmReference;
    })[];
  };
  location: string;
  provisioningState?: 'Canceled' | 'Creating' | 'Deleting' | 'Failed' | 'ProvisioningAccount' | 'Succeeded' | 'Updating';
  publicNetworkAccessForIngestion?: 'Disabled' | 'Enabled' | 'SecuredByPerimeter';
  publicNetworkAccessForQuery?: 'Disabled' | 'Enabled' | 'SecuredByPerimeter';
  replication?: {
    enabled?: boolean;
    location?: string;
  };
  retentionInDays?: number;
  sku?: {
    capacityReservationLevel?: number;
    name: 'CapacityReservation' | 'Free' | 'LACluster' | 'PerGB2018' | 'PerNode' | 'Premium' | 'Standalone' | 'Standard';
  };
  tags?: Record<string, string>;
  workspaceCapping?: {
    dailyQuotaGb?: number;
  };
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<'primarySharedKey' | 'secondarySharedKey', never, 'primarySharedKey' | 'secondarySharedKey'>;
}

export interface Workspace {
  spec: WorkspaceSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "operationalinsights.azure.com",
 "kind": "Workspace",
 "plural": "workspaces",
 "singular": "workspace",
 "shortNames": ["law"],
 "arm": {
  "armType": "Microsoft.OperationalInsights/workspaces",
  "apiVersions": {"v20250701":"2025-07-01","v1api20210601":"2021-06-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.OperationalInsights/workspaces/{workspaceName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["ResourceGroup"],"group":"resources.azure.com"},
  "azureName": {"pattern":"^[A-Za-z0-9][A-Za-z0-9-]+[A-Za-z0-9]$","minLength":4,"maxLength":63},
  "topLevel": ["etag","identity","location","name","tags"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":["primarySharedKey","secondarySharedKey"],"configMaps":[]},
  "secretSource": {
   "action": {"method":"POST","path":"sharedKeys","apiVersion":"2020-08-01"},
   "secrets": {
    "primarySharedKey": {"from":"action","path":"primarySharedKey"},
    "secondarySharedKey": {"from":"action","path":"secondarySharedKey"}
   },
   "celNames": ["primarySharedKey","secondarySharedKey"]
  },
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "required": ["location"],
   "properties": {
    "defaultDataCollectionRuleResourceReference": {"type":"reference","arm":"properties.defaultDataCollectionRuleResourceId"},
    "etag": {"type":"string"},
    "features": {
     "type": "object",
     "properties": {
      "additionalProperties": {"type":"map","values":{"type":"any"}},
      "clusterResourceReference": {"type":"reference","arm":"clusterResourceId"},
      "disableLocalAuth": {"type":"boolean"},
      "enableDataExport": {"type":"boolean"},
      "enableLogAccessUsingOnlyResourcePermissions": {"type":"boolean"},
      "immediatePurgeDataOn30Days": {"type":"boolean"}
     }
    },
    "forceCmkForQuery": {"type":"boolean"},
    "identity": {
     "type": "object",
     "required": ["type"],
     "properties": {
      "type": {"type":"string","enum":["None","SystemAssigned","UserAssigned"]},
      "userAssignedIdentities": {"type":"array","items":{"type":"object","properties":{"reference":{"type":"reference"}}},"as":"identityMap"}
     }
    },
    "location": {"type":"string"},
    "publicNetworkAccessForIngestion": {"type":"string","enum":["Disabled","Enabled","SecuredByPerimeter"]},
    "publicNetworkAccessForQuery": {"type":"string","enum":["Disabled","Enabled","SecuredByPerimeter"]},
    "replication": {"type":"object","properties":{"enabled":{"type":"boolean"},"location":{"type":"string"}}},
    "retentionInDays": {"type":"integer"},
    "sku": {
     "type": "object",
     "required": ["name"],
     "properties": {
      "capacityReservationLevel": {"type":"integer"},
      "name": {
       "type": "string",
       "enum": ["CapacityReservation","Free","LACluster","PerGB2018","PerNode","Premium","Standalone","Standard"]
      }
     }
    },
    "tags": {"type":"map","values":{"type":"string"}},
    "workspaceCapping": {"type":"object","properties":{"dailyQuotaGb":{"type":"number"}}},
    "provisioningState": {
     "type": "string",
     "enum": ["Canceled","Creating","Deleting","Failed","ProvisioningAccount","Succeeded","Updating"],
     "onlyIn": ["v1api20210601"]
    }
   }
  }
 }
};
