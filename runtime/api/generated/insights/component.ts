// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface ComponentSpec {
  azureName?: string;
  Application_Type: 'other' | 'web';
  DisableIpMasking?: boolean;
  DisableLocalAuth?: boolean;
  Flow_Type?: 'Bluefield';
  ForceCustomerStorageForProfiler?: boolean;
  HockeyAppId?: string;
  ImmediatePurgeDataOn30Days?: boolean;
  IngestionMode?: 'ApplicationInsights' | 'ApplicationInsightsWithDiagnosticSettings' | 'LogAnalytics';
  Request_Source?: 'rest';
  RetentionInDays?: number;
  SamplingPercentage?: number;
  etag?: string;
  kind: string;
  location: string;
  publicNetworkAccessForIngestion?: 'Disabled' | 'Enabled';
  publicNetworkAccessForQuery?: 'Disabled' | 'Enabled';
  tags?: Record<string, string>;
  workspaceResourceReference?: ArmReference;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, 'connectionString' | 'instrumentationKey', 'AppInsightsName' | 'instrumentationKey'>;
}

export interface Component {
  spec: ComponentSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "insights.azure.com",
 "kind": "Component",
 "plural": "components",
 "singular": "component",
 "shortNames": ["appinsights"],
 "arm": {
  "armType": "Microsoft.Insights/components",
  "apiVersions": {"v1api20200202":"2020-02-02"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Insights/components/{resourceName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["ResourceGroup"],"group":"resources.azure.com"},
  "azureName": {},
  "topLevel": ["etag","kind","location","name","tags"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":["connectionString","instrumentationKey"]},
  "secretSource": {
   "action": null,
   "secrets": {},
   "configMaps": {
    "connectionString": {"from":"status","crPath":"status.ConnectionString","armPath":"properties.ConnectionString"},
    "instrumentationKey": {"from":"status","crPath":"status.InstrumentationKey","armPath":"properties.InstrumentationKey"}
   },
   "celNames": []
  },
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "required": ["Application_Type","kind","location"],
   "properties": {
    "Application_Type": {"type":"string","enum":["other","web"]},
    "DisableIpMasking": {"type":"boolean"},
    "DisableLocalAuth": {"type":"boolean"},
    "Flow_Type": {"type":"string","enum":["Bluefield"]},
    "ForceCustomerStorageForProfiler": {"type":"boolean"},
    "HockeyAppId": {"type":"string"},
    "ImmediatePurgeDataOn30Days": {"type":"boolean"},
    "IngestionMode": {"type":"string","enum":["ApplicationInsights","ApplicationInsightsWithDiagnosticSettings","LogAnalytics"]},
    "Request_Source": {"type":"string","enum":["rest"]},
    "RetentionInDays": {"type":"integer"},
    "SamplingPercentage": {"type":"number"},
    "etag": {"type":"string"},
    "kind": {"type":"string"},
    "location": {"type":"string"},
    "publicNetworkAccessForIngestion": {"type":"string","enum":["Disabled","Enabled"]},
    "publicNetworkAccessForQuery": {"type":"string","enum":["Disabled","Enabled"]},
    "tags": {"type":"map","values":{"type":"string"}},
    "workspaceResourceReference": {"type":"reference","arm":"properties.workspaceResourceId"}
   }
  }
 }
};
