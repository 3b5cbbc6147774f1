// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, SecretKeyReference } from '../../common-schemas.ts';

export interface EventSubscriptionSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  deadLetterDestination?: {
    storageBlob?: {
      blobContainerName?: string;
      endpointType: 'StorageBlob';
      /**
       * By construct or ARM id: StorageAccount.
       * @default Azure's own value
       */
      resourceReference?: ArmReference<'storage.azure.com/StorageAccount'>;
    };
  };
  /** @default Azure's own value */
  destination?: {
    azureFunction?: {
      endpointType: 'AzureFunction';
      maxEventsPerBatch?: number;
      preferredBatchSizeInKilobytes?: number;
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      resourceReference?: ArmReference;
    };
    eventHub?: {
      endpointType: 'EventHub';
      /**
       * By construct or ARM id: NamespacesEventhub.
       * @default Azure's own value
       */
      resourceReference?: ArmReference<'eventhub.azure.com/NamespacesEventhub'>;
    };
    hybridConnection?: {
      endpointType: 'HybridConnection';
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      resourceReference?: ArmReference;
    };
    serviceBusQueue?: {
      endpointType: 'ServiceBusQueue';
      /**
       * By construct or ARM id: NamespacesQueue.
       * @default Azure's own value
       */
      resourceReference?: ArmReference<'servicebus.azure.com/NamespacesQueue'>;
    };
    serviceBusTopic?: {
      endpointType: 'ServiceBusTopic';
      /**
       * By construct or ARM id: NamespacesTopic.
       * @default Azure's own value
       */
      resourceReference?: ArmReference<'servicebus.azure.com/NamespacesTopic'>;
    };
    storageQueue?: {
      endpointType: 'StorageQueue';
      queueName?: string;
      /**
       * By construct or ARM id: StorageAccount.
       * @default Azure's own value
       */
      resourceReference?: ArmReference<'storage.azure.com/StorageAccount'>;
    };
    webHook?: {
      azureActiveDirectoryApplicationIdOrUri?: string;
      azureActiveDirectoryTenantId?: string;
      endpointType: 'WebHook';
      /**
       * A value of a Secret of this namespace: an export of another resource, or name and key.
       * @default Azure's own value
       */
      endpointUrl?: SecretKeyReference;
      maxEventsPerBatch?: number;
      preferredBatchSizeInKilobytes?: number;
    };
  };
  /** @default Azure's own value */
  eventDeliverySchema?: 'CloudEventSchemaV1_0' | 'CustomInputSchema' | 'EventGridSchema';
  /** @default Azure's own value */
  expirationTimeUtc?: string;
  /** @default Azure's own value */
  filter?: {
    advancedFilters?: ({
      boolEquals?: {
        key?: string;
        operatorType: 'BoolEquals';
        value?: boolean;
      };
      numberGreaterThan?: {
        key?: string;
        operatorType: 'NumberGreaterThan';
        value?: number;
      };
      numberGreaterThanOrEquals?: {
        key?: string;
        operatorType: 'NumberGreaterThanOrEquals';
        value?: number;
      };
      numberIn?: {
        key?: string;
        operatorType: 'NumberIn';
        values?: number[];
      };
      numberLessThan?: {
        key?: string;
        operatorType: 'NumberLessThan';
        value?: number;
      };
      numberLessThanOrEquals?: {
        key?: string;
        operatorType: 'NumberLessThanOrEquals';
        value?: number;
      };
      numberNotIn?: {
        key?: string;
        operatorType: 'NumberNotIn';
        values?: number[];
      };
      stringBeginsWith?: {
        key?: string;
        operatorType: 'StringBeginsWith';
        values?: string[];
      };
      stringContains?: {
        key?: string;
        operatorType: 'StringContains';
        values?: string[];
      };
      stringEndsWith?: {
        key?: string;
        operatorType: 'StringEndsWith';
        values?: string[];
      };
      stringIn?: {
        key?: string;
        operatorType: 'StringIn';
        values?: string[];
      };
      stringNotIn?: {
        key?: string;
        operatorType: 'StringNotIn';
        values?: string[];
      };
    })[];
    includedEventTypes?: string[];
    isSubjectCaseSensitive?: boolean;
    subjectBeginsWith?: string;
    subjectEndsWith?: string;
  };
  /** @default Azure's own value */
  labels?: string[];
  /** @default Azure's own value */
  retryPolicy?: {
    eventTimeToLiveInMinutes?: number;
    maxDeliveryAttempts?: number;
  };
  /** The resource that it extends, by construct or ARM id. */
  owner: ArmReference;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface EventSubscription {
  spec: EventSubscriptionSpec;
  status?: ArmStatus;
}
