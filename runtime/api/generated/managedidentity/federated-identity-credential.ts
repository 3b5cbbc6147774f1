// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface FederatedIdentityCredentialSpec {
  azureName?: string;
  audiences: string[];
  issuer?: string;
  issuerFromConfig?: ConfigMapKeyReference;
  subject?: string;
  subjectFromConfig?: ConfigMapKeyReference;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface FederatedIdentityCredential {
  spec: FederatedIdentityCredentialSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "managedidentity.azure.com",
 "kind": "FederatedIdentityCredential",
 "plural": "federatedidentitycredentials",
 "singular": "federatedidentitycredential",
 "shortNames": ["fic"],
 "arm": {
  "armType": "Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials",
  "apiVersions": {"v1api20230131":"2023-01-31","v1api20220131preview":"2022-01-31-preview"},
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/{resourceName}/federatedIdentityCredentials/{federatedIdentityCredentialResourceName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["UserAssignedIdentity"],"group":"managedidentity.azure.com"},
  "azureName": {},
  "topLevel": ["name"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "required": ["audiences"],
   "properties": {
    "audiences": {"type":"array","items":{"type":"string"}},
    "issuer": {"type":"string","pattern":"^[a-zA-Z][a-zA-Z0-9+-.]*:[^\\s]*$"},
    "issuerFromConfig": {"type":"configMap","arm":"properties.issuer"},
    "subject": {"type":"string"},
    "subjectFromConfig": {"type":"configMap","arm":"properties.subject"}
   }
  }
 }
};
