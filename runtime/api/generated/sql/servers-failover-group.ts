// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface ServersFailoverGroupSpec {
  azureName?: string;
  databasesReferences?: ArmReference[];
  partnerServers: ({
    reference: ArmReference;
  })[];
  readOnlyEndpoint?: {
    failoverPolicy?: 'Disabled' | 'Enabled';
    targetServerReference?: ArmReference;
  };
  readWriteEndpoint: {
    failoverPolicy: 'Automatic' | 'Manual';
    failoverWithDataLossGracePeriodMinutes?: number;
  };
  secondaryType?: 'Geo' | 'Standby';
  tags?: Record<string, string>;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never, 'azureSqlPrimaryServer' | 'readWriteListenerEndpoint' | 'azureSqlSecondaryServer' | 'readOnlyListenerEndpoint'>;
}

export interface ServersFailoverGroup {
  spec: ServersFailoverGroupSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "sql.azure.com",
 "kind": "ServersFailoverGroup",
 "plural": "serversfailovergroups",
 "singular": "serversfailovergroup",
 "shortNames": ["sqlfog"],
 "arm": {
  "armType": "Microsoft.Sql/servers/failoverGroups",
  "apiVersions": {"v20250101":"2025-01-01","v20211101":"2021-11-01","v1api20211101":"2021-11-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Sql/servers/{serverName}/failoverGroups/{failoverGroupName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["Server"],"group":"sql.azure.com"},
  "azureName": {},
  "topLevel": ["name","tags"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "required": ["partnerServers","readWriteEndpoint"],
   "properties": {
    "databasesReferences": {"type":"array","items":{"type":"reference"},"arm":"properties.databases"},
    "partnerServers": {
     "type": "array",
     "items": {"type":"object","required":["reference"],"properties":{"reference":{"type":"reference","arm":"id"}}}
    },
    "readOnlyEndpoint": {
     "type": "object",
     "properties": {
      "failoverPolicy": {"type":"string","enum":["Disabled","Enabled"]},
      "targetServerReference": {"type":"reference","arm":"targetServer"}
     }
    },
    "readWriteEndpoint": {
     "type": "object",
     "required": ["failoverPolicy"],
     "properties": {
      "failoverPolicy": {"type":"string","enum":["Automatic","Manual"]},
      "failoverWithDataLossGracePeriodMinutes": {"type":"integer"}
     }
    },
    "secondaryType": {"type":"string","enum":["Geo","Standby"]},
    "tags": {"type":"map","values":{"type":"string"}}
   }
  }
 }
};
