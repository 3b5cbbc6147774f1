// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmKindEntry, ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface NamespacesTopicsSubscriptionSpec {
  azureName?: string;
  autoDeleteOnIdle?: string;
  clientAffineProperties?: {
    clientId?: string;
    isDurable?: boolean;
    isShared?: boolean;
  };
  deadLetteringOnFilterEvaluationExceptions?: boolean;
  deadLetteringOnMessageExpiration?: boolean;
  defaultMessageTimeToLive?: string;
  duplicateDetectionHistoryTimeWindow?: string;
  enableBatchedOperations?: boolean;
  forwardDeadLetteredMessagesTo?: string;
  forwardTo?: string;
  isClientAffine?: boolean;
  lockDuration?: string;
  maxDeliveryCount?: number;
  requiresSession?: boolean;
  owner: KnownOwner;
  operatorSpec?: OperatorSpec<never, never>;
}

export interface NamespacesTopicsSubscription {
  spec: NamespacesTopicsSubscriptionSpec;
  status?: ArmStatus;
}

export const entry: ArmKindEntry = {
 "group": "servicebus.azure.com",
 "kind": "NamespacesTopicsSubscription",
 "plural": "namespacestopicssubscriptions",
 "singular": "namespacestopicssubscription",
 "shortNames": ["sbsub"],
 "arm": {
  "armType": "Microsoft.ServiceBus/namespaces/topics/subscriptions",
  "apiVersions": {
   "v1api20240101": "2024-01-01",
   "v1api20221001preview": "2022-10-01-preview",
   "v1api20211101": "2021-11-01",
   "v1api20210101preview": "2021-01-01-preview"
  },
  "armPath": "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.ServiceBus/namespaces/{namespaceName}/topics/{topicName}/subscriptions/{subscriptionName}",
  "scope": "ResourceGroup",
  "owner": {"extension":false,"kinds":["NamespacesTopic"],"group":"servicebus.azure.com"},
  "azureName": {"minLength":1,"maxLength":50},
  "topLevel": ["name"],
  "propertiesFlattened": true,
  "noProperties": false,
  "deletable": true,
  "operatorSpec": {"secrets":[],"configMaps":[]},
  "secretSource": null,
  "errorOverrides": [{"code":"MessagingGatewayBadRequest","class":"retryable"}],
  "fields": {
   "type": "object",
   "properties": {
    "autoDeleteOnIdle": {"type":"string"},
    "clientAffineProperties": {
     "type": "object",
     "properties": {"clientId":{"type":"string"},"isDurable":{"type":"boolean"},"isShared":{"type":"boolean"}}
    },
    "deadLetteringOnFilterEvaluationExceptions": {"type":"boolean"},
    "deadLetteringOnMessageExpiration": {"type":"boolean"},
    "defaultMessageTimeToLive": {"type":"string"},
    "duplicateDetectionHistoryTimeWindow": {"type":"string"},
    "enableBatchedOperations": {"type":"boolean"},
    "forwardDeadLetteredMessagesTo": {"type":"string"},
    "forwardTo": {"type":"string"},
    "isClientAffine": {"type":"boolean"},
    "lockDuration": {"type":"string"},
    "maxDeliveryCount": {"type":"integer"},
    "requiresSession": {"type":"boolean"}
   }
  }
 }
};
