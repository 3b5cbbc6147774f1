// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface ServiceSpec {
  azureName?: string;
  additionalLocations?: ({
    disableGateway?: boolean;
    location: string;
    natGatewayState?: 'Disabled' | 'Enabled';
    publicIpAddressReference?: ArmReference;
    sku: {
      capacity: number;
      name: 'Basic' | 'BasicV2' | 'Consumption' | 'Developer' | 'Isolated' | 'Premium' | 'Standard' | 'StandardV2';
    };
    virtualNetworkConfiguration?: {
      subnetResourceReference?: ArmReference;
    };
    zones?: string[];
  })[];
  apiVersionConstraint?: {
    minApiVersion?: string;
  };
  certificates?: ({
    certificate?: {
      expiry?: string;
      expiryFromConfig?: ConfigMapKeyReference;
      subject?: string;
      subjectFromConfig?: ConfigMapKeyReference;
      thumbprint?: string;
      thumbprintFromConfig?: ConfigMapKeyReference;
    };
    certificatePassword?: SecretKeyReference;
    encodedCertificate?: string;
    storeName: 'CertificateAuthority' | 'Root';
  })[];
  configurationApi?: {
    legacyApi?: 'Disabled' | 'Enabled';
  };
  customProperties?: Record<string, string>;
  developerPortalStatus?: 'Disabled' | 'Enabled';
  disableGateway?: boolean;
  enableClientCertificate?: boolean;
  hostnameConfigurations?: ({
    certificate?: {
      expiry?: string;
      expiryFromConfig?: ConfigMapKeyReference;
      subject?: string;
      subjectFromConfig?: ConfigMapKeyReference;
      thumbprint?: string;
      thumbprintFromConfig?: ConfigMapKeyReference;
    };
    certificatePassword?: SecretKeyReference;
    certificateSource?: 'BuiltIn' | 'Custom' | 'KeyVault' | 'Managed';
    certificateStatus?: 'Completed' | 'Failed' | 'InProgress';
    defaultSslBinding?: boolean;
    encodedCertificate?: string;
    hostName: string;
    identityClientId?: string;
    identityClientIdFromConfig?: ConfigMapKeyReference;
    keyVaultId?: string;
    negotiateClientCertificate?: boolean;
    type: 'ConfigurationApi' | 'DeveloperPortal' | 'Management' | 'Portal' | 'Proxy' | 'Scm';
  })[];
  identity?: {
    type: 'None' | 'SystemAssigned' | 'SystemAssigned, UserAssigned' | 'UserAssigned';
    userAssignedIdentities?: ({
      reference?: ArmReference;
    })[];
  };
  legacyPortalStatus?: 'Disabled' | 'Enabled';
  location: string;
  natGatewayState?: 'Disabled' | 'Enabled';
  notificationSenderEmail?: string;
  publicIpAddressReference?: ArmReference;
  publicNetworkAccess?: 'Disabled' | 'Enabled';
  publisherEmail: string;
  publisherName: string;
  restore?: boolean;
  sku: {
    capacity: number;
    name: 'Basic' | 'BasicV2' | 'Consumption' | 'Developer' | 'Isolated' | 'Premium' | 'Standard' | 'StandardV2';
  };
  tags?: Record<string, string>;
  virtualNetworkConfiguration?: {
    subnetResourceReference?: ArmReference;
  };
  virtualNetworkType?: 'External' | 'Internal' | 'None';
  zones?: string[];
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Service {
  spec: ServiceSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "apimanagement.azure.com",
 "kind": "Service",
 "plural": "services",
 "singular": "service",
 "shortNames": ["apim"],
 "arm": {
  "armType": "Microsoft.ApiManagement/service",
  "apiVersions": {
   "v20240501": "2024-05-01",
   "v1api20240501": "2024-05-01",
   "v20230501preview": "2023-05-01-preview",
   "v1api20230501preview": "2023-05-01-preview",
   "v20220801": "2022-08-01",
   "v1api20220801": "2022-08-01"
  },
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.ApiManagement/service/{serviceName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["ResourceGroup"],"group":"resources.azure.com"},
  "azureName": {"pattern":"^[a-zA-Z](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$","minLength":1,"maxLength":50},
  "topLevel": ["identity","location","name","sku","tags","zones"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "required": ["location","publisherEmail","publisherName","sku"],
   "properties": {
    "additionalLocations": {
     "type": "array",
     "items": {
      "type": "object",
      "required": ["location","sku"],
      "properties": {
       "disableGateway": {"type":"boolean"},
       "location": {"type":"string"},
       "natGatewayState": {"type":"string","enum":["Disabled","Enabled"]},
       "publicIpAddressReference": {"type":"reference","arm":"publicIpAddressId"},
       "sku": {
        "type": "object",
        "required": ["capacity","name"],
        "properties": {
         "capacity": {"type":"integer"},
         "name": {
          "type": "string",
          "enum": ["Basic","BasicV2","Consumption","Developer","Isolated","Premium","Standard","StandardV2"]
         }
        }
       },
       "virtualNetworkConfiguration": {"type":"object","properties":{"subnetResourceReference":{"type":"reference","arm":"subnetResourceId"}}},
       "zones": {"type":"array","items":{"type":"string"}}
      }
     }
    },
    "apiVersionConstraint": {"type":"object","properties":{"minApiVersion":{"type":"string"}}},
    "certificates": {
     "type": "array",
     "items": {
      "type": "object",
      "required": ["storeName"],
      "properties": {
       "certificate": {
        "type": "object",
        "properties": {
         "expiry": {"type":"string"},
         "expiryFromConfig": {"type":"configMap","arm":"expiry"},
         "subject": {"type":"string"},
         "subjectFromConfig": {"type":"configMap","arm":"subject"},
         "thumbprint": {"type":"string"},
         "thumbprintFromConfig": {"type":"configMap","arm":"thumbprint"}
        }
       },
       "certificatePassword": {"type":"secret"},
       "encodedCertificate": {"type":"string"},
       "storeName": {"type":"string","enum":["CertificateAuthority","Root"]}
      }
     }
    },
    "configurationApi": {"type":"object","properties":{"legacyApi":{"type":"string","enum":["Disabled","Enabled"]}}},
    "customProperties": {"type":"map","values":{"type":"string"}},
    "developerPortalStatus": {"type":"string","enum":["Disabled","Enabled"]},
    "disableGateway": {"type":"boolean"},
    "enableClientCertificate": {"type":"boolean"},
    "hostnameConfigurations": {
     "type": "array",
     "items": {
      "type": "object",
      "required": ["hostName","type"],
      "properties": {
       "certificate": {
        "type": "object",
        "properties": {
         "expiry": {"type":"string"},
         "expiryFromConfig": {"type":"configMap","arm":"expiry"},
         "subject": {"type":"string"},
         "subjectFromConfig": {"type":"configMap","arm":"subject"},
         "thumbprint": {"type":"string"},
         "thumbprintFromConfig": {"type":"configMap","arm":"thumbprint"}
        }
       },
       "certificatePassword": {"type":"secret"},
       "certificateSource": {"type":"string","enum":["BuiltIn","Custom","KeyVault","Managed"]},
       "certificateStatus": {"type":"string","enum":["Completed","Failed","InProgress"]},
       "defaultSslBinding": {"type":"boolean"},
       "encodedCertificate": {"type":"string"},
       "hostName": {"type":"string"},
       "identityClientId": {"type":"string"},
       "identityClientIdFromConfig": {"type":"configMap","arm":"identityClientId"},
       "keyVaultId": {"type":"string"},
       "negotiateClientCertificate": {"type":"boolean"},
       "type": {"type":"string","enum":["ConfigurationApi","DeveloperPortal","Management","Portal","Proxy","Scm"]}
      }
     }
    },
    "identity": {
     "type": "object",
     "required": ["type"],
     "properties": {
      "type": {"type":"string","enum":["None","SystemAssigned","SystemAssigned, UserAssigned","UserAssigned"]},
      "userAssignedIdentities": {"type":"array","items":{"type":"object","properties":{"reference":{"type":"reference"}}},"as":"identityMap"}
     }
    },
    "legacyPortalStatus": {"type":"string","enum":["Disabled","Enabled"]},
    "location": {"type":"string"},
    "natGatewayState": {"type":"string","enum":["Disabled","Enabled"]},
    "notificationSenderEmail": {"type":"string","maxLength":100},
    "publicIpAddressReference": {"type":"reference","arm":"properties.publicIpAddressId"},
    "publicNetworkAccess": {"type":"string","enum":["Disabled","Enabled"]},
    "publisherEmail": {"type":"string","maxLength":100},
    "publisherName": {"type":"string","maxLength":100},
    "restore": {"type":"boolean"},
    "sku": {
     "type": "object",
     "required": ["capacity","name"],
     "properties": {
      "capacity": {"type":"integer"},
      "name": {
       "type": "string",
       "enum": ["Basic","BasicV2","Consumption","Developer","Isolated","Premium","Standard","StandardV2"]
      }
     }
    },
    "tags": {"type":"map","values":{"type":"string"}},
    "virtualNetworkConfiguration": {"type":"object","properties":{"subnetResourceReference":{"type":"reference","arm":"subnetResourceId"}}},
    "virtualNetworkType": {"type":"string","enum":["External","Internal","None"]},
    "zones": {"type":"array","items":{"type":"string"}}
   }
  }
 }
};
