// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, CredentialsSpec, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface ServerSpec {
  azureName?: string;
  administratorLogin?: string;
  administratorLoginPassword?: SecretKeyReference;
  administrators?: {
    administratorType?: 'ActiveDirectory';
    azureADOnlyAuthentication?: boolean;
    login?: string;
    loginFromConfig?: ConfigMapKeyReference;
    principalType?: 'Application' | 'Group' | 'User';
    sid?: string;
    sidFromConfig?: ConfigMapKeyReference;
    tenantId?: string;
    tenantIdFromConfig?: ConfigMapKeyReference;
  };
  createMode?: 'Normal' | 'Restore';
  federatedClientId?: string;
  identity?: {
    type?: 'None' | 'SystemAssigned' | 'SystemAssigned,UserAssigned' | 'UserAssigned';
    userAssignedIdentities?: ({
      reference?: ArmReference;
    })[];
  };
  isIPv6Enabled?: 'Disabled' | 'Enabled';
  keyId?: string;
  location: string;
  minimalTlsVersion?: string;
  primaryUserAssignedIdentityReference?: ArmReference;
  publicNetworkAccess?: 'Disabled' | 'Enabled' | 'SecuredByPerimeter';
  restrictOutboundNetworkAccess?: 'Disabled' | 'Enabled';
  retentionDays?: number;
  tags?: Record<string, string>;
  version?: string;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, 'fullyQualifiedDomainName', 'username' | 'password' | 'fullyQualifiedUsername' | 'azureSqlServerName' | 'fullyQualifiedServerName'> & CredentialsSpec;
}

export interface Server {
  spec: ServerSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "sql.azure.com",
 "kind": "Server",
 "plural": "servers",
 "singular": "server",
 "shortNames": ["sqlsrv"],
 "arm": {
  "armType": "Microsoft.Sql/servers",
  "apiVersions": {"v20250101":"2025-01-01","v20211101":"2021-11-01","v1api20211101":"2021-11-01"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Sql/servers/{serverName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["ResourceGroup"],"group":"resources.azure.com"},
  "azureName": {},
  "topLevel": ["identity","location","name","tags"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":["fullyQualifiedDomainName"]},
  "secretSource": {
   "action": null,
   "secrets": {},
   "configMaps": {
    "fullyQualifiedDomainName": {"from":"status","crPath":"status.fullyQualifiedDomainName","armPath":"properties.fullyQualifiedDomainName"}
   },
   "celNames": []
  },
  "generatedCredentials": {
   "login": "administratorLogin",
   "password": "administratorLoginPassword",
   "notFor": ["GeoRestore","PointInTimeRestore","Replica","Restore","ReviveDropped"]
  },
  "errorOverrides": [{"code":"PasswordNotComplex","class":"fatal"}],
  "fields": {
   "type": "object",
   "required": ["location"],
   "properties": {
    "administratorLogin": {"type":"string"},
    "administratorLoginPassword": {"type":"secret"},
    "administrators": {
     "type": "object",
     "properties": {
      "administratorType": {"type":"string","enum":["ActiveDirectory"]},
      "azureADOnlyAuthentication": {"type":"boolean"},
      "login": {"type":"string"},
      "loginFromConfig": {"type":"configMap","arm":"login"},
      "principalType": {"type":"string","enum":["Application","Group","User"]},
      "sid": {"type":"string","pattern":"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"},
      "sidFromConfig": {"type":"configMap","arm":"sid"},
      "tenantId": {"type":"string","pattern":"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"},
      "tenantIdFromConfig": {"type":"configMap","arm":"tenantId"}
     }
    },
    "createMode": {"type":"string","enum":["Normal","Restore"]},
    "federatedClientId": {"type":"string","pattern":"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"},
    "identity": {
     "type": "object",
     "properties": {
      "type": {"type":"string","enum":["None","SystemAssigned","SystemAssigned,UserAssigned","UserAssigned"]},
      "userAssignedIdentities": {"type":"array","items":{"type":"object","properties":{"reference":{"type":"reference"}}},"as":"identityMap"}
     }
    },
    "isIPv6Enabled": {"type":"string","enum":["Disabled","Enabled"]},
    "keyId": {"type":"string"},
    "location": {"type":"string"},
    "minimalTlsVersion": {"type":"string"},
    "primaryUserAssignedIdentityReference": {"type":"reference","arm":"properties.primaryUserAssignedIdentityId"},
    "publicNetworkAccess": {"type":"string","enum":["Disabled","Enabled","SecuredByPerimeter"]},
    "restrictOutboundNetworkAccess": {"type":"string","enum":["Disabled","Enabled"]},
    "retentionDays": {"type":"integer"},
    "tags": {"type":"map","values":{"type":"string"}},
    "version": {"type":"string"}
   }
  }
 }
};
