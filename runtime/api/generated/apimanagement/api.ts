// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface ApiSpec {
  azureName?: string;
  apiRevision?: string;
  apiRevisionDescription?: string;
  apiType?: 'graphql' | 'grpc' | 'http' | 'odata' | 'soap' | 'websocket';
  apiVersion?: string;
  apiVersionDescription?: string;
  apiVersionSet?: {
    description?: string;
    name?: string;
    reference?: ArmReference;
    versionHeaderName?: string;
    versionQueryName?: string;
    versioningScheme?: 'Header' | 'Query' | 'Segment';
  };
  apiVersionSetReference?: ArmReference;
  authenticationSettings?: {
    oAuth2?: {
      authorizationServerId?: string;
      scope?: string;
    };
    oAuth2AuthenticationSettings?: ({
      authorizationServerId?: string;
      scope?: string;
    })[];
    openid?: {
      bearerTokenSendingMethods?: ('authorizationHeader' | 'query')[];
      openidProviderId?: string;
    };
    openidAuthenticationSettings?: ({
      bearerTokenSendingMethods?: ('authorizationHeader' | 'query')[];
      openidProviderId?: string;
    })[];
  };
  contact?: {
    email?: string;
    name?: string;
    url?: string;
  };
  description?: string;
  displayName?: string;
  format?: 'graphql-link' | 'grpc' | 'grpc-link' | 'odata' | 'odata-link' | 'openapi' | 'openapi+json' | 'openapi+json-link' | 'openapi-link' | 'swagger-json' | 'swagger-link-json' | 'wadl-link-json' | 'wadl-xml' | 'wsdl' | 'wsdl-link';
  isCurrent?: boolean;
  license?: {
    name?: string;
    url?: string;
  };
  path: string;
  protocols?: ('http' | 'https' | 'ws' | 'wss')[];
  serviceUrl?: string;
  sourceApiReference?: ArmReference;
  subscriptionKeyParameterNames?: {
    header?: string;
    query?: string;
  };
  subscriptionRequired?: boolean;
  termsOfServiceUrl?: string;
  translateRequiredQueryParameters?: 'query' | 'template';
  type?: 'graphql' | 'grpc' | 'http' | 'odata' | 'soap' | 'websocket';
  value?: string;
  wsdlSelector?: {
    wsdlEndpointName?: string;
    wsdlServiceName?: string;
  };
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Api {
  spec: ApiSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "apimanagement.azure.com",
 "kind": "Api",
 "plural": "apis",
 "singular": "api",
 "shortNames": ["apimapi"],
 "arm": {
  "armType": "Microsoft.ApiManagement/service/apis",
  "apiVersions": {
   "v20240501": "2024-05-01",
   "v1api20240501": "2024-05-01",
   "v20230501preview": "2023-05-01-preview",
   "v1api20230501preview": "2023-05-01-preview",
   "v20220801": "2022-08-01",
   "v1api20220801": "2022-08-01"
  },
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.ApiManagement/service/{serviceName}/apis/{apiId}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["Service"],"group":"apimanagement.azure.com"},
  "azureName": {"pattern":"^[^*#&+:<>?]+$","minLength":1,"maxLength":256},
  "topLevel": ["name"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [],
  "fields": {
   "type": "object",
   "required": ["path"],
   "properties": {
    "apiRevision": {"type":"string","minLength":1,"maxLength":100},
    "apiRevisionDescription": {"type":"string","maxLength":256},
    "apiType": {"type":"string","enum":["graphql","grpc","http","odata","soap","websocket"]},
    "apiVersion": {"type":"string","maxLength":100},
    "apiVersionDescription": {"type":"string","maxLength":256},
    "apiVersionSet": {
     "type": "object",
     "properties": {
      "description": {"type":"string"},
      "name": {"type":"string"},
      "reference": {"type":"reference","arm":"id"},
      "versionHeaderName": {"type":"string"},
      "versionQueryName": {"type":"string"},
      "versioningScheme": {"type":"string","enum":["Header","Query","Segment"]}
     }
    },
    "apiVersionSetReference": {"type":"reference","arm":"properties.apiVersionSetId"},
    "authenticationSettings": {
     "type": "object",
     "properties": {
      "oAuth2": {"type":"object","properties":{"authorizationServerId":{"type":"string"},"scope":{"type":"string"}}},
      "oAuth2AuthenticationSettings": {
       "type": "array",
       "items": {"type":"object","properties":{"authorizationServerId":{"type":"string"},"scope":{"type":"string"}}}
      },
      "openid": {
       "type": "object",
       "properties": {
        "bearerTokenSendingMethods": {"type":"array","items":{"type":"string","enum":["authorizationHeader","query"]}},
        "openidProviderId": {"type":"string"}
       }
      },
      "openidAuthenticationSettings": {
       "type": "array",
       "items": {
        "type": "object",
        "properties": {
         "bearerTokenSendingMethods": {"type":"array","items":{"type":"string","enum":["authorizationHeader","query"]}},
         "openidProviderId": {"type":"string"}
        }
       }
      }
     }
    },
    "contact": {"type":"object","properties":{"email":{"type":"string"},"name":{"type":"string"},"url":{"type":"string"}}},
    "description": {"type":"string"},
    "displayName": {"type":"string","minLength":1,"maxLength":300},
    "format": {
     "type": "string",
     "enum": [
      "graphql-link",
      "grpc",
      "grpc-link",
      "odata",
      "odata-link",
      "openapi",
      "openapi+json",
      "openapi+json-link",
      "openapi-link",
      "swagger-json",
      "swagger-link-json",
      "wadl-link-json",
      "wadl-xml",
      "wsdl",
      "wsdl-link"
     ]
    },
    "isCurrent": {"type":"boolean"},
    "license": {"type":"object","properties":{"name":{"type":"string"},"url":{"type":"string"}}},
    "path": {"type":"string","minLength":0,"maxLength":400},
    "protocols": {"type":"array","items":{"type":"string","enum":["http","https","ws","wss"]}},
    "serviceUrl": {"type":"string","minLength":0,"maxLength":2000},
    "sourceApiReference": {"type":"reference","arm":"properties.sourceApiId"},
    "subscriptionKeyParameterNames": {"type":"object","properties":{"header":{"type":"string"},"query":{"type":"string"}}},
    "subscriptionRequired": {"type":"boolean"},
    "termsOfServiceUrl": {"type":"string"},
    "translateRequiredQueryParameters": {"type":"string","enum":["query","template"]},
    "type": {"type":"string","enum":["graphql","grpc","http","odata","soap","websocket"]},
    "value": {"type":"string"},
    "wsdlSelector": {"type":"object","properties":{"wsdlEndpointName":{"type":"string"},"wsdlServiceName":{"type":"string"}}}
   }
  }
 }
};
